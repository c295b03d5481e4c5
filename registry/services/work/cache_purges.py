"""The tasks that have caches in front of the registry forget the answers that writes have changed.

One task for each cache, so that one that is away delays no other. Nothing is queued by a write:
a task reads the changes since the last one that it has handled (`Duty.position`).
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from http.client import HTTPException
from itertools import chain
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request

from django.conf import settings

from registry.domain.surrogate_keys import keys_of_change
from registry.models import AnswerChange, AnswerRevision, Duty
from registry.services.core.timed_http import TimedOpener
from registry.services.work import leases
from registry.services.work.tasks import GoOn, Interrupted, TaskFailed, may_retry

FIRST_PAUSE = timedelta(seconds=1)  # after a cache could not be reached
MAX_PAUSE = timedelta(minutes=1)
POLL = 0.2  # seconds between two looks for more changes, while the last ones are handled
MAX_TAGS = 500  # that are purged one by one; after more, everything is
# Decision 167: a process that is cut off answers from memory for two seconds after a write, and a
# cache could have fetched such an answer after it was purged.
REPETITION = 5.0  # seconds
NAME = "purge"  # begins the names of these duties
TIMEOUT = 5.0  # seconds for a whole request
MAX_KEYS = 20  # of a request; of the longest tags, they take half of the head that Varnish reads


@dataclass(frozen=True, slots=True)
class _Purge:
    """The first purge for the changes up to a revision; its moment is on the monotonic clock."""

    revision: int
    keys: list[str]
    moment: float


class CachePurge:
    """Purges the cache at a URL, twice for each change."""

    interval = 0.5

    def __init__(self, url: str, *, repetition: float = REPETITION) -> None:
        self.name = f"{NAME} {urlsplit(url).netloc[:24]} {sha256(url.encode()).hexdigest()[:8]}"
        self._url = url
        self._repetition = repetition

    def is_due(self) -> bool:
        """Return whether answers have changed, and the cache was not away a moment ago."""
        duty = Duty.objects.filter(name=self.name).first()
        return waiting(duty) > 0 and may_retry(duty, FIRST_PAUSE, MAX_PAUSE)

    def run(self, may_go_on: GoOn) -> None:
        """Purge until nothing has changed for a while. Raises `TaskFailed` or `Interrupted`."""
        last = Duty.objects.get(name=self.name).position
        purges: deque[_Purge] = deque()  # to be repeated
        while purges or _revision() != last:
            if not may_go_on():
                raise Interrupted
            if (revision := _revision()) != last:
                keys = keys_of_change(_changed_tags(last, revision))
                purge(self._url, keys)
                purges.append(_Purge(revision, keys, time.monotonic()))
                last = revision
            while purges and time.monotonic() - purges[0].moment >= self._repetition:
                purge(self._url, purges[0].keys)
                self._record(purges.popleft().revision)
            time.sleep(min(POLL, self._repetition))

    def _record(self, revision: int) -> None:
        """Record that nothing up to a revision is to be purged again."""
        Duty.objects.filter(name=self.name).update(position=revision)
        leases.record_success(self.name)


def cache_purges() -> Iterator[CachePurge]:
    """Yield the task of each cache that the settings name."""
    return map(CachePurge, settings.PURGE_URLS)


def is_of_removed_cache(name: str) -> bool:
    """Return whether a duty was that of a cache which the settings no longer name."""
    return name.startswith(f"{NAME} ") and name not in {purge.name for purge in cache_purges()}


def waiting(duty: Duty | None) -> int:
    """Return how many revisions are to be purged; 1 if that is not known."""
    revision = _revision()
    if duty is None or duty.position is None or revision < duty.position:  # another database
        return 1
    return revision - duty.position


def _revision() -> int:
    return AnswerRevision.objects.get().number


def _changed_tags(before: int | None, after: int) -> Collection[str] | None:
    """Return the tags that changed from one revision to a later one; None if any may have."""
    if before is None or after <= before:
        return None
    rows = AnswerChange.objects.filter(number__gt=before, number__lte=after)
    changes = [json.loads(tags) for tags in rows.values_list("tags", flat=True)]
    tags = frozenset(chain.from_iterable(changes))
    is_known = len(changes) == after - before and all(changes) and len(tags) <= MAX_TAGS
    return tags if is_known else None


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
