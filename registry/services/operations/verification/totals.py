"""Checks of the running totals against a newly computed search index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Model

from registry.models import Counted, GroupTotal, Total, ValueTotal
from registry.services.operations.verification.findings import Finding, mismatch
from registry.services.search import totals
from registry.services.search.totals import Changes


def findings(expected: Changes) -> Iterator[Finding]:
    """Yield the totals that differ from those of the index, and of versions. Four queries."""
    distinct = Counter(option for option, _ in expected.values)
    expected.totals.update({(Counted.VALUES, name): count for name, count in distinct.items()})
    expected.totals.update(totals.version_counts().totals)
    yield from _findings(Total, totals.TOTAL, expected.totals)
    yield from _findings(ValueTotal, totals.VALUE, expected.values)
    yield from _findings(GroupTotal, totals.GROUP, expected.groups)


def _findings(
    model: type[Model], columns: tuple[str, ...], expected: Mapping[Any, int]
) -> Iterator[Finding]:
    rows = model._base_manager.values_list(*columns, "number")
    stored: dict[tuple[Any, ...], int] = {tuple(key): number for *key, number in rows}
    for key in sorted(stored.keys() | expected.keys()):
        actual, number = stored.get(key, 0), expected.get(key, 0)
        if actual != number:
            name = " ".join(filter(None, key))
            yield mismatch(model._meta.db_table, name, "number", actual, number)
