"""Requests that have a cache forget answers: `PURGE` with `Surrogate-Key`."""

from __future__ import annotations

from collections.abc import Sequence
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request

from registry.services.core.timed_http import TimedOpener
from registry.services.work.tasks import TaskFailed

TIMEOUT = 5.0  # seconds for a whole request
MAX_KEYS = 20  # of a request; of the longest tags, they take half of the head that Varnish reads


def purge(url: str, keys: Sequence[str]) -> None:
    """Have the cache at a URL forget the answers with one of the keys. Raises `TaskFailed`."""
    for start in range(0, len(keys), MAX_KEYS):
        headers = {"Surrogate-Key": " ".join(keys[start : start + MAX_KEYS])}
        request = Request(url, headers=headers, method="PURGE")  # noqa: S310 - the settings admit http and https only
        try:
            with TimedOpener(TIMEOUT) as opener, opener.open(request, timeout=TIMEOUT):
                pass
        except (OSError, HTTPException) as error:
            raise TaskFailed(f"The cache {urlsplit(url).netloc} {_reason(error)}.") from error


def _reason(error: Exception) -> str:
    if isinstance(error, HTTPError):
        error.close()
        return f"answers {error.code} to PURGE"
    return f"cannot be reached: {error.reason if isinstance(error, URLError) else error}"
