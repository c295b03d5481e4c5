"""The lock file: the number and digest of every released version, and the released migrations.

It has a block for each release, which later releases do not touch.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from registry.services.core import shipped_facts
from ttag_rules.version_number import VersionNumber

# Decision 075: released versions are locked, because the generator's output moves.
LOCK = "lock.json"
UNRELEASED = "unreleased"


@dataclass(frozen=True, slots=True)
class LockedVersion:
    """A version of a tag, with the digest of its target."""

    tag: str
    number: VersionNumber
    digest: str

    def __str__(self) -> str:
        return f"{self.tag}@{self.number}"


@dataclass(frozen=True, slots=True)
class Release:
    """The versions that a release added, and the digest of each migration that it added."""

    name: str
    versions: tuple[LockedVersion, ...]
    migrations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lock:
    """The releases, oldest first."""

    releases: tuple[Release, ...] = ()

    @property
    def release(self) -> str:
        return self.releases[-1].name if self.releases else UNRELEASED

    @property
    def versions(self) -> list[LockedVersion]:
        return [version for release in self.releases for version in release.versions]

    @property
    def migrations(self) -> dict[str, str]:
        """Return the digests of all released migrations, by name."""
        return {name: digest for it in self.releases for name, digest in it.migrations.items()}

    def counts(self) -> list[Counter[str]]:
        """Return how many versions each tag had with each release."""
        totals: list[Counter[str]] = []
        for release in self.releases:
            before = totals[-1] if totals else Counter[str]()
            totals.append(before + Counter(version.tag for version in release.versions))
        return totals


class LockError(ValueError):
    """The lock file and the catalogue contradict each other. Its text has a line per problem."""


def read_lock() -> Lock:
    """Return the released versions. Raises `LockError` if the file was damaged."""
    path = shipped_facts.CATALOGUE / LOCK
    return parse_lock(path.read_text(encoding="utf-8")) if path.exists() else Lock()


def lock_text(lock: Lock) -> str:
    """Return the text of the file, which counts and digests the lines of each release."""
    blocks = ",\n".join(map(_block, lock.releases))
    return f'{{"release": {json.dumps(lock.release)},\n"releases": [{blocks}]}}\n'


@lru_cache(maxsize=1)  # 0.2 s for all versions
def parse_lock(text: str) -> Lock:
    """Return the content of the file.

    Raises `LockError` if its lines are not those that were counted, so that none can vanish or
    change by accident.
    """
    content = json.loads(text)
    releases = (
        Release(block["release"], tuple(map(_locked, block["versions"])), block["migrations"])
        for block in content["releases"]
    )
    lock = Lock(tuple(releases))
    if lock_text(lock) != text:
        raise LockError(f"The lines of {LOCK} are not those that it counts: restore the file.")
    return lock


def _block(release: Release) -> str:
    lines = [json.dumps([item.tag, str(item.number), item.digest]) for item in release.versions]
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    header = json.dumps({"release": release.name, "count": len(lines), "sha256": digest})
    migrations = json.dumps(release.migrations)
    return (
        f'\n{header[:-1]},\n"migrations": {migrations},\n"versions": [\n'
        + ",\n".join(lines)
        + "\n]}"
    )


def _locked(line: Sequence[str]) -> LockedVersion:
    tag, number, digest = line
    return LockedVersion(tag, VersionNumber.parse(number), digest)
