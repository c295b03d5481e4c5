"""Resolves references: selects the version and returns its stored text.

That takes one query for the newest version of a tag, two for an exact reference, three for others.
Another one reads the reasons, if a version is yanked or its tag is deprecated, and one the
accelerators of a family.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from registry.domain.closed_nodes import close_node
from registry.domain.document import Json, canonical, digest
from registry.domain.errors import Code, Refused
from registry.domain.keys.build_key import Build, compute_node_build
from registry.domain.reference import Reference
from registry.models import Entry, Status, Version
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from registry.services.core.memory_cache import cache
from registry.services.kinds import kinds
from registry.services.versions import selection
from registry.services.versions.selection import SelectedVersion
from ttag_rules.closed_nodes import ClosedNode

MIN_CACHED_SIZE = 8 * 1024  # bytes; of less, nodes and formats take less time than the cache
MAX_RESPONSE_SIZE = 8 * 1024 * 1024  # bytes of one response, for any number of references

ACTIVE, YANKED, DEPRECATED = "active", "yanked", "deprecated"


@dataclass(frozen=True, slots=True)
class ResolutionWarning:
    """A warning about a version: it was withdrawn, or is not what one builds a machine with."""

    code: str
    message: str
    successor: str | None = None  # the tag that supersedes a deprecated one


@dataclass(frozen=True, slots=True)
class ResolvedReference:
    """A resolved reference: the stored version and its current status."""

    reference: Reference
    exact: str
    is_alias: bool
    is_floating: bool
    version: Version
    part: ClosedNode | None = None  # the requested node, unless it is the whole target
    part_build: Build | None = None

    @property
    def identity(self) -> tuple[Hashable, ...]:
        """Return what identifies `target` and its reference in caches."""
        pointer = self.part.pointer if self.part else None
        return (self.version.pk, self.exact, self.version.digest, pointer)

    @property
    def target(self) -> str:
        """Return the canonical text of the version's target, or of the requested node."""
        return canonical(self.part.target).decode() if self.part else self.version.target

    @property
    def digest(self) -> str:
        """Return the digest of `target`."""
        return digest(self.target.encode()) if self.part else self.version.digest

    @property
    def tuning_keys(self) -> str:
        """Return the tuning keys of the leaves of `target`, as JSON text."""
        stored = self.version.tuning_keys
        return _text(self.part.select(json.loads(stored))) if self.part else stored

    @property
    def build_key(self) -> str | None:
        """Return the build key of `target`; None for a mixin or a host-dependent target."""
        return (self.part_build or self.version.build).key

    @property
    def dependencies(self) -> str:
        """Return the direct uses, with pointers into `target`, as JSON text."""
        stored = self.version.dependencies
        if self.part is None:
            return stored
        placed = [(use, self.part.inner_pointer(use["pointer"])) for use in json.loads(stored)]
        return _text([{**use, "pointer": place} for use, place in placed if place is not None])

    @property
    def lints(self) -> str:
        """Return the lints, with pointers into `target`, as JSON text."""
        stored = self.version.lint_text or "[]"
        if self.part is None:
            return stored
        placed = [(lint, self.part.inner_pointer(lint["pointer"])) for lint in json.loads(stored)]
        return json.dumps(
            [{**lint, "pointer": place} for lint, place in placed if place is not None],
            ensure_ascii=False,
        )

    @property
    def status(self) -> str:
        """Return `active`, `yanked` (the version) or `deprecated` (the tag)."""
        if self.version.last_yanked:
            return YANKED
        return DEPRECATED if self.version.tag_deprecated else ACTIVE

    @property
    def warnings(self) -> list[ResolutionWarning]:
        """Return the warnings for clients that resolve this reference."""
        version, warnings = self.version, []
        if version.last_yanked:
            message = f"{self.exact} was yanked: {version.last_reason}"
            warnings.append(ResolutionWarning("YANKED", message))
        if version.tag_deprecated:
            message = f"{version.tag} is deprecated: {version.tag_deprecation}"
            warnings.append(ResolutionWarning("DEPRECATED", message, version.tag_successor))
        if version.yanked_ancestors:
            yanked = version.yanked_ancestors.split()
            for ancestor in filter(yanked.__contains__, json.loads(version.lineage)):
                message = f"it is made from {ancestor}, which was yanked"
                warnings.append(ResolutionWarning("PARENT_YANKED", message))
        if version.family_accelerators:
            message = (
                f"{version.tag} builds for the CPU that its machines share; these build for their "
                f"accelerator: {', '.join(version.family_accelerators)}"
            )
            warnings.append(ResolutionWarning("FAMILY", message))
        return warnings

    @property
    def tags(self) -> frozenset[str] | None:
        """Return the tags whose changes can change this answer; None if those of any tag can.

        A family names the accelerated families of its name, which others may come to.
        """
        if is_plain_family(self.version.tag.text, self.version):
            return None
        ancestors = (exact.partition("@")[0] for exact in json.loads(self.version.lineage))
        return frozenset((self.version.tag.text, *ancestors))

    @property
    def node(self) -> Self | None:
        """Return this object if a node was requested; None for a whole target."""
        return self if self.part else None


def resolve(reference: Reference) -> ResolvedReference:
    """Resolve one reference. Raises `Refused`, with similar tags or existing versions."""
    is_floating = reference.selector.is_floating
    newest = selection.select_newest(reference) if is_floating else None
    if newest:
        _load_reasons([newest.version])
        load_accelerators([(newest.tag.text, newest.version)])
        return _answer(newest, newest.version)
    choice = selection.select_one(reference)
    return _answer(choice, _load_versions([choice])[choice.version.pk])


