"""Adds releases to the lock file, and compares it with what is shipped."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from catalogue_tools.in_memory import InMemoryRegistry
from registry.services.catalogue.lock import UNRELEASED, Lock, LockedVersion, LockError, Release
from registry.services.core.shipped_facts import ShippedTag
from ttag_rules.pointer import natural_key

MIGRATIONS = Path(__file__).resolve().parents[1] / "registry" / "migrations"


def locked_versions(registry: InMemoryRegistry) -> list[LockedVersion]:
    """Return all versions, as a lock file has them."""
    return [
        LockedVersion(tag, version.number, version.digest)
        for tag, versions in registry.versions.items()
        for version in versions
    ]


def shipped_migrations() -> dict[str, str]:
    """Return the SHA-256 of each shipped migration, by name."""
    return {
        path.stem: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(MIGRATIONS.glob("[0-9]*.py"))
    }


def lock_problems(
    lock: Lock, shipped: Iterable[LockedVersion], migrations: Mapping[str, str]
) -> list[str]:
    """Return a sentence for each locked version or migration that is not shipped as locked.

    `migrations` holds the digests of the shipped ones by name.
    """
    digests = {(item.tag, item.number): item.digest for item in shipped}
    problems = [
        f"{item} is locked and no longer shipped."
        if (item.tag, item.number) not in digests
        else f"{item} has another target than the one that is locked."
        for item in lock.versions
        if digests.get((item.tag, item.number)) != item.digest
    ]
    changed = (name for name, digest in lock.migrations.items() if migrations.get(name) != digest)
    return problems + [
        f"The migration {name} is released: restore it, and add another one." for name in changed
    ]


def tags_of_release(lock: Lock, name: str, tags: Iterable[ShippedTag]) -> list[ShippedTag]:
    """Return the tags that a release had, with its versions. Raises `LockError` if there is none.

    Whether a tag is deprecated is as of today.
    """
    names = [release.name for release in lock.releases]
    if name not in names:
        raise LockError(f"{name} is no release in the lock file; expected {' or '.join(names)}.")
    counts = lock.counts()[names.index(name)]
    return [
        replace(tag, versions=tag.versions[: counts[tag.name]]) for tag in tags if counts[tag.name]
    ]


def extend_lock(
    lock: Lock, shipped: Sequence[LockedVersion], migrations: Mapping[str, str], name: str
) -> Lock:
    """Return the lock with a release of every shipped version and migration that it lacks.

    Raises `LockError` if one of those that it has is not shipped, or the release exists.
    """
    if problems := lock_problems(lock, shipped, migrations):
        raise LockError("\n".join(problems))
    if name in (UNRELEASED, *(release.name for release in lock.releases)):
        raise LockError(f"{name} cannot be the name of a new release.")
    locked = {str(version) for version in lock.versions}
    new = [version for version in shipped if str(version) not in locked]
    new.sort(key=lambda item: (natural_key(item.tag), item.number))
    added = {it: digest for it, digest in migrations.items() if it not in lock.migrations}
    return Lock((*lock.releases, Release(name, tuple(new), added)))
