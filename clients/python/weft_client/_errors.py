"""What can go wrong between a client and its service, by one code each."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict


class Issue(TypedDict):
    """One place that is wrong, as a JSON pointer into the request."""

    path: str
    code: str
    message: str


class WeftError(Exception):
    """A request that the service refused, or that got no answer.

    ``code`` is a word of the service (docs/http.md, error codes), or one of the client: ``unreachable``, ``bad_answer``,
    ``stream_cut``, ``wait_timeout``. ``status`` is None without an answer; ``retry_after`` is in seconds.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        body: Optional[Dict[str, Any]] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status
        self.body = body
        self.retry_after = retry_after

    @property
    def trace_id(self) -> Optional[str]:
        return None if self.body is None else self.body.get("trace_id")

    @property
    def issues(self) -> List[Issue]:
        return [] if self.body is None else self.body.get("issues") or []


class RunFailed(WeftError):
    """A program that ran and failed, where only its value was asked for."""


_MANY = {
    "unreachable",
    "rate_limited",
    "server_busy",
    "queue_full",
    "draining",
    "store_unavailable",
    "idempotency_in_progress",
}
_ONCE = {"request_timeout", "internal_error"}
REFUSED_BEFORE_IT_BEGAN = {"server_busy", "rate_limited", "queue_full", "draining"}


def retries_of(code: str, most: int) -> int:
    """How often the same request may be sent again after this code."""
    if code in _MANY:
        return most
    return min(1, most) if code in _ONCE else 0
