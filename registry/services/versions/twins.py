"""Finds tags whose target is identical to that of another tag."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from registry.domain.errors import Fault
from registry.domain.reference import Tag as TagName
from registry.models import Tag, Version
from registry.models.combined_queries import rows_of_each

MAX_TWINS = 5
MAX_CANDIDATES = 1000  # versions of a target; one that more of them have is that of many tags


@dataclass(frozen=True, slots=True)
class TargetOfTag:
    """A target with the tag that it belongs to, and the exact references of its lineage."""

    digest: str
    tag: TagName
    ancestors: Sequence[str]

    @property
    def names(self) -> frozenset[str]:
        """The tags of the lineage, itself included."""
        return frozenset({str(self.tag), *_tags(self.ancestors)})


def find_twins(targets: Sequence[TargetOfTag]) -> list[list[Fault]]:
    """Return the lint `TWIN` of each target, or none: at most one each.

    Variants of the target's name and tags of its family do not count: two tags are of one family
    if their lineages, themselves included, share a tag that is one. A target that more than 1,000
    versions have draws no lint. One query; two if targets with shared ancestors are equal.
    """
    by_digest = _candidates({target.digest for target in targets})
    candidates = [
        {
            tag: names & target.names
            for tag, names in by_digest.get(target.digest, {}).items()
            if tag.partition(":")[0] != target.tag.name
        }
        for target in targets
    ]
    families = _families(
        {name for tags in candidates for shared in tags.values() for name in shared}
    )
    return [
        _twin_lint(tag for tag, shared in tags.items() if not shared & families)
        for tags in candidates
    ]


def _candidates(digests: set[str]) -> dict[str, dict[str, frozenset[str]]]:
    """Return the tags of lineages, by digest and by the tag that has the target."""
    wanted = sorted(digests)
    candidates: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    for digest, rows in zip(
        wanted, rows_of_each([_versions(each) for each in wanted]), strict=True
    ):
        if len(rows) > MAX_CANDIDATES:
            continue
        for tag, lineage in rows:
            names = candidates[digest].get(tag, frozenset({tag}))
            candidates[digest][tag] = names | frozenset(_tags(json.loads(lineage)))
    return candidates


def _versions(digest: str) -> QuerySet[Version, Any]:
    """Select tag and lineage of the versions with a digest, one more than are compared."""
    rows = Version.objects.filter(digest=digest).order_by()
    return rows.values_list("tag__text", "lineage")[: MAX_CANDIDATES + 1]


def _families(names: Set[str]) -> frozenset[str]:
    """Return the tags that are families. One query, none without names."""
    rows = Tag.objects.filter(text__in=names, is_family=True)
    return frozenset(rows.values_list("text", flat=True))


def _tags(references: Iterable[str]) -> Iterable[str]:
    return (exact.partition("@")[0] for exact in references)


def _twin_lint(tags: Iterable[str]) -> list[Fault]:
    """Return a lint that names tags with the same target, unless they are many."""
    twins = tuple(sorted(tags))
    # Decision 011: a target that many tags share is that of a generation.
    if not 0 < len(twins) <= MAX_TWINS:
        return []
    names = ", ".join(twins)
    message = f"the target is identical to that of {names}"
    return [Fault("", "TWIN", message, "a target of its own, or an alias", names, twins)]
