"""Lints of a target, with equal ones of several devices taken together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from registry.domain.errors import Fault


def group_lints(lints: Iterable[Fault]) -> list[tuple[Fault, list[str]]]:
    """Return the lints that differ by more than their pointers, each with all its pointers.

    A lint of the whole target has no pointers.
    """
    groups: dict[Fault, list[str]] = defaultdict(list)
    for lint in lints:
        groups[replace(lint, pointer="")].append(lint.pointer)
    return [(lint, [pointer for pointer in group if pointer]) for lint, group in groups.items()]
