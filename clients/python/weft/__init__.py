"""What programs of Weft import: names for editors and type checkers. Programs run with `wf run program.py`, or in a service; here every call raises."""

from typing import Any, Callable, Dict, NoReturn, Optional, TypeVar

from ._names import ADAPTERS, FUNCTIONS

__all__ = ["AdapterError", "Answer", "Record", "api", "cron", "job", "on", "parallel", "retry", *ADAPTERS, *FUNCTIONS]

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Record(Dict[str, Any]):
    """Data that Weft made: a dict whose members can be read as attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"'dict' object has no attribute '{name}'") from None


class Answer(Record):
    """An answer that is always an object: it has no truth value and equals no plain value."""

    def __bool__(self) -> bool:
        raise TypeError("an answer has no truth value; read one of its members")


class AdapterError(RuntimeError):
    """A call of an adapter failed."""

    def __init__(self, message: str, code: str = "ADAPTER_FAILED", status: Optional[int] = None) -> None:
        super().__init__(message)
        self.message, self.code, self.status = message, code, status
        self.details: Any = None
        self.retryable = False
        self.retry_after_ms: Optional[float] = None
        self.adapter = self.verb = ""


def _needs_weft(name: str) -> NoReturn:
    raise RuntimeError(f"{name} needs Weft: run the program with wf run")


class _Adapter:
    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"<adapter {self._name}>"

    def __getattr__(self, verb: str) -> Callable[..., Any]:
        if verb.startswith("__"):
            raise AttributeError(verb)
        return _raising(f"{self._name}.{verb}")


def _raising(name: str) -> Callable[..., Any]:
    def call(*_args: Any, **_keywords: Any) -> NoReturn:
        _needs_weft(name)

    return call


def _as_it_is(*_args: Any, **_keywords: Any) -> Callable[[_Function], _Function]:
    return lambda function: function


api = cron = on = _as_it_is


class _Job(_Adapter):
    """The adapter, and the mark of a function whose jobs have rules, with options or without brackets."""

    def __call__(self, *functions: Any, **_options: Any) -> Any:
        return functions[0] if functions else _as_it_is()


parallel = _raising("parallel")
retry = _raising("retry")

globals().update({name: _Adapter(name) for name in ADAPTERS})
globals().update({name: _raising(name) for name in FUNCTIONS})
job = _Job("job")
