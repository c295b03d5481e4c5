"""A lock with the conflicts of a merge: both sides are valid locks, so they can be united."""

from __future__ import annotations

from pathlib import Path

from ttag.lock.content import LockContent
from ttag.lock.format import has_conflicts, parse
from ttag.lock.lock import read_content, read_text
from ttag.log.history import require_one_history


def read_merged(path: Path) -> LockContent:
    """Return the targets of a lock file, and if it has conflicts, those of both sides.

    A target that both sides lock differently is a fault. Logs that they have seen at different
    times are all returned: a registry proves whether one continues the other. Raises `FileError`,
    and `Tampered` if it has shown two histories of one length.
    """
    text = read_text(path)
    if not has_conflicts(text):
        return read_content(path)
    ours, theirs = (parse(side, path) for side in split_sides(text))
    targets = {**theirs.targets, **ours.targets}
    faults = {**theirs.faults, **ours.faults}
    for reference in ours.targets.keys() & theirs.targets:
        one, other = ours.targets[reference], theirs.targets[reference]
        if one != other:
            faults[reference] = (
                "both sides of the merge lock it differently, at "
                f"{one.resolution.exact} and {other.resolution.exact}"
            )
    sound = {name: target for name, target in targets.items() if name not in faults}
    logs = tuple(dict.fromkeys((*ours.logs, *theirs.logs)))
    require_one_history(logs)
    return LockContent(sound, faults, logs, {**theirs.log_faults, **ours.log_faults})


def split_sides(text: str) -> tuple[str, str]:
    """Return what a file would be if all conflicts were decided for one side, and for the other."""
    sides: dict[str, list[str]] = {"<": [], ">": []}
    current = "<>"
    for line in text.splitlines(keepends=True):
        match line[:7]:
            case "<<<<<<<":
                current = "<"
            case "|||||||" if current == "<":
                current = ""  # the common ancestor, with merge.conflictStyle=diff3
            case "=======" if current in {"<", ""}:
                current = ">"
            case ">>>>>>>":
                current = "<>"
            case _:
                for side in current:
                    sides[side].append(line)
    return "".join(sides["<"]), "".join(sides[">"])
