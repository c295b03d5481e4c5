"""Which lane a request takes: builds, pages, previews, sign-ins and writes share no threads."""

from __future__ import annotations

from enum import StrEnum
from math import inf
from typing import NamedTuple

from registry.http.access_log import PROBES
from registry.http.names import SAFE_METHODS


class LaneName(StrEnum):
    """A lane of requests that cost about the same and are awaited by the same people."""

    RESOLVE = "resolve"  # what builds, mirrors and browsers load: some milliseconds each
    PAGE = "page"  # other reads, of people and robots
    PREVIEW = "preview"  # reads that compute much: checks with impact, lists of verdicts
    ACCOUNT = "account"  # forms with passwords: each is hashed, which takes half a second
    PROVIDER = "provider"  # sign-ins by the identity provider, which may take seconds to answer
    WRITE = "write"


# Decision 181: others can compute meanwhile. Writes are counted, and resolves are cheap.
PACED = frozenset({LaneName.PAGE, LaneName.PREVIEW})
WRITING = frozenset({LaneName.ACCOUNT, LaneName.PROVIDER, LaneName.WRITE})


class LaneLimits(NamedTuple):
    """The threads of a lane in each process, and the requests that may wait for one.

    Of those that run or wait, a network has at most `max_of_network`: others find a place, and wait
    no longer than these take. The queries of a request end after `seconds`.
    """

    threads: int
    max_waiting: int
    max_of_network: int
    seconds: float


# Decision 153: readers of pages take no thread of a build. A second thread for pages would show no
# more of them in the same time, because Python runs one at a time, and would delay resolves.
# Decision 062: few threads wait for the write lock; one computes while another holds it.
LIMITS = {
    LaneName.RESOLVE: LaneLimits(threads=3, max_waiting=1024, max_of_network=512, seconds=10),
    LaneName.PAGE: LaneLimits(threads=1, max_waiting=256, max_of_network=64, seconds=15),
    LaneName.PREVIEW: LaneLimits(threads=1, max_waiting=32, max_of_network=8, seconds=20),
    # Decision 161: no publication waits for people who sign in. Two a second.
    LaneName.ACCOUNT: LaneLimits(threads=1, max_waiting=32, max_of_network=16, seconds=inf),
    # Decision 187: nobody else waits for the provider.
    LaneName.PROVIDER: LaneLimits(threads=2, max_waiting=16, max_of_network=8, seconds=inf),
    # Ten a second: the last one waits for some seconds, and for the write lock at most 20 more.
    LaneName.WRITE: LaneLimits(threads=2, max_waiting=64, max_of_network=32, seconds=inf),
}
THREADS = sum(limits.threads for limits in LIMITS.values())  # of a process

ACCOUNT_FOLDER = "/accounts/"
PROVIDER_FOLDER = "/accounts/provider/login/"

RESOLVING_POSTS = frozenset({"/api/v1/resolve"})
RESOLVING_READS = PROBES | {"/api/v1/events"}
RESOLVING_FOLDERS = ("/api/v1/resolve/", "/api/v1/digests/", "/api/v1/log/", "/static/")

# POST because of their body: nothing is written.
PREVIEWING_POSTS = frozenset(
    {"/api/v1/check", "/api/v1/identify", "/api/v1/baseline", "/api/v1/runs-on", "/identify"}
)
PREVIEWING_FOLDERS = ("/api/v1/dependents/", "/api/v1/runs-on/", "/runs-on/")


def lane_of(method: str, path: str) -> LaneName:
    """Return the lane of a request, by its method and decoded path."""
    if path.startswith(PROVIDER_FOLDER):
        return LaneName.PROVIDER
    if method in SAFE_METHODS:
        return _lane_of_read(path)
    if path in RESOLVING_POSTS:
        return LaneName.RESOLVE
    if path in PREVIEWING_POSTS:
        return LaneName.PREVIEW
    return LaneName.ACCOUNT if path.startswith(ACCOUNT_FOLDER) else LaneName.WRITE


def _lane_of_read(path: str) -> LaneName:
    if path in RESOLVING_READS or path.startswith(RESOLVING_FOLDERS):
        return LaneName.RESOLVE
    return LaneName.PREVIEW if path.startswith(PREVIEWING_FOLDERS) else LaneName.PAGE
