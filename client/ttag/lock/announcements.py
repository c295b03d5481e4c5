"""Announcements of newer versions for a lock: the move, and what its versions say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import quote

from ttag.errors import TtagError, attempt
from ttag.moves import Move
from ttag.project import Project
from ttag.registry.registry import Registry
from ttag.responses.tags import VersionSummary


@dataclass(frozen=True, slots=True)
class Announcement:
    """A move, and the versions after the old one up to the new one, the newest first.

    There are none if the reference is of another tag now, or if the registry does not list them, as
    a mirror does not. `page` is the address of a page that compares both.
    """

    move: Move
    versions: tuple[VersionSummary, ...] = ()
    page: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the move for programs, with its versions."""
        return self.move.as_json() | {"versions": [asdict(each) for each in self.versions]}


def announce(project: Project, moves: Sequence[Move]) -> list[Announcement]:
    """Return what is known about moves; each tag is asked for once.

    A move is known without its versions, where they cannot be read.
    """
    histories: dict[tuple[str, str], tuple[VersionSummary, ...]] = {}
    announcements = []
    for move in moves:
        registry, tag = project.source_of(move.reference), move.new.tag
        if not isinstance(registry, Registry):
            announcements.append(Announcement(move))
            continue
        key = registry.address, tag
        if key not in histories:
            versions = attempt(registry.versions, tag)
            histories[key] = () if isinstance(versions, TtagError) else versions
        pair = f"{move.old.tag}@{move.old.version}...{tag}@{move.new.version}"
        page = f"{registry.address}/diff/{quote(pair, safe='/:@.')}"
        announcements.append(Announcement(move, tuple(_passed(histories[key], move)), page))
    return announcements


def _passed(versions: Sequence[VersionSummary], move: Move) -> Iterator[VersionSummary]:
    if move.old.tag == move.new.tag:
        old, new = _number(move.old.version), _number(move.new.version)
        yield from (each for each in versions if old < _number(each.version) <= new)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
