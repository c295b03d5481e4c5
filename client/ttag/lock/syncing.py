"""Moving locked targets to the newest versions that their references admit."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from ttag.files import exclusive
from ttag.lock.fetching import export_each, resolve_each, seen_logs
from ttag.lock.format import LockedTarget
from ttag.lock.lock import Lock, write_lock
from ttag.moves import Move, find_move
from ttag.project import Project
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
        chosen = {name: lock.target(name) for name in references} or dict(lock.targets)
        newest = resolve_each(project, {name: name for name in chosen})
        moved = {name: newest[name] for name in chosen if _has_moved(chosen[name], newest[name])}
        moves = [
            find_move(project.source_of(name), name, chosen[name].resolution, resolution)
            for name, resolution in moved.items()
        ]
        if not dry_run:
            formats = {name: _formats(project, chosen[name]) for name in moved}
            fetched = export_each(project, moved, formats)
            targets = {**lock.targets, **fetched}
            logs = seen_logs(project, lock.content, targets, fetched)
            write_lock(path, targets.values(), logs)
    return moves


def _has_moved(target: LockedTarget, newest: Resolution) -> bool:
    if target.resolution.exact != newest.exact:
        target.verify_tag(newest)
        return True
    target.verify(newest)
    return False


def _formats(project: Project, target: LockedTarget) -> frozenset[str]:
    return frozenset({*project.settings.formats, *target.exports})