def select_node(answer: ResolvedReference, pointer: str) -> ResolvedReference:
    """Narrow a resolved reference to one node of its target. One query.

    Raises `Refused` (NODE_UNKNOWN).
    """
    version_kinds = kinds.kinds_of_versions({answer.version.pk})[answer.version.pk]

    def compute() -> tuple[ClosedNode, Build]:
        node = close_node(json.loads(answer.version.target), pointer)
        return node, compute_node_build(node, version_kinds)

    is_small = answer.version.size < MIN_CACHED_SIZE
    key = (__name__, pointer, *answer.identity)
    node, build = compute() if is_small else cache.get_or_compute(key, compute)
    return replace(answer, part=node, part_build=build)


def resolve_all(texts: Sequence[str]) -> list[ResolvedReference | Refused]:
    """Return the result or the error of each reference, in order. Four queries at most.

    The errors have no similar tags. Raises `Refused` (TOO_LARGE), before loading targets, if they
    have more than `MAX_RESPONSE_SIZE` bytes.
    """
    parsed = {text: _parse(text) for text in dict.fromkeys(texts)}
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
    versions = _load_versions([c for c in chosen.values() if isinstance(c, SelectedVersion)])
    answers = {
        text: _answer(choice, versions[choice.version.pk])
        if isinstance(choice, SelectedVersion)
        else choice
        for text, choice in chosen.items()
    }
    return [answers[text] for text in texts]


def refuse_too_large(size: int) -> None:
    """Raise `Refused` (TOO_LARGE) if a response would exceed the limit."""
    if size > MAX_RESPONSE_SIZE:
        raise Refused(
            Code.TOO_LARGE,
            f"The response would have at least {size} bytes: at most {MAX_RESPONSE_SIZE} are "
            "allowed. Request fewer references at once.",
        )


def _parse(text: str) -> Reference | Refused:
    try:
        return Reference.parse(text)
    except Refused as refusal:
        return refusal


def _answer(choice: SelectedVersion, version: Version) -> ResolvedReference:
    version.tag = choice.tag
    return ResolvedReference(
        choice.reference, choice.exact, choice.is_alias, choice.is_floating, version
    )


def find_target(digest: str) -> tuple[str, str]:
    """Return the text that has a digest, and a tag of it. Raises `Refused` (DIGEST_UNKNOWN)."""
    row = Version.objects.filter(digest=digest).values_list("target", "tag__text").first()
    if row is None:
        raise Refused(Code.DIGEST_UNKNOWN, f"No version has the digest {digest}.")
    return row


_as_resolved: PreparedQuery[Version] = PreparedQuery(
    lambda: Version.objects.filter(pk__among=PLACEHOLDER).as_resolved()
)
_reasons: PreparedQuery[Version] = PreparedQuery(
    lambda: Version.objects.filter(pk__among=PLACEHOLDER).only("pk").with_reasons()
)


def _load_versions(choices: Collection[SelectedVersion]) -> dict[int, Version]:
    """Load versions with the data of a resolution, except the tag, by primary key."""
    yanked = {choice.version.pk: choice.version.last_yanked for choice in choices}
    versions = {version.pk: version for version in _as_resolved(yanked)} if yanked else {}
    for pk, version in versions.items():
        version.last_yanked = yanked[pk]
    _load_reasons(versions.values())
    load_accelerators((choice.tag.text, versions[choice.version.pk]) for choice in choices)
    return versions


def _load_reasons(versions: Collection[Version]) -> None:
    """Add the reasons to versions that are yanked or whose tags are deprecated."""
    withdrawn = {v.pk: v for v in versions if v.yanked or v.tag_deprecated}
    for row in _reasons(withdrawn) if withdrawn else ():
        version = withdrawn[row.pk]
        version.last_reason = row.last_reason
        version.tag_deprecation, version.tag_successor = row.tag_deprecation, row.tag_successor


def is_plain_family(tag: str, version: Version) -> bool:
    """Return whether a version of a tag is that of a family, and the tag no variant."""
    return version.tag_is_family and ":" not in tag


# Decision 136: a family of accelerated machines says that it is their CPU only.
def load_accelerators(versions: Iterable[tuple[str, Version]]) -> None:
    """Add the families of the same name and another kind to those of some tags that are families.

    One query, if there are any. Versions are loaded as resolved.
    """
    families: dict[str, dict[int, Version]] = defaultdict(dict)
    for tag, version in versions:
        if is_plain_family(tag, version):
            families[tag][version.pk] = version
    for text, kind in _variants_of(families) if families else ():
        for version in families.get(text.partition(":")[0], {}).values():
            if kind not in ("", version.kind):
                version.family_accelerators += (text,)


def _variants_of(families: Collection[str]) -> Iterable[tuple[str, str]]:
    """Return the variants that are families, and their kinds, in the range of some names."""
    first, end = min(f"{name}:" for name in families), max(f"{name};" for name in families)
    rows = Entry.objects.filter(text__gt=first, text__lt=end, text__contains=":")
    rows = rows.filter(tag__is_family=True, status=Status.ACTIVE).order_by("text")
    return rows.values_list("text", "kind")


def _text(value: Json) -> str:
    return canonical(value).decode()
