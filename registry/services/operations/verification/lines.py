"""Checks of what numbers promise: `@1` keeps tuning records, and `@1.2` the build key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, groupby, pairwise
from operator import attrgetter
from typing import Any

from django.db.models import Max

from registry.domain.versioning import lost_keys, lost_preimages
from registry.models import KindRevision, Version
from registry.services.kinds import kinds
from registry.services.operations.verification import Finding, Progress, in_batches, mismatch
from registry.services.operations.verification.versions import UNREADABLE
from ttag_rules.version_number import VersionNumber

TABLE = Version._meta.db_table
BATCH = 50  # pairs whose targets, at most 256 KiB each, are in memory at a time
COLUMNS = (
    "tag__text",
    "pk",
    "major",
    "minor",
    "patch",
    "kind",
    "build_digest",
    "tuning_keys",
    "is_host_dependent",
    "published",
    "last_yanked",
)


def _exact(row: Any) -> str:
    return f"{row.tag__text}@{VersionNumber(row.major, row.minor, row.patch)}"


def _name(row: Any) -> str:
    return f"{row.pk} {_exact(row)}"


def findings(progress: Progress) -> Iterator[Finding]:
    """Yield versions that break the promises of their MAJOR or MINOR.

    Releases before 0.2 could leave such versions active: yank one of the two. Takes two queries,
    one per 500 versions, and one per 50 pairs with a leaf that has no key.
    """
    versions = Version.objects.with_withdrawal().order_by("tag", "major", "minor", "patch")
    batches = in_batches(versions.values_list(*COLUMNS, named=True), progress)
    unkeyed: list[tuple[Any, Any]] = []
    for _, line in groupby(chain.from_iterable(batches), key=attrgetter("tag__text", "major")):
        major = list(line)
        yield from _changed_builds(major)
        for lower, higher in pairwise(row for row in major if not row.last_yanked):
            yield from _lost_records(lower, higher)
            if lower.is_host_dependent:
                unkeyed.append((lower, higher))
    yield from _lost_preimages(unkeyed)


def _changed_builds(major: list[Any]) -> Iterator[Finding]:
    """Yield versions whose build is not that of the first of their MINOR, yanked or not."""
    for _, line in groupby(major, key=attrgetter("minor")):
        first, *others = line
        for other in others:
            if other.build_digest != first.build_digest:
                actual, expected = other.build_digest, first.build_digest
                by = f"as {_exact(first)} has,"
                yield mismatch(TABLE, _name(other), "build_digest", actual, expected, by=by)


def _lost_records(lower: Any, higher: Any) -> Iterator[Finding]:
    """Yield a finding if one of two neighbours lacks a key of the other, or only one is a mixin."""
    if bool(lower.kind) != bool(higher.kind):
        words = "a target", "a mixin"
        problem, expected = words if higher.kind else reversed(words)
        yield _broken(higher, f"it is {problem}", f"{expected}, as {_exact(lower)}")
        return
    try:
        lost = lost_keys(json.loads(lower.tuning_keys), json.loads(higher.tuning_keys))
    except UNREADABLE:
        return  # already reported as not canonical
    if lost:
        yield _lacking(lower, higher, sorted(lost.elements()))


def _lost_preimages(pairs: list[tuple[Any, Any]]) -> Iterator[Finding]:
    """Yield neighbours of which one lacks a leaf of the other that has no key.

    Only those published since the last revision of any kind: they were compared under today's.
    """
    revised = KindRevision.objects.aggregate(Max("created"))["created__max"]
    recent = [pair for pair in pairs if all(row.published >= revised for row in pair)]
    for start in range(0, len(recent), BATCH):
        batch = recent[start : start + BATCH]
        pks = {row.pk for pair in batch for row in pair}
        targets = dict(Version.objects.filter(pk__in=pks).values_list("pk", "target"))
        for lower, higher in batch:
            try:
                old, new = (json.loads(targets[row.pk]) for row in (lower, higher))
                lost = lost_preimages(old, new, kinds.current_kinds().kinds)
                keyed = lost_keys(json.loads(lower.tuning_keys), json.loads(higher.tuning_keys))
            except UNREADABLE:
                continue  # already reported as not canonical
            if rest := lost - keyed:
                yield _lacking(lower, higher, sorted(rest.elements()))


def _lacking(lower: Any, higher: Any, lost: list[str]) -> Finding:
    return _broken(
        higher, f"it lacks tuning records: {', '.join(lost)}", f"those of {_exact(lower)}"
    )


def _broken(row: Any, problem: str, expected: str) -> Finding:
    return Finding(TABLE, _name(row), problem, f"{expected}; yank one of the two", is_damage=False)
