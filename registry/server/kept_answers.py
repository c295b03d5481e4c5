"""Keeps answers of one process within a bound of memory, and forgets those of tags that change."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Mapping
from threading import Lock
from typing import NamedTuple

from registry.http.access_log import Answer
from registry.server.wsgi_calls import Response

MAX_REPEATED = 4096  # requests
MAX_CHANGED = 10_000  # tags whose last change is remembered, for answers that come later
TAG_OVERHEAD = 160  # bytes of each tag of an entry, roughly

# The parts of a request that its answer depends on: the path, the format, the scheme that a proxy
# reports, and `If-None-Match`. The last two are empty if there is none. Making a named tuple would
# take ten times as long.
Key = tuple[str, str, str, str]

# The method, path, query, host in the request line, number of headers, and those of a request that
# are readable, as received.
Request = tuple[str, str, str, str | None, int, tuple[tuple[str, str], ...]]


class Head(NamedTuple):
    """The values of a request that its answer and its record depend on."""

    key: Key
    address: str = ""  # of the client, as a proxy reports it
    request_id: str = ""  # from a proxy, if it is well-formed


class StoredAnswer(NamedTuple):
    """An answer, less its request id, and the memory that it takes."""

    response: Response
    etag: str
    answers: Mapping[str, Answer]  # as recorded, by method
    tags: frozenset[str] | None  # that it was read from; None: any change of a tag can change it
    size: int


# The response to a request without a request id, the answer as recorded, and the head.
Answered = tuple[Response, Answer, Head]


class KeptAnswers:
    """The answers that are true now, at most `max_bytes`; the least recently used make room.

    A client repeats its requests to the letter. Those that were answered find their entry without
    their headers being read; that does not count as its use, until another entry makes room.

    `moment` counts the changes. An answer belongs to the moment when its request arrived.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._lock = Lock()
        self._entries: OrderedDict[Key, StoredAnswer] = OrderedDict()
        self._keys: defaultdict[str, set[Key]] = defaultdict(set)  # of the entries of a tag
        self._untagged: set[Key] = set()
        self._size = 0
        self._changed: dict[str, int] = {}  # the moment of a tag's last change
        self._known_since = 0  # the moment from which on `_changed` is complete
        self._repeated: dict[Request, Answered] = {}
        self._requests: defaultdict[Key, list[Request]] = defaultdict(list)  # those of an entry
        self.moment = 0
        self.repeated = self._repeated.get  # the answer to a request that was answered before

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def size(self) -> int:
        """Return the bytes that the entries take, roughly."""
        return self._size

    def find(self, key: Key) -> StoredAnswer | None:
        """Return the entry of a key, which is now the most recently used."""
        with self._lock:
            entry = self._entries.get(key)
            if entry:
                self._entries.move_to_end(key)
            return entry

    def remember(self, request: Request, key: Key, answered: Answered) -> None:
        """Remember the answer to a request, for as long as the entry of the key is kept."""
        with self._lock:
            if key not in self._entries:
                return
            if len(self._repeated) >= MAX_REPEATED:
                self._repeated.clear()
                self._requests.clear()
            self._repeated[request] = answered
            self._requests[key].append(request)

    def put(self, key: Key, entry: StoredAnswer, moment: int) -> None:
        """Keep the answer to a request of a moment, unless one of its tags has changed since."""
        with self._lock:
            if not self._is_true(entry, moment):
                return
            self._remove(key)
            self._entries[key] = entry
            self._size += entry.size
            if entry.tags is None:
                self._untagged.add(key)
            for tag in entry.tags or ():
                self._keys[tag].add(key)
            while self._size > self._max_bytes:
                self._remove(next(iter(self._entries)))

    # Decision 158: a write forgets the answers of its tags, and no others.
    def forget(self, tags: Collection[str] | None) -> None:
        """Forget the answers that were read from tags that have changed; None: all answers."""
        with self._lock:
            self.moment += 1
            if tags is None or len(self._changed) + len(tags) > MAX_CHANGED:
                self._changed.clear()
                self._known_since = self.moment
            if tags is None:
                self._clear()
                return
            for tag in tags:
                self._changed[tag] = self.moment
                self._remove(*self._keys.get(tag, ()))
            self._remove(*self._untagged)

    def _is_true(self, entry: StoredAnswer, moment: int) -> bool:
        """Return whether an answer to a request of a moment is still true."""
        if moment == self.moment:
            return True
        if entry.tags is None or moment < self._known_since:
            return False
        return all(self._changed.get(tag, 0) <= moment for tag in entry.tags)

    def _clear(self) -> None:
        for entries in (self._entries, self._keys, self._untagged, self._repeated, self._requests):
            entries.clear()
        self._size = 0

    def _remove(self, *keys: Key) -> None:
        for key in keys:
            entry = self._entries.pop(key, None)
            if entry is None:
                continue
            self._size -= entry.size
            self._untagged.discard(key)
            for tag in entry.tags or ():
                self._keys[tag].discard(key)
                if not self._keys[tag]:
                    del self._keys[tag]
            for request in self._requests.pop(key, ()):
                self._repeated.pop(request, None)
