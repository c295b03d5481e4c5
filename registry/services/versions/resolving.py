"""Resolving is a look-up: find the version, return the stored text. Two queries, always."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from django.db.models import F

from registry.domain.closed_nodes import ClosedNode, close_node
from registry.domain.document import Json, canonical, digest
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.models import Tag, Version
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from registry.services.versions import selection
from registry.services.versions.selection import SelectedVersion

MAX_RESPONSE_SIZE = 8 * 1024 * 1024  # bytes of one answer, however many references it is about

ACTIVE, YANKED, DEPRECATED = "active", "yanked", "deprecated"


@dataclass(frozen=True, slots=True)
class ResolutionWarning:
    """What has become of a version, its tag or its ancestors since it was published."""

    code: str
    message: str
    successor: str | None = None  # the tag that supersedes a deprecated one


@dataclass(frozen=True, slots=True)
class ResolvedReference:
    """A resolved reference: stored text, and what has become of the version since."""

    reference: Reference
    exact: str
    is_alias: bool
    is_floating: bool
    version: Version
    part: ClosedNode | None = None  # the node asked for, where it is not the whole

    @property
    def target(self) -> str:
        """Canonical text: that of the version, or of the node asked for."""
        return canonical(self.part.target).decode() if self.part else self.version.target

    @property
    def digest(self) -> str:
        """Over the bytes of `target`."""
        return digest(self.target.encode()) if self.part else self.version.digest

    @property
    def tuning_keys(self) -> str:
        """Those of the leaves of `target`, as they are in the whole document."""
        known = self.version.tuning_keys
        return _text(self.part.within(json.loads(known))) if self.part else known

    @property
    def dependencies(self) -> str:
        """What the target uses directly, by pointers into it."""
        known = self.version.dependencies
        if self.part is None:
            return known
        placed = [(use, self.part.place(use["pointer"])) for use in json.loads(known)]
        return _text([{**use, "pointer": place} for use, place in placed if place is not None])

    @property
    def status(self) -> str:
        """`active`, `yanked` (the version) or `deprecated` (the tag)."""
        if self.version.last_yanked:
            return YANKED
        return DEPRECATED if self.version.tag_deprecated else ACTIVE

    @property
    def warnings(self) -> list[ResolutionWarning]:
        """Warnings for clients that resolve this reference."""
        version, found = self.version, []
        if version.last_yanked:
            message = f"{self.exact} was yanked: {version.last_reason}"
            found.append(ResolutionWarning("YANKED", message))
        if version.tag_deprecated:
            message = f"{version.tag} is deprecated: {version.tag_deprecation}"
            found.append(ResolutionWarning("DEPRECATED", message, version.tag_successor))
        if version.yanked_ancestors:
            yanked = version.yanked_ancestors.split()
            for ancestor in filter(yanked.__contains__, json.loads(version.lineage)):
                message = f"it is made from {ancestor}, which was yanked"
                found.append(ResolutionWarning("PARENT_YANKED", message))
        return found

    @property
    def node(self) -> Self | None:
        """Itself, where a node is asked for: `part` and `version` say which, and of what."""
        return self if self.part else None


def resolve(reference: Reference) -> ResolvedReference:
    """Resolve one reference. Raises `Refused` with near tags or the versions there are."""
    choice = selection.select_one(reference)
    return _answer(choice, _whole({choice.version.pk})[choice.version.pk])


def select_node(answer: ResolvedReference, pointer: str) -> ResolvedReference:
    """The same answer for one node of its target. Raises `Refused` (NODE_UNKNOWN)."""
    return replace(answer, part=close_node(json.loads(answer.version.target), pointer))


def resolve_all(texts: Sequence[str]) -> list[ResolvedReference | Refused]:
    """Resolve any number of references, in their order; what answers none says why.

    Two queries. Refusals name no near tags. Raises `Refused` (TOO_LARGE) before anything is
    loaded where the targets alone would pass `MAX_ANSWER`.
    """
    parsed = {text: _parsed(text) for text in dict.fromkeys(texts)}
    choices = selection.select_all([r for r in parsed.values() if isinstance(r, Reference)])
    chosen = {
        text: choices[str(reference)] if isinstance(reference, Reference) else reference
        for text, reference in parsed.items()
    }
    refuse_too_large(
        sum(
            choice.version.size
            for text in texts
            if isinstance(choice := chosen[text], SelectedVersion)
        )
    )
    pks = {choice.version.pk for choice in chosen.values() if isinstance(choice, SelectedVersion)}
    whole = _whole(pks) if pks else {}
    answers = {
        text: _answer(choice, whole[choice.version.pk])
        if isinstance(choice, SelectedVersion)
        else choice
        for text, choice in chosen.items()
    }
    return [answers[text] for text in texts]


def refuse_too_large(size: int) -> None:
    """Raise `Refused` (TOO_LARGE) where one answer would have too many bytes."""
    if size > MAX_RESPONSE_SIZE:
        raise Refused(
            Code.TOO_LARGE,
            f"The answer would have {size} bytes or more: at most {MAX_RESPONSE_SIZE}. Ask for "
            "fewer references at once.",
        )


def _parsed(text: str) -> Reference | Refused:
    try:
        return Reference.parse(text)
    except Refused as refusal:
        return refusal


def _answer(choice: SelectedVersion, version: Version) -> ResolvedReference:
    return ResolvedReference(
        choice.reference, choice.exact, choice.is_alias, choice.is_floating, version
    )


def find_target(digest: str) -> str:
    """The target of a digest: exactly the digested text. Raises `Refused` (DIGEST_UNKNOWN)."""
    targets = Version.objects.filter(digest=digest).values_list("target", flat=True)
    target = targets.first()
    if target is None:
        raise Refused(Code.DIGEST_UNKNOWN, f"No version has the digest {digest}.")
    return target


_with_all: PreparedQuery[Any] = PreparedQuery(  # versions, with the text of their tag
    lambda: (
        Version.objects.filter(pk__among=PLACEHOLDER)
        .as_resolved()
        .annotate(tag_text=F("tag__text"))
        .defer("source", "provenance", "message", "sources")
    )
)


def _whole(versions: Collection[int]) -> dict[int, Version]:
    """Versions with all that a resolution says of them, by their primary keys. One query."""
    found = {version.pk: version for version in _with_all(versions)}
    for version in found.values():
        version.tag = Tag.from_row(version.tag_id, version.tag_text)
    return found


def _text(value: Json) -> str:
    return canonical(value).decode()
