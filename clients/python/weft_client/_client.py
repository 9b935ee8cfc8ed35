"""A client of one Weft service. Answers are the JSON of the service as dictionaries (docs/http.md)."""

from __future__ import annotations

import json
import uuid
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import quote

from ._errors import RunFailed, WeftError
from ._wire import Cancellation, Wire, lines_of, now

Json = Any
Answer = Dict[str, Any]
Request = Mapping[str, Any]

_ENDED = {"succeeded", "failed", "timed_out", "cancelled", "interrupted", "rejected", "expired"}
_PARKED = {"waiting", "sleeping"}
_LONGEST_POLL_S = 30.0
_MAX_BREAKS = 5


class Client:
    """Every method raises WeftError for what the service refuses, and Cancelled when its ``cancel`` was cancelled.

    ``headers``: sent with every request, for a proxy that asks for credentials. ``retries``: how often a request is sent again
    after it failed. ``timeout``: seconds that a connection may be silent; None: no bound. ``sleep`` and ``chance`` are for tests.
    A client may be used by many threads.
    """

    def __init__(self, server: str, **options: Any) -> None:
        self._wire = Wire(server, **options)

    def run(self, request: Request, *, key: Optional[str] = None, cancel: Optional[Cancellation] = None) -> Answer:
        """Runs a program. A program that fails is an answer with ``ok`` false.

        ``key``: the request has one effect however often it is sent under this key. Default: a fresh one.
        """
        return self._json("POST", "/run", cancel, body=request, headers=_keyed(key))

    def value(self, request: Request, *, key: Optional[str] = None, cancel: Optional[Cancellation] = None) -> Json:
        """The value of a run. Raises RunFailed when the program fails."""
        answer = self.run(request, key=key, cancel=cancel)
        if answer["ok"]:
            return answer["out"]
        raise RunFailed(answer["error"], answer["message"], status=200, body=answer)

    def batch(
        self,
        request: Request,
        frames: Iterable[Mapping[str, Json]],
        *,
        chunk: int = 1000,
        repeat_cut: bool = False,
        rows: str = "full",
        cancel: Optional[Cancellation] = None,
    ) -> Iterator[Any]:
        """Runs a program with each frame, in requests of ``chunk`` frames each. Results come as they are made.

        ``index`` of a result counts over all frames; a frame that fails is a result with ``ok`` false. ``repeat_cut``: frames
        whose results a broken stream has lost run again; without it the batch fails with ``stream_cut``. ``rows``: ``full``,
        or in the order of the frames ``lean`` (``index``, ``ok`` and ``out``) or ``out`` (the value alone). A frame that
        fails has its whole result in each of them.
        """
        cancel = cancel or Cancellation()
        pending: List[Tuple[int, Mapping[str, Json]]] = []
        for index, frame in enumerate(frames):
            pending.append((index, frame))
            if len(pending) < chunk:
                continue
            stopped = yield from self._part(request, pending, repeat_cut, rows, cancel)
            if stopped:
                return
            pending = []
        if pending:
            yield from self._part(request, pending, repeat_cut, rows, cancel)

    def enqueue(self, request: Request, *, key: Optional[str] = None, cancel: Optional[Cancellation] = None) -> Answer:
        """Queues a job."""
        return self._json("POST", "/enqueue", cancel, body=request, headers=_keyed(key))

    def enqueue_many(
        self, request: Request, *, key: Optional[str] = None, cancel: Optional[Cancellation] = None
    ) -> Answer:
        """Queues a job for each of ``frames`` in the request, all or none."""
        return self._json("POST", "/enqueue", cancel, body=request, headers=_keyed(key))

    def job(
        self,
        job_id: str,
        *,
        wait: Optional[float] = None,
        until: Optional[str] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Answer:
        """A job as it is, or as soon as it is over: at the latest after ``wait`` seconds, at most 60.

        With ``until="parked"`` also as soon as a durable job waits for something.
        """
        return self._json("GET", _at("result", job_id), cancel, query={"wait": wait, "until": until})

    def results(self, job_ids: Sequence[str], *, wait: float = 0, cancel: Optional[Cancellation] = None) -> Answer:
        """Results of at most 1,000 jobs: of those at the beginning of the list that are over within ``wait`` seconds.

        ``wait`` is at most 60. An answer has up to 8 MiB; ask again for the rest.
        """
        return self._json("POST", "/results", cancel, body={"job_ids": list(job_ids), "wait_s": wait})

    def wait(
        self,
        job_id: str,
        *,
        timeout: Optional[float] = None,
        until: Optional[str] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Answer:
        """The job when it is over, whatever came of it, or with ``until="parked"`` when it waits.

        Raises ``wait_timeout`` after ``timeout`` seconds.
        """
        end = None if timeout is None else now() + timeout
        wanted = _ENDED | _PARKED if until == "parked" else _ENDED
        while True:
            left = _LONGEST_POLL_S if end is None else max(0.0, end - now())
            job = self.job(job_id, wait=round(min(_LONGEST_POLL_S, left), 3), until=until, cancel=cancel)
            if job["status"] in wanted:
                return job
            if left == 0:
                raise WeftError("wait_timeout", f"job {job_id} was not over in time")

    def events(
        self, job_id: str, *, after: Optional[str] = None, cancel: Optional[Cancellation] = None
    ) -> Iterator[Answer]:
        """The events of a job until its end, as ``{"event", "data"}``. A stream that breaks is continued after the last event.

        Five breaks without an event between them raise ``stream_cut``.
        """
        cancel = cancel or Cancellation()
        last = after
        breaks = 0
        while breaks <= _MAX_BREAKS:
            headers = {"accept": "text/event-stream", **({} if last is None else {"last-event-id": last})}
            path = f"{_at('result', job_id)}/events"
            with self._wire.opened("GET", path, headers=headers, repeatable=True, cancel=cancel) as response:
                if response.status == 204:
                    return  # The job is over and had no further event.
                try:
                    for seen, event, data in _events_of(lines_of(response, cancel)):
                        breaks = 0
                        last = seen or last
                        yield {"event": event, "data": data}
                        if event == "end":
                            return
                except WeftError as error:
                    if error.code != "stream_cut":
                        raise
            self._wire.pause(breaks, None, cancel)
            breaks += 1
        raise WeftError("stream_cut", "the stream of events ended again and again before the job did")

    def cancel(self, job_id: str, *, cancel: Optional[Cancellation] = None) -> Answer:
        """Cancels a job."""
        return self._json("DELETE", _at("result", job_id), cancel)

    def retry(
        self,
        job_id: str,
        *,
        start: Union[str, Mapping[str, int]] = "start",
        code: Optional[str] = None,
        ir: Optional[Mapping[str, Any]] = None,
        current: bool = False,
        key: Optional[str] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Answer:
        """Queues a new job from one that did not succeed; ``start``: ``start``, ``failure``, or after a record as ``{"seq": n}``.

        A durable one may continue with another program, as ``code`` or ``ir``. ``current``: with the version that is current now.
        """
        path = f"{_at('result', job_id)}/retry"
        program = {name: given for name, given in (("code", code), ("ir", ir), ("current", current or None)) if given is not None}
        return self._json("POST", path, cancel, body={"from": start, **program}, headers=_keyed(key))

    def signal(
        self,
        job_id: str,
        name: str,
        request: Optional[Request] = None,
        *,
        key: Optional[str] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Answer:
        """Sends a signal to a durable job. ``key``, or ``id`` in the request, names it: the same one is not sent twice."""
        path = f"{_at('result', job_id)}{_at('signals', name)}"
        return self._json("POST", path, cancel, body=request or {}, headers=_keyed(key))

    def signal_key(
        self, name: str, request: Request, *, key: Optional[str] = None, cancel: Optional[Cancellation] = None
    ) -> Answer:
        """Sends a signal to all durable jobs that wait for it under the ``key`` in the request."""
        return self._json("POST", _at("signals", name), cancel, body=request, headers=_keyed(key))

    def family(self, job_id: str, *, cancel: Optional[Cancellation] = None) -> Answer:
        """The jobs that belong together with a job, because one of them started the others."""
        return self._json("GET", f"{_at('result', job_id)}/family", cancel)

    def waits(self, job_id: str, *, cancel: Optional[Cancellation] = None) -> Answer:
        """What a durable job waits for, and what it waited for."""
        return self._json("GET", f"{_at('result', job_id)}/waits", cancel)

    def frame(self, job_id: str, *, values: bool = False, cancel: Optional[Cancellation] = None) -> Answer:
        """The variables that a job begins with: their shapes, or values where the service shows them."""
        query = {"values": 1 if values else None}
        return self._json("GET", f"{_at('result', job_id)}/frame", cancel, query=query)

    def state(self, job_id: str, *, values: bool = False, cancel: Optional[Cancellation] = None) -> Answer:
        """What a job shows of itself, while it runs and later: shapes, or values where the service shows them."""
        query = {"values": 1 if values else None}
        return self._json("GET", f"{_at('jobs', job_id)}/state", cancel, query=query)

    def journal(
        self,
        job_id: str,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        values: bool = False,
        cancel: Optional[Cancellation] = None,
    ) -> Answer:
        """Records of the journal of a durable job, after record ``after``; with values only where the service shows them."""
        query = {"after": after, "limit": limit, "values": 1 if values else None}
        return self._json("GET", f"{_at('result', job_id)}/journal", cancel, query=query)

    def decide_outcome(self, job_id: str, decision: Request, *, cancel: Optional[Cancellation] = None) -> Answer:
        """Says what came of a call of unknown outcome. Not repeated after a connection that broke."""
        path = f"{_at('result', job_id)}/outcome"
        return self._json("POST", path, cancel, body=decision, repeatable=False)

    def approvals(self, *, cancel: Optional[Cancellation] = None, **filters: Any) -> Answer:
        """Questions that jobs put before people: ``state``, ``to``, ``job``, ``limit`` and ``cursor`` of GET /approvals."""
        return self._json("GET", "/approvals", cancel, query=filters)

    def approval(self, approval_id: str, *, cancel: Optional[Cancellation] = None) -> Answer:
        return self._json("GET", _at("approvals", approval_id), cancel)

    def decide_approval(
        self, approval_id: str, decision: Request, *, key: Optional[str] = None, cancel: Optional[Cancellation] = None
    ) -> Answer:
        """Decides a question, once."""
        return self._json("POST", _at("approvals", approval_id), cancel, body=decision, headers=_keyed(key))

    def link_approval(self, approval_id: str, request: Request, *, cancel: Optional[Cancellation] = None) -> Answer:
        """An address under which one person decides once. Not repeated after a connection that broke: there would be two."""
        path = f"{_at('approvals', approval_id)}/links"
        return self._json("POST", path, cancel, body=request, repeatable=False)

    def jobs(self, *, cancel: Optional[Cancellation] = None, **filters: Any) -> Answer:
        """Finds jobs: ``status``, ``program``, ``name``, ``tag`` and the other parameters of GET /jobs."""
        return self._json("GET", "/jobs", cancel, query=filters)

    def job_stats(self, *, cancel: Optional[Cancellation] = None, **query: Any) -> Answer:
        """Jobs of the last ``hours`` (168), of one ``program`` or all, by hour, program and state."""
        return self._json("GET", "/jobs/stats", cancel, query=query)

    def notices(self, *, cancel: Optional[Cancellation] = None) -> Answer:
        """What people were notified of, the newest first."""
        return self._json("GET", "/notices", cancel)

    def emit(
        self, request: Request, *, key: Optional[str] = None, cancel: Optional[Cancellation] = None
    ) -> Answer:
        """Takes an event in, which starts jobs of the programs that hear of it. With an ``id`` of its own the same event is not taken twice."""
        repeatable = key is not None or request.get("id") is not None
        return self._json("POST", "/events", cancel, body=request, headers=_keyed(key), repeatable=repeatable)

    def recent_events(self, *, cancel: Optional[Cancellation] = None, **query: Any) -> Answer:
        """Recent events, the newest first."""
        return self._json("GET", "/events", cancel, query=query)

    def emitted_event(self, event_id: str, *, cancel: Optional[Cancellation] = None) -> Answer:
        """An event with what it started."""
        return self._json("GET", _at("events", event_id), cancel)

    def cancel_jobs(self, *, cancel: Optional[Cancellation] = None, **filters: Any) -> Answer:
        """Cancels the jobs that a filter finds."""
        return self._json("POST", "/jobs/cancel", cancel, body=filters)

    def dead_letters(self, *, cancel: Optional[Cancellation] = None) -> Answer:
        """Jobs that failed and were neither retried nor discarded, by program and reason."""
        return self._json("GET", "/dead-letters", cancel)

    def discard_jobs(self, *, cancel: Optional[Cancellation] = None, **filters: Any) -> Answer:
        """Marks the dead letters that a filter finds as done, without a retry."""
        return self._json("POST", "/jobs/discard", cancel, body=filters)

    def retry_jobs(self, *, cancel: Optional[Cancellation] = None, **filters: Any) -> Answer:
        """Retries the jobs that a filter finds. Not repeated after a connection that broke: it would retry more jobs."""
        return self._json("POST", "/jobs/retry", cancel, body=filters, repeatable=False)

    def deploy(
        self,
        name: str,
        request: Request,
        *,
        dry_run: bool = False,
        as_next: bool = False,
        if_version: Optional[int] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Answer:
        """Deploys a program as a new version of a name. ``if_version``: only when this version is current.

        ``as_next``: the current version stays, and the new one is next to it, with no share of calls.
        """
        query = {**({"dry_run": 1} if dry_run else {}), **({"next": 1} if as_next else {})}
        headers = _guarded(if_version)
        return self._json("PUT", _at("programs", name), cancel, query=query, body=request, headers=headers)

    def propose(
        self,
        name: str,
        request: Request,
        *,
        if_version: Optional[int] = None,
        cancel: Optional[Cancellation] = None,
    ) -> Answer:
        """Puts the next version of a name before a person. Nothing that runs is changed."""
        query = {"propose": 1}
        headers = _guarded(if_version)
        return self._json("PUT", _at("programs", name), cancel, query=query, body=request, headers=headers)

    def proposals(self, *, cancel: Optional[Cancellation] = None, **query: Any) -> Answer:
        """Proposals, the newest first: ``state``, ``program``, ``limit``, ``cursor``."""
        return self._json("GET", "/proposals", cancel, query=query)

    def proposal(self, id: str, *, cancel: Optional[Cancellation] = None) -> Answer:
        """A proposed version with what it newly reaches, its difference, its report and its tests."""
        return self._json("GET", _at("proposals", id), cancel)

    def accept_proposal(self, id: str, request: Request, *, cancel: Optional[Cancellation] = None) -> Answer:
        """Makes a proposed version current. Not repeated after a connection that broke."""
        return self._json("POST", f"{_at('proposals', id)}/accept", cancel, body=request, repeatable=False)

    def decline_proposal(self, id: str, request: Request, *, cancel: Optional[Cancellation] = None) -> Answer:
        """Declines a proposed version. Not repeated after a connection that broke."""
        return self._json("POST", f"{_at('proposals', id)}/decline", cancel, body=request, repeatable=False)

    def programs(self, *, cancel: Optional[Cancellation] = None, **query: Any) -> Answer:
        """Deployments by name: ``limit``, ``cursor``, ``tag``, ``q``."""
        return self._json("GET", "/programs", cancel, query=query)

    def program(self, name: str, *, cancel: Optional[Cancellation] = None) -> Answer:
        """One deployment, with its endpoints and schedules."""
        return self._json("GET", _at("programs", name), cancel)

    def versions(self, name: str, *, cancel: Optional[Cancellation] = None) -> Answer:
        """The versions of a deployment."""
        return self._json("GET", f"{_at('programs', name)}/versions", cancel)

    def version(self, name: str, version: int, *, cancel: Optional[Cancellation] = None) -> Answer:
        """One version with source, settings and IR."""
        return self._json("GET", f"{_at('programs', name)}/versions/{version}", cancel)

    def rollback(
        self, name: str, version: int, *, if_version: Optional[int] = None, cancel: Optional[Cancellation] = None
    ) -> Answer:
        """Makes an older version current."""
        path = f"{_at('programs', name)}/rollback"
        return self._json("POST", path, cancel, body={"version": version}, headers=_guarded(if_version))

    def set_next(
        self, name: str, request: Request, *, if_version: Optional[int] = None, cancel: Optional[Cancellation] = None
    ) -> Answer:
        """Gives a version next to the current one a share of calls and fires."""
        headers = _guarded(if_version)
        return self._json("PUT", f"{_at('programs', name)}/next", cancel, body=request, headers=headers)

    def promote_next(
        self, name: str, version: int, *, if_version: Optional[int] = None, cancel: Optional[Cancellation] = None
    ) -> Answer:
        """Makes that version current. Not repeated after a connection that broke."""
        path = f"{_at('programs', name)}/next/promote"
        headers = _guarded(if_version)
        return self._json("POST", path, cancel, body={"version": version}, headers=headers, repeatable=False)

    def abort_next(
        self, name: str, *, if_version: Optional[int] = None, cancel: Optional[Cancellation] = None
    ) -> Answer:
        """Ends that version: all calls reach the current one. Not repeated after a connection that broke."""
        path = f"{_at('programs', name)}/next"
        return self._json("DELETE", path, cancel, headers=_guarded(if_version), repeatable=False)

    def change_program(
        self, name: str, change: Request, *, if_version: Optional[int] = None, cancel: Optional[Cancellation] = None
    ) -> Answer:
        """Enables, disables, tags or describes a deployment."""
        return self._json("PATCH", _at("programs", name), cancel, body=change, headers=_guarded(if_version))

    def remove_program(
        self, name: str, *, if_version: Optional[int] = None, cancel: Optional[Cancellation] = None
    ) -> Answer:
        """Removes a deployment. Not repeated after a connection that broke."""
        return self._json("DELETE", _at("programs", name), cancel, headers=_guarded(if_version), repeatable=False)

    def schedules(self, *, cancel: Optional[Cancellation] = None, **query: Any) -> Answer:
        """Schedules: ``program``, ``limit``, ``cursor``."""
        return self._json("GET", "/schedules", cancel, query=query)

    def schedule(self, schedule_id: str, *, cancel: Optional[Cancellation] = None) -> Answer:
        """One schedule; its id is that of ``schedules``, such as ``digest/L_nightly``."""
        return self._json("GET", _schedule_at(schedule_id), cancel)

    def next_times(
        self, schedule_id: str, *, count: Optional[int] = None, cancel: Optional[Cancellation] = None
    ) -> Answer:
        """The next times of a schedule."""
        return self._json("GET", f"{_schedule_at(schedule_id)}/next", cancel, query={"count": count})

    def change_schedule(
        self, schedule_id: str, change: Request, *, cancel: Optional[Cancellation] = None
    ) -> Answer:
        """Pauses or resumes a schedule."""
        return self._json("PATCH", _schedule_at(schedule_id), cancel, body=change)

    def run_schedule(self, schedule_id: str, *, cancel: Optional[Cancellation] = None) -> Answer:
        """Queues a job of a schedule now. Not repeated after a connection that broke."""
        return self._json("POST", f"{_schedule_at(schedule_id)}/run", cancel, repeatable=False)

    def backfill(self, schedule_id: str, request: Request, *, cancel: Optional[Cancellation] = None) -> Answer:
        """Queues jobs of a schedule for past times; a time that has a job gets no second one."""
        return self._json("POST", f"{_schedule_at(schedule_id)}/backfill", cancel, body=request)

    def capabilities(self, *, cancel: Optional[Cancellation] = None) -> Answer:
        """Adapters, verbs, and what the service grants."""
        return self._json("GET", "/capabilities", cancel)

    def _json(
        self, method: str, path: str, cancel: Optional[Cancellation], *, repeatable: bool = True, **sent: Any
    ) -> Any:
        return self._wire.json(method, path, repeatable=repeatable, cancel=cancel or Cancellation(), **sent)

    def _part(self, request: Request, part: List[Any], repeat_cut: bool, rows: str, cancel: Cancellation) -> Any:
        """The results of some frames; true: the service was to stop after a failure, and did."""
        pending = part
        failed = False
        breaks = 0
        while pending:
            answered = set()
            try:
                lines = self._sent(request, [frame for _, frame in pending], rows, cancel)
                while True:
                    try:
                        line = next(lines)
                    except StopIteration as end:
                        return (failed or end.value) and request.get("on_error") == "stop"
                    # Full rows come as they are made, others in the order of their frames.
                    place = line["index"] if rows == "full" else len(answered)
                    answered.add(place)
                    breaks = 0
                    is_failed = _is_failure(line, place)
                    failed = failed or is_failed
                    index = pending[place][0] if place < len(pending) else place
                    yield line if rows == "out" and not is_failed else {**line, "index": index}
            except WeftError as error:
                if error.code not in ("stream_cut", "unreachable") or not repeat_cut or breaks >= _MAX_BREAKS:
                    raise
            pending = [one for place, one in enumerate(pending) if place not in answered]
            self._wire.pause(breaks, None, cancel)
            breaks += 1
        return False

    def _sent(self, request: Request, frames: List[Any], rows: str, cancel: Cancellation) -> Any:
        """Rows of an answer; true: some failed. A value may look like the summary, which is the last line."""
        body = {**request, "frames": frames}
        headers = {"accept": "application/x-ndjson", **({} if rows == "full" else {"prefer": f"rows={rows}"})}
        summary: Optional[Answer] = None
        with self._wire.opened(
            "POST", "/batch", body=body, headers=headers, repeatable=False, cancel=cancel
        ) as response:
            for text in lines_of(response, cancel):
                if summary is not None:
                    yield summary
                    summary = None
                try:
                    line = json.loads(text)
                except ValueError as cause:
                    raise WeftError("stream_cut", "a stream ended within a line", status=200) from cause
                if isinstance(line, dict) and line.get("summary") is True:
                    summary = line
                else:
                    yield line
        if summary is None:
            raise WeftError("stream_cut", "the stream of results ended before its last line", status=200)
        if "error" in summary and "message" in summary:
            raise WeftError(summary["error"], summary["message"], status=200, body=summary)
        return summary.get("failed", 0) > 0


def _is_failure(row: Any, place: int) -> bool:
    """A value may look like a failure, though hardly like that of this very frame."""
    return isinstance(row, dict) and row.get("ok") is False and row.get("index") == place


def _events_of(lines: Iterator[str]) -> Iterator[Tuple[Optional[str], str, Json]]:
    fields: Dict[str, str] = {}
    for line in lines:
        if line != "":
            name, colon, text = line.partition(":")
            if colon and name:
                fields[name] = text[1:] if text.startswith(" ") else text
            continue
        data, fields = fields, {}
        if "data" not in data:
            continue
        try:
            yield data.get("id"), data.get("event", "message"), json.loads(data["data"])
        except ValueError:
            continue  # Not an event of a service.


def _keyed(key: Optional[str]) -> Dict[str, str]:
    return {"idempotency-key": key or uuid.uuid4().hex}


def _guarded(version: Optional[int]) -> Dict[str, str]:
    return {} if version is None else {"if-match": f'"{version}"'}


def _at(folder: str, name: str) -> str:
    return f"/{folder}/{quote(name, safe='')}"


def _schedule_at(schedule_id: str) -> str:
    return "/schedules/" + "/".join(quote(part, safe="") for part in schedule_id.split("/"))
