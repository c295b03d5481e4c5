"""Comparison of two versions, with the bump between them, or of several side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from registry.domain.diff import Change, ComparedKeys, compare_keys, diff_targets
from registry.domain.document import Json
from registry.domain.errors import Fault, Refused
from registry.domain.keys.tuning import tuning_keys
from registry.domain.kinds.kinds import Kinds
from registry.domain.reference import Pair, Reference
from registry.domain.resolution.composition import is_mixin
from registry.domain.version_number import Bump
from registry.domain.versioning import compute_bump
from registry.models import Version
from registry.services.core.memory_cache import cache
from registry.services.kinds import kinds
from registry.services.kinds.kinds import CurrentKinds
from registry.services.versions import drafting, resolving, selection
from registry.services.versions.resolving import ResolvedReference
from registry.services.versions.selection import SelectedVersion

COLUMNS = (
    *("major", "minor", "patch", "source", "target", "provenance", "lineage", "tag__text"),
    *("tuning_keys", "build_digest", "is_host_dependent"),
)


T = TypeVar("T")


class UnresolvedReferences(Refused):
    """The errors of several references, in `refusals` by reference text.

    Code, detail and suggestions are those of the first; of several, each is a fault.
    """

    def __init__(self, refusals: Mapping[str, Refused]) -> None:
        first = next(iter(refusals.values()))
        faults = (
            first.faults
            if len(refusals) == 1
            else [fault_of(refusal, text) for text, refusal in refusals.items()]
        )
        super().__init__(first.code, first.detail, faults=faults, suggestions=first.suggestions)
        self.refusals = refusals


@dataclass(frozen=True, slots=True)
class ReferenceWarning:
    """A warning about one of several versions, by its exact reference."""

    reference: str
    code: str
    message: str
    successor: str | None = None  # the tag that supersedes a deprecated one


@dataclass(frozen=True, slots=True)
class ComparedBuilds:
    """The build keys of both versions; None for a mixin or a host-dependent target."""

    old: str | None
    new: str | None

    @property
    def are_equal(self) -> bool:
        """Return whether the versions compile to the same code; unknown without build keys."""
        return self.old is not None and self.old == self.new


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences between an old and a new version; all origins are exact references.

    `bump` is None if source, lineage and target are equal.
    """

    old: SelectedVersion
    new: SelectedVersion
    old_target: Json
    new_target: Json
    kinds: Kinds
    bump: Bump | None
    changes: tuple[Change, ...]
    keys: ComparedKeys
    builds: ComparedBuilds

    @property
    def is_same_version(self) -> bool:
        """Return whether both references resolve to the same version."""
        return self.old.version.pk == self.new.version.pk

    @property
    def mixins(self) -> int:
        """Return the number of mixins among the two versions."""
        return is_mixin(self.old_target) + is_mixin(self.new_target)


@dataclass(frozen=True, slots=True)
class SelectedPair:
    """The versions that both references of a pair resolve to, and the current kinds."""

    old: SelectedVersion
    new: SelectedVersion
    current: CurrentKinds

    def derive(self, function: Callable[[Comparison], T]) -> T:
        """Return the result of a function of the comparison, computed once in each process.

        The result must depend on the contents of the versions only, not on their status. Takes one
        query, unless the result is in memory.
        """
        sides = [
            (side.version.pk, side.exact, side.version.digest) for side in (self.old, self.new)
        ]
        key = (function.__module__, function.__qualname__, *sides, self.current.key)
        return cache.get_or_compute(key, lambda: function(compare_versions(self)))


def select_pair(pair: Pair) -> SelectedPair:
    """Select the versions of a pair. Two queries.

    Raises `UnresolvedReferences`; its code is that of the old side if both fail.
    """
    answers = selection.select_all([pair.old, pair.new])
    old, new = answers[str(pair.old)], answers[str(pair.new)]
    if isinstance(old, Refused) or isinstance(new, Refused):
        raise _unresolved(answers)
    return SelectedPair(old, new, kinds.current_kinds())


def compare_versions(pair: SelectedPair) -> Comparison:
    """Compare two versions, of one tag or of two, under the current kinds. One query."""
    old, new = pair.old, pair.new
    rows = Version.objects.filter(pk__in={old.version.pk, new.version.pk}).select_related("tag")
    versions = {version.pk: drafting.load_base(version) for version in rows.only(*COLUMNS)}
    before, after = versions[old.version.pk], versions[new.version.pk]
    current = pair.current.kinds
    old_target, new_target = before.edition.target, after.edition.target
    return Comparison(
        old=old,
        new=new,
        old_target=old_target,
        new_target=new_target,
        kinds=current,
        bump=compute_bump(before.edition, after.edition, current),
        changes=diff_targets(
            old_target,
            new_target,
            current,
            old_provenance=before.provenance,
            new_provenance=after.provenance,
        ),
        keys=compare_keys(tuning_keys(old_target, current), tuning_keys(new_target, current)),
        builds=ComparedBuilds(before.edition.build.key, after.edition.build.key),
    )


def load_targets(references: Sequence[Reference]) -> tuple[ResolvedReference, ...]:
    """Resolve references in order. A version that several of them resolve to appears once.

    Takes two queries. Raises `UnresolvedReferences`.
    """
    distinct: dict[int, ResolvedReference] = {}
    for answer in resolve_each(references):
        distinct.setdefault(answer.version.pk, answer)
    return tuple(distinct.values())


def resolve_each(references: Sequence[Reference]) -> list[ResolvedReference]:
    """Resolve references in order. Takes two queries. Raises `UnresolvedReferences`."""
    texts = [str(reference) for reference in references]
    answers = resolving.resolve_all(texts)
    resolved = [answer for answer in answers if isinstance(answer, ResolvedReference)]
    if len(resolved) < len(answers):
        raise _unresolved(dict(zip(texts, answers, strict=True)))
    return resolved


def warnings_of(resolutions: Iterable[ResolvedReference | None]) -> list[ReferenceWarning]:
    """Return the warnings about some versions, each once."""
    distinct = {each.exact: each for each in resolutions if each}
    return [
        ReferenceWarning(exact, warning.code, warning.message, warning.successor)
        for exact, resolution in distinct.items()
        for warning in resolution.warnings
    ]


def fault_of(refusal: Refused, text: str, pointer: str = "") -> Fault:
    """Return the error of one of several references, which stands at a pointer of the request."""
    suggestions = refusal.suggestions
    return Fault(pointer, refusal.code, refusal.detail, found=text, suggestions=suggestions)


def _unresolved(answers: Mapping[str, object]) -> UnresolvedReferences:
    return UnresolvedReferences(
        {
            text: selection.with_suggestions(refusal, Reference.parse(text))
            for text, refusal in answers.items()
            if isinstance(refusal, Refused)
        }
    )
