"""Which device of a machine runs which device's code: as many as code needs, each once."""

from __future__ import annotations

from collections.abc import Sequence

from ttag_rules.compatibility.verdicts import ANSWERS, Answer, severity

MAX_DEVICES = 64  # of code or machine that are matched; servers have eight

Matching = tuple[int, ...]  # for each row, the column that it has


def best_matching(answers: Sequence[Sequence[Answer]]) -> Matching | None:
    """Return the matching whose worst answer is best; None if some row gets no column but by a no.

    Rows are devices that code needs, columns those of the machine.
    """
    for allowed in ANSWERS[: ANSWERS.index(Answer.NO)]:
        columns = _largest_matching(answers, allowed)
        if len(columns) == len(answers):
            return tuple(columns[row] for row in range(len(answers)))
    return None


def matching_size(answers: Sequence[Sequence[Answer]]) -> int:
    """Return how many rows get a column at once, each by an answer other than no."""
    return len(_largest_matching(answers, Answer.UNKNOWN))


def _largest_matching(answers: Sequence[Sequence[Answer]], allowed: Answer) -> dict[int, int]:
    """Return the columns of as many rows as can have one, by augmenting paths."""
    edges = [
        [place for place, answer in enumerate(row) if severity(answer) <= severity(allowed)]
        for row in answers
    ]
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

    for row in range(len(edges)):
        place(row, set())
    return {row: column for column, row in owners.items()}
