"""The client for asyncio. Requests run on threads of its own; cancelling a task closes the connection of its request."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, AsyncIterator, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Union

from ._client import Answer, Client, Json, Request
from ._wire import Cancellation

_DONE = object()


class AsyncClient:
    """As Client, with coroutines and asynchronous iterators. ``concurrency``: requests at the same time; further ones wait."""

    def __init__(self, server: str, *, concurrency: int = 64, **options: Any) -> None:
        self._client = Client(server, **options)
        self._threads = ThreadPoolExecutor(concurrency, thread_name_prefix="weft-client")

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        self._threads.shutdown(wait=False)

    async def run(self, request: Request, *, key: Optional[str] = None) -> Answer:
        return await self._call(self._client.run, request, key=key)

    async def value(self, request: Request, *, key: Optional[str] = None) -> Json:
        return await self._call(self._client.value, request, key=key)

    def batch(
        self,
        request: Request,
        frames: Iterable[Mapping[str, Json]],
        *,
        chunk: int = 1000,
        repeat_cut: bool = False,
        rows: str = "full",
    ) -> AsyncIterator[Any]:
        return self._each(partial(self._client.batch, request, frames, chunk=chunk, repeat_cut=repeat_cut, rows=rows))

    async def enqueue(self, request: Request, *, key: Optional[str] = None) -> Answer:
        return await self._call(self._client.enqueue, request, key=key)

    async def enqueue_many(self, request: Request, *, key: Optional[str] = None) -> Answer:
        return await self._call(self._client.enqueue_many, request, key=key)

    async def job(self, job_id: str, *, wait: Optional[float] = None, until: Optional[str] = None) -> Answer:
        return await self._call(self._client.job, job_id, wait=wait, until=until)

    async def results(self, job_ids: Sequence[str], *, wait: float = 0) -> Answer:
        return await self._call(self._client.results, job_ids, wait=wait)

    async def wait(self, job_id: str, *, timeout: Optional[float] = None, until: Optional[str] = None) -> Answer:
        return await self._call(self._client.wait, job_id, timeout=timeout, until=until)

    def events(self, job_id: str, *, after: Optional[str] = None) -> AsyncIterator[Answer]:
        return self._each(partial(self._client.events, job_id, after=after))

    async def cancel(self, job_id: str) -> Answer:
        return await self._call(self._client.cancel, job_id)

    async def retry(
        self,
        job_id: str,
        *,
        start: Union[str, Mapping[str, int]] = "start",
        code: Optional[str] = None,
        ir: Optional[Mapping[str, Any]] = None,
        current: bool = False,
        key: Optional[str] = None,
    ) -> Answer:
        return await self._call(self._client.retry, job_id, start=start, code=code, ir=ir, current=current, key=key)

    async def signal(
        self, job_id: str, name: str, request: Optional[Request] = None, *, key: Optional[str] = None
    ) -> Answer:
        return await self._call(self._client.signal, job_id, name, request, key=key)

    async def signal_key(self, name: str, request: Request, *, key: Optional[str] = None) -> Answer:
        return await self._call(self._client.signal_key, name, request, key=key)

    async def family(self, job_id: str) -> Answer:
        return await self._call(self._client.family, job_id)

    async def waits(self, job_id: str) -> Answer:
        return await self._call(self._client.waits, job_id)

    async def frame(self, job_id: str, *, values: bool = False) -> Answer:
        return await self._call(self._client.frame, job_id, values=values)

    async def state(self, job_id: str, *, values: bool = False) -> Answer:
        return await self._call(self._client.state, job_id, values=values)

    async def journal(
        self, job_id: str, *, after: Optional[int] = None, limit: Optional[int] = None, values: bool = False
    ) -> Answer:
        return await self._call(self._client.journal, job_id, after=after, limit=limit, values=values)

    async def decide_outcome(self, job_id: str, decision: Request) -> Answer:
        return await self._call(self._client.decide_outcome, job_id, decision)

    async def approvals(self, **filters: Any) -> Answer:
        return await self._call(self._client.approvals, **filters)

    async def approval(self, approval_id: str) -> Answer:
        return await self._call(self._client.approval, approval_id)

    async def decide_approval(self, approval_id: str, decision: Request, *, key: Optional[str] = None) -> Answer:
        return await self._call(self._client.decide_approval, approval_id, decision, key=key)

    async def link_approval(self, approval_id: str, request: Request) -> Answer:
        return await self._call(self._client.link_approval, approval_id, request)

    async def jobs(self, **filters: Any) -> Answer:
        return await self._call(self._client.jobs, **filters)

    async def cancel_jobs(self, **filters: Any) -> Answer:
        return await self._call(self._client.cancel_jobs, **filters)

    async def dead_letters(self) -> Answer:
        return await self._call(self._client.dead_letters)

    async def discard_jobs(self, **filters: Any) -> Answer:
        return await self._call(self._client.discard_jobs, **filters)

    async def retry_jobs(self, **filters: Any) -> Answer:
        return await self._call(self._client.retry_jobs, **filters)

    async def deploy(
        self,
        name: str,
        request: Request,
        *,
        dry_run: bool = False,
        as_next: bool = False,
        if_version: Optional[int] = None,
    ) -> Answer:
        options = {"dry_run": dry_run, "as_next": as_next, "if_version": if_version}
        return await self._call(self._client.deploy, name, request, **options)

    async def propose(self, name: str, request: Request, *, if_version: Optional[int] = None) -> Answer:
        return await self._call(self._client.propose, name, request, if_version=if_version)

    async def proposals(self, **query: Any) -> Answer:
        return await self._call(self._client.proposals, **query)

    async def proposal(self, id: str) -> Answer:
        return await self._call(self._client.proposal, id)

    async def accept_proposal(self, id: str, request: Request) -> Answer:
        return await self._call(self._client.accept_proposal, id, request)

    async def decline_proposal(self, id: str, request: Request) -> Answer:
        return await self._call(self._client.decline_proposal, id, request)

    async def programs(self, **query: Any) -> Answer:
        return await self._call(self._client.programs, **query)

    async def program(self, name: str) -> Answer:
        return await self._call(self._client.program, name)

    async def versions(self, name: str) -> Answer:
        return await self._call(self._client.versions, name)

    async def version(self, name: str, version: int) -> Answer:
        return await self._call(self._client.version, name, version)

    async def rollback(self, name: str, version: int, *, if_version: Optional[int] = None) -> Answer:
        return await self._call(self._client.rollback, name, version, if_version=if_version)

    async def set_next(self, name: str, request: Request, *, if_version: Optional[int] = None) -> Answer:
        return await self._call(self._client.set_next, name, request, if_version=if_version)

    async def promote_next(self, name: str, version: int, *, if_version: Optional[int] = None) -> Answer:
        return await self._call(self._client.promote_next, name, version, if_version=if_version)

    async def abort_next(self, name: str, *, if_version: Optional[int] = None) -> Answer:
        return await self._call(self._client.abort_next, name, if_version=if_version)

    async def change_program(self, name: str, change: Request, *, if_version: Optional[int] = None) -> Answer:
        return await self._call(self._client.change_program, name, change, if_version=if_version)

    async def remove_program(self, name: str, *, if_version: Optional[int] = None) -> Answer:
        return await self._call(self._client.remove_program, name, if_version=if_version)

    async def schedules(self, **query: Any) -> Answer:
        return await self._call(self._client.schedules, **query)

    async def schedule(self, schedule_id: str) -> Answer:
        return await self._call(self._client.schedule, schedule_id)

    async def next_times(self, schedule_id: str, *, count: Optional[int] = None) -> Answer:
        return await self._call(self._client.next_times, schedule_id, count=count)

    async def change_schedule(self, schedule_id: str, change: Request) -> Answer:
        return await self._call(self._client.change_schedule, schedule_id, change)

    async def run_schedule(self, schedule_id: str) -> Answer:
        return await self._call(self._client.run_schedule, schedule_id)

    async def backfill(self, schedule_id: str, request: Request) -> Answer:
        return await self._call(self._client.backfill, schedule_id, request)

    async def job_stats(self, **query: Any) -> Answer:
        return await self._call(self._client.job_stats, **query)

    async def notices(self) -> Answer:
        return await self._call(self._client.notices)

    async def emit(self, request: Request, *, key: Optional[str] = None) -> Answer:
        return await self._call(self._client.emit, request, key=key)

    async def recent_events(self, **query: Any) -> Answer:
        return await self._call(self._client.recent_events, **query)

    async def emitted_event(self, event_id: str) -> Answer:
        return await self._call(self._client.emitted_event, event_id)

    async def capabilities(self) -> Answer:
        return await self._call(self._client.capabilities)

    async def _call(self, method: Callable[..., Any], *args: Any, **options: Any) -> Any:
        cancel = Cancellation()
        return await self._in_thread(partial(method, *args, cancel=cancel, **options), cancel)

    async def _in_thread(self, work: Callable[[], Any], cancel: Cancellation) -> Any:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        except asyncio.CancelledError:
            cancel.cancel()
            raise

    async def _each(self, start: Callable[..., Iterator[Answer]]) -> AsyncIterator[Answer]:
        cancel = Cancellation()
        results = start(cancel=cancel)
        try:
            while True:
                result = await self._in_thread(partial(next, results, _DONE), cancel)
                if result is _DONE:
                    return
                yield result
        finally:
            # A reader that leaves early closes the connection, and with it what the service does for it.
            cancel.cancel()
