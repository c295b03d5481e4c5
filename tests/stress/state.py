"""The state of a registry, as its API shows it."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from tests.stress.connection import Connection, Response
from tests.stress.digests import digest_of

BATCH = 500  # references per request; their resolutions stay below 8 MiB
ATTEMPTS = 10  # for a read; a worker may have been killed with the connection


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A version as listed, and the digest of the target that it resolves to."""

    reference: str
    digest: str
    computed: str
    message: str
    status: str = "active"


@dataclass(frozen=True, slots=True)
class StoredEvent:
    number: int
    action: str
    subject: str
    digest: str = ""


@dataclass(slots=True)
class State:
    """The rows that a registry has stored since the event `after`."""

    after: int = 0
    versions: dict[str, StoredVersion] = field(default_factory=dict)
    events: list[StoredEvent] = field(default_factory=list)
    proposals: dict[str, str] = field(default_factory=dict)  # the state of each by its number


def read_state(
    connection: Connection, tags: Iterable[str], proposals: Iterable[str], *, after: int
) -> State:
    """Read the versions of tags, the proposals, and the events after a number."""
    state = State(after=after)
    listed = [row for tag in tags for row in _pages(connection, f"/api/v1/versions/{tag}")]
    digests = resolve_all(connection, [row["reference"] for row in listed])
    for row in listed:
        reference = row["reference"]
        state.versions[reference] = StoredVersion(
            reference, row["digest"], digests.get(reference, ""), row["message"], row["status"]
        )
    state.events = read_events(connection, after=after)
    for number in proposals:
        response = until_answered(partial(connection.get, f"/api/v1/proposals/{number}"))
        if response.status == 200:
            state.proposals[number] = response.json()["state"]
    return state


def resolve_all(connection: Connection, references: list[str]) -> dict[str, str]:
    """Return the digest of each reference's target, computed from the target; unknown ones lack."""
    digests = {}
    for start in range(0, len(references), BATCH):
        batch = references[start : start + BATCH]
        request = partial(connection.post, "/api/v1/resolve", {"references": batch})
        response = until_answered(request)
        for reference, result in zip(batch, response.json()["results"], strict=True):
            if "target" in result:
                digests[reference] = digest_of(result["target"])
    return digests


def read_events(connection: Connection, *, after: int) -> list[StoredEvent]:
    """Read the events after a number."""
    return [
        StoredEvent(row["number"], row["action"], row["subject"], row["detail"].get("digest", ""))
        for row in _pages(connection, f"/api/v1/events?after={after}")
    ]


def until_answered(request: Callable[[], Response]) -> Response:
    """Send a read until it is answered. Raises `ConnectionError` after ten attempts."""
    for _ in range(ATTEMPTS):
        response = request()
        if response.status in {200, 404}:
            return response
        time.sleep(0.5)
    raise ConnectionError(f"a read was not answered: {response.status} {response.code}")


def _pages(connection: Connection, path: str | None) -> Iterator[dict[str, Any]]:
    while path:
        response = until_answered(partial(connection.get, path))
        if response.status == 404:
            return
        page = response.json()
        yield from page["results"]
        next_page = page["next"] and urlsplit(page["next"])
        path = next_page and f"{next_page.path}?{next_page.query}"
