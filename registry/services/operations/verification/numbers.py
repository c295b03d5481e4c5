"""Checks of sequences: versions of a tag, revisions of a kind, withdrawals in order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Model

from registry.domain.document import digest
from registry.domain.version_number import FIRST_NUMBER
from registry.models import Deprecation, KindRevision, ProposalRevision, Turn, Version, Withdrawal
from registry.services.operations.verification import Finding, Progress, in_batches, mismatch
from ttag_rules.version_number import VersionNumber

COUNTED: tuple[tuple[type[Model], str, str], ...] = (
    (Withdrawal, "version", "sequence"),
    (Deprecation, "tag", "sequence"),
    (KindRevision, "kind", "number"),
    (ProposalRevision, "proposal", "number"),
    (Turn, "proposal", "sequence"),
)


def findings(progress: Progress) -> Iterator[Finding]:
    """Yield the findings of sequences. One query for versions, and one for each other table."""
    light = Version.objects.order_by("tag", "pk").select_related("tag")
    columns = light.values_list("tag__text", "pk", "major", "minor", "patch")
    rows = (row for batch in in_batches(columns, progress) for row in batch)
    for tag, versions in groupby(rows, key=itemgetter(0)):
        yield from _wrong_numbers(tag, versions)
    for model, within, column in COUNTED:
        yield from _gaps(model, within, column)
    for revision in KindRevision.objects.select_related("kind").iterator(chunk_size=100):
        expected = digest(revision.source.encode())
        if revision.digest != expected:
            row = f"{revision.pk} {revision}"
            yield mismatch(KindRevision._meta.db_table, row, "digest", revision.digest, expected)


def _wrong_numbers(tag: str, versions: Iterator[Any]) -> Iterator[Finding]:
    """Yield versions of a tag whose number does not follow from the earlier ones."""
    taken: set[VersionNumber] = set()
    for _, pk, *parts in versions:
        number = VersionNumber(*parts)
        expected = _next(number, taken)
        if number != expected:
            row = f"{pk} {tag}@{number}"
            yield mismatch(Version._meta.db_table, row, "number", str(number), str(expected))
        taken.add(number)


def _next(number: VersionNumber, taken: set[VersionNumber]) -> VersionNumber:
    """Return the number that would follow in the same major and minor line."""
    if not taken:
        return FIRST_NUMBER
    minors = [other.minor for other in taken if other.major == number.major]
    patches = [other.patch for other in taken if other.parts[:2] == number.parts[:2]]
    if patches:
        return VersionNumber(number.major, number.minor, max(patches) + 1)
    if minors:
        return VersionNumber(number.major, max(minors) + 1, 0)
    return VersionNumber(max(other.major for other in taken) + 1, 0, 0)


def _gaps(model: type[Model], within: str, column: str) -> Iterator[Finding]:
    """Yield rows that are not numbered 1, 2, 3 ... within their owner."""
    rows = model._base_manager.order_by(within, column).values_list("pk", within, column)
    last: tuple[Any, int] = (None, 0)
    for pk, owner, number in rows.iterator(chunk_size=2000):
        expected = last[1] + 1 if owner == last[0] else 1
        if number != expected:
            yield mismatch(model._meta.db_table, str(pk), column, number, expected)
        last = owner, number
