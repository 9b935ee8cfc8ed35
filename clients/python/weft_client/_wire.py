"""Requests to one service: sent, retried where that has no second effect, and read. One connection for each request."""

from __future__ import annotations

import http.client
import json
import random
import socket
import threading
import time
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Tuple, TypeVar
from urllib.parse import urlencode, urlsplit

from ._errors import REFUSED_BEFORE_IT_BEGAN, WeftError, retries_of

T = TypeVar("T")

_FIRST_WAIT_S = 0.25
_LONGEST_WAIT_S = 30.0


class Cancelled(Exception):
    """The caller cancelled the request."""


class Cancellation:
    """Ends requests from another thread: ``cancel`` closes their connections and wakes those that wait."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._sockets: "set[socket.socket]" = set()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    def cancel(self) -> None:
        self._event.set()
        with self._lock:
            for one in self._sockets:
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # It is closed already.

    def check(self) -> None:
        if self.cancelled:
            raise Cancelled()

    def wait(self, seconds: float) -> None:
        self._event.wait(seconds)
        self.check()

    @contextmanager
    def over(self, one: Optional[socket.socket]) -> Iterator[None]:
        if one is None:
            yield
            return
        with self._lock:
            self._sockets.add(one)
        try:
            self.check()
            yield
        finally:
            with self._lock:
                self._sockets.discard(one)


class Wire:
    """``timeout``: seconds that the connection may be silent; None: no bound."""

    def __init__(
        self,
        server: str,
        *,
        headers: Optional[Mapping[str, str]] = None,
        retries: int = 4,
        timeout: Optional[float] = None,
        sleep: Optional[Callable[[float], None]] = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        parts = urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("the address of the server must look like http://127.0.0.1:8770")
        self._base = server.rstrip("/")
        self._secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self._path = parts.path.rstrip("/")
        self._headers = dict(headers or {})
        self._retries = retries
        self._timeout = timeout
        self._sleep = sleep
        self._chance = chance

    def json(self, method: str, path: str, *, repeatable: bool, cancel: Cancellation, **sent: Any) -> Any:
        """The JSON of an answer. Raises WeftError and Cancelled."""

        def once() -> Any:
            with self._answer(method, path, cancel, **sent) as response:
                return _json_in(response, cancel)

        return self.retried(once, repeatable, cancel)

    @contextmanager
    def opened(self, method: str, path: str, *, repeatable: bool, cancel: Cancellation, **sent: Any) -> Iterator[Any]:
        """An answer whose body is read as it comes. Only the request is retried, never what was read of it."""
        manager = self.retried(lambda: _entered(self._answer(method, path, cancel, **sent)), repeatable, cancel)
        response, close = manager
        try:
            yield response
        finally:
            close()

    def retried(self, once: Callable[[], T], repeatable: bool, cancel: Cancellation) -> T:
        attempt = 0
        while True:
            try:
                return once()
            except WeftError as error:
                may = repeatable or error.code in REFUSED_BEFORE_IT_BEGAN
                if not may or attempt >= retries_of(error.code, self._retries):
                    raise
                self.pause(attempt, error.retry_after, cancel)
            attempt += 1

    def pause(self, attempt: int, retry_after: Optional[float], cancel: Cancellation) -> None:
        """Waits before attempt ``attempt`` + 1: as long as the service asks, else twice as long each time."""
        growing = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2**attempt) * (0.5 + self._chance() / 2)
        seconds = min(_LONGEST_WAIT_S, growing if retry_after is None else retry_after)
        if self._sleep is None:
            cancel.wait(seconds)
        else:
            self._sleep(seconds)
            cancel.check()

    @contextmanager
    def _answer(
        self,
        method: str,
        path: str,
        cancel: Cancellation,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        body: Any = None,
    ) -> Iterator[http.client.HTTPResponse]:
        cancel.check()
        data = None if body is None else json.dumps(body, allow_nan=False).encode()
        every: Dict[str, str] = {**self._headers, **(headers or {})}
        if data is not None:
            every["content-type"] = "application/json"
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=self._timeout)
        try:
            try:
                connection.connect()
            except OSError as cause:
                raise self._unreachable(cancel) from cause
            with cancel.over(connection.sock):
                try:
                    connection.request(method, f"{self._path}{path}{_query_text(query)}", data, every)
                    response = connection.getresponse()
                except (OSError, http.client.HTTPException) as cause:
                    raise self._unreachable(cancel) from cause
                if not 200 <= response.status < 300:
                    raise _refusal_of(response, cancel)
                yield response
        finally:
            connection.close()

    def _unreachable(self, cancel: Cancellation) -> Exception:
        return Cancelled() if cancel.cancelled else WeftError("unreachable", f"no service answers at {self._base}")


def _entered(manager: Any) -> Tuple[Any, Callable[[], None]]:
    return manager.__enter__(), lambda: manager.__exit__(None, None, None)


def _text_in(response: http.client.HTTPResponse, cancel: Cancellation) -> bytes:
    try:
        return response.read()
    except (OSError, http.client.HTTPException) as cause:
        cancel.check()
        raise WeftError("unreachable", "the connection broke within an answer", status=response.status) from cause


def _json_in(response: http.client.HTTPResponse, cancel: Cancellation) -> Any:
    text = _text_in(response, cancel)
    try:
        return json.loads(text)
    except ValueError as cause:
        raise WeftError("bad_answer", "the answer is not JSON", status=response.status) from cause


def _refusal_of(response: http.client.HTTPResponse, cancel: Cancellation) -> WeftError:
    retry_after = _wait_of(response.getheader("retry-after"))
    status = response.status
    try:
        body = _json_in(response, cancel)
    except WeftError:
        body = None
    if isinstance(body, dict) and isinstance(body.get("error"), str) and isinstance(body.get("message"), str):
        return WeftError(body["error"], body["message"], status=status, body=body, retry_after=retry_after)
    # A proxy in front speaks for a service that is not there.
    code = "rate_limited" if status == 429 else "unreachable" if 502 <= status <= 504 else "bad_answer"
    message = f"the server answered {status} and not as a Weft service does"
    return WeftError(code, message, status=status, retry_after=retry_after)


def _wait_of(header: Optional[str]) -> Optional[float]:
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _query_text(query: Optional[Mapping[str, Any]]) -> str:
    given = {name: _word(value) for name, value in (query or {}).items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, (list, tuple)) else str(value)


def lines_of(response: http.client.HTTPResponse, cancel: Cancellation) -> Iterator[str]:
    """Lines of a body, without their ends. Raises ``stream_cut`` when the connection breaks."""
    while True:
        try:
            line = response.readline()
        except (OSError, http.client.HTTPException, ValueError) as cause:
            cancel.check()
            raise WeftError("stream_cut", "the connection broke within a stream", status=response.status) from cause
        cancel.check()
        if line == b"":
            return
        yield line.decode("utf-8", "replace").rstrip("\r\n")


def now() -> float:
    return time.monotonic()
