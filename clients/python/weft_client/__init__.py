"""Client of the Weft service: runs, batches, jobs, deployments and schedules. Standard library only."""

from ._aio import AsyncClient
from ._client import Client
from ._errors import Issue, RunFailed, WeftError
from ._wire import Cancelled, Cancellation

__all__ = ["AsyncClient", "Cancellation", "Cancelled", "Client", "Issue", "RunFailed", "WeftError"]
__version__ = "1.0.0"
