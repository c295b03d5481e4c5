"""Which device of a machine runs which device's code: as many as code needs, each once."""

from __future__ import annotations

from collections.abc import Sequence

from ttag.compatibility.verdicts import ANSWERS, Answer, severity

MAX_DEVICES = 64  # of code or machine that are matched; servers have eight

Matching = tuple[int, ...]  # for each row, the column that it has


def best_matching(answers: Sequence[Sequence[Answer]]) -> Matching | None:
    """Return the matching whose worst answer is best; None if some row gets no column but by a no.

    Rows are devices that code needs, columns those of the machine.
    """
    for allowed in ANSWERS[: ANSWERS.index(Answer.NO)]:
        edges = [
            [place for place, answer in enumerate(row) if severity(answer) <= severity(allowed)]
            for row in answers
        ]
        if matching := _matching(edges):
            return matching
    return None


def _matching(edges: Sequence[Sequence[int]]) -> Matching | None:
    """Return a matching of all rows by augmenting paths; None if there is none."""
    owners: dict[int, int] = {}

    def place(row: int, seen: set[int]) -> bool:
        for column in edges[row]:
            if column in seen:
                continue
            seen.add(column)
            if column not in owners or place(owners[column], seen):
                owners[column] = row
                return True
        return False

    if not all(place(row, set()) for row in range(len(edges))):
        return None
    columns = {row: column for column, row in owners.items()}
    return tuple(columns[row] for row in range(len(edges)))
