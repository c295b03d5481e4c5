"""All tags whose machine runs code for a target, or whose code runs on its machine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from registry.models import Entry
from registry.services.search import query_parameters, searching
from registry.services.search.search_query import SearchQuery
from registry.services.versions.compatibility import Side
from registry.services.versions.relevant_parts import RELEVANT_PARTS
from ttag_rules.compatibility.options import Options
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer, Verdict

# Tags of one request: each target is read once in a process, 0.1 ms, and many share a verdict.
MAX_JUDGED = 10_000
# Of the list of tags: rows are in the order of names, and a search ranks them.
FILTERS = query_parameters.PARAMETERS - {"q", query_parameters.TYPING, "sort"}


class Direction(StrEnum):
    """Which side of the question the tags of a list are."""

    MACHINES = "machines"  # they run the code
    TARGETS = "targets"  # their code runs


@dataclass(frozen=True, slots=True)
class Runner:
    """A tag of a list, with the verdict about it."""

    entry: Entry
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Runners:
    """A page of tags. `judged` of them were compared; `next_key` is None on the last page.

    A page can be short, or empty, and not the last.
    """

    side: Side
    rows: tuple[Runner, ...]
    next_key: list[Any] | None
    judged: int


def find_runners(
    side: Side,
    direction: Direction,
    query: SearchQuery,
    *,
    answers: frozenset[Answer],
    options: Options,
    after: Sequence[Any] | None = None,
) -> Runners:
    """Return a page of the tags that filters admit and whose verdict is one of `answers`, by name.

    Takes two queries, and those that read targets for the first time. Raises `Refused` as a
    search does.
    """
    start = str(after[0]) if after else ""
    names = searching.newest_digests(query, start, MAX_JUDGED + 1)
    parts = RELEVANT_PARTS.of([digest for _, digest in names[:MAX_JUDGED]])
    chosen, judged = [], 0
    verdicts: dict[str, Verdict] = {}
    for (name, _), part in zip(names, parts, strict=False):
        judged += 1
        if part not in verdicts:
            verdicts[part] = _verdict(side, direction, json.loads(part), options)
        if verdicts[part].answer in answers:
            chosen.append((name, verdicts[part]))
        if len(chosen) == query.page_size:
            break
    last = names[judged - 1][0] if judged else ""
    next_key = [last] if judged < len(names) else None
    return Runners(side, tuple(_runners(chosen)), next_key, judged)


def _verdict(
    side: Side, direction: Direction, target: Mapping[str, Any], options: Options
) -> Verdict:
    if direction is Direction.MACHINES:
        return verdict(side.target, target, options)
    return verdict(target, side.target, options)


def _runners(chosen: Sequence[tuple[str, Verdict]]) -> Iterator[Runner]:
    names = [name for name, _ in chosen]
    entries = Entry.objects.filter(text__in=names).with_version()
    by_name = {entry.text: entry for entry in entries}
    for name, result in chosen:
        if name in by_name:
            yield Runner(by_name[name], result)
