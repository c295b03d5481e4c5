"""Moving locked targets to the newest versions that their references admit."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from ttag.files import exclusive
from ttag.lock.content import LockedTarget
from ttag.lock.fetching import export_each, narrow_each, resolve_each, seen_logs
from ttag.lock.lock import Lock, write_lock
from ttag.moves import Move, find_move
from ttag.project import Project
from ttag.references import whole_of
from ttag.resolution import Resolution


def sync_targets(
    project: Project, references: Sequence[str] = (), *, dry_run: bool = False
) -> list[Move]:
    """Move all locked targets, or those of some references, and return what each move means.

    Exact references stay; they are asked for as well, to warn of yanks. If `dry_run`, nothing is
    written. Raises `TtagError`, and then changes nothing.
    """
    path, project = project.settings.lock, project.without_cache()
    with nullcontext() if dry_run else exclusive(path):
        lock = Lock.read(path)
        project = project.knowing(lock.content)
        chosen = _choose(lock, references)
        newest = resolve_each(project, {name: whole_of(name) for name in chosen})
        moved = {name: newest[name] for name in chosen if _has_moved(chosen[name], newest[name])}
        moves = [
            find_move(project.source_of(name), name, chosen[name].answer, resolution)
            for name, resolution in narrow_each(project, moved).items()
        ]
        if not dry_run:
            own = frozenset(project.settings.formats)
            formats = {name: own | chosen[name].exports.keys() for name in moved}
            fetched = export_each(project, moved, formats)
            targets = {**lock.targets, **fetched}
            logs = seen_logs(project, lock.content, targets, fetched)
            write_lock(path, targets.values(), logs)
    return moves


def _choose(lock: Lock, references: Sequence[str]) -> dict[str, LockedTarget]:
    """Return the locked targets of references, with their nodes: they keep one version.

    All of them without references. Raises `NotLocked`.
    """
    if not references:
        return dict(lock.targets)
    wholes = {lock.target(reference).whole_reference for reference in references}
    return {
        name: target for name, target in lock.targets.items() if target.whole_reference in wholes
    }


def _has_moved(target: LockedTarget, newest: Resolution) -> bool:
    if target.resolution.exact != newest.exact:
        target.verify_tag(newest)
        return True
    target.verify(newest)
    return False
