"""Versions compared: two, with what it means to go from one to the other; several, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from registry.domain.composition import is_mixin
from registry.domain.diff import Change, ComparedKeys, compare_keys, diff_targets
from registry.domain.document import Json
from registry.domain.errors import Refused
from registry.domain.kinds import Kinds
from registry.domain.reference import Pair, Reference
from registry.domain.tuning import tuning_keys
from registry.domain.version_number import Bump
from registry.domain.versioning import compute_bump, root_kinds
from registry.models import Version
from registry.services.kinds import kinds
from registry.services.versions import drafting, resolving, selection
from registry.services.versions.resolving import ResolvedReference
from registry.services.versions.selection import SelectedVersion

READ = ("major", "minor", "patch", "source", "target", "provenance", "lineage", "tag__text")


class UnresolvedReferences(Refused):
    """References that no version answers: why each of them, by its text, with near names.

    As a refusal it is that of the first.
    """

    def __init__(self, refusals: Mapping[str, Refused]) -> None:
        first = next(iter(refusals.values()))
        super().__init__(
            first.code, first.detail, faults=first.faults, suggestions=first.suggestions
        )
        self.refusals = refusals


@dataclass(frozen=True, slots=True)
class Comparison:
    """An old and a new version; origins on both sides are exact references.

    `bump` is None where source, lineage and target are the same.
    """

    old: SelectedVersion
    new: SelectedVersion
    old_target: Json
    new_target: Json
    kinds: Kinds
    bump: Bump | None
    changes: tuple[Change, ...]
    keys: ComparedKeys

    @property
    def is_same_version(self) -> bool:
        """Whether one version answers to both references."""
        return self.old.version.pk == self.new.version.pk

    @property
    def mixins(self) -> int:
        """On how many of the two sides a mixin stands."""
        return is_mixin(self.old_target) + is_mixin(self.new_target)


def compare_versions(pair: Pair) -> Comparison:
    """Compare what two references answer, of one tag or of two, under the kinds in force.

    Three queries. Raises `Unanswered`, as a refusal that of the old side first.
    """
    old, new = _choices(pair)
    found = Version.objects.filter(pk__in={old.version.pk, new.version.pk}).select_related("tag")
    versions = {version.pk: drafting.load_base(version) for version in found.only(*READ)}
    before, after = versions[old.version.pk], versions[new.version.pk]
    known = kinds.current_kinds().kinds
    was, becomes = before.edition.target, after.edition.target
    return Comparison(
        old=old,
        new=new,
        old_target=was,
        new_target=becomes,
        kinds=known,
        bump=compute_bump(before.edition, after.edition, known),
        changes=diff_targets(
            was,
            becomes,
            known,
            old_provenance=before.provenance,
            new_provenance=after.provenance,
            root_kinds=root_kinds(was, becomes, known),
        ),
        keys=compare_keys(tuning_keys(was, known), tuning_keys(becomes, known)),
    )


def _choices(pair: Pair) -> tuple[SelectedVersion, SelectedVersion]:
    answers = selection.select_all([pair.old, pair.new])
    old, new = answers[str(pair.old)], answers[str(pair.new)]
    if isinstance(old, Refused) or isinstance(new, Refused):
        raise _unanswered(answers)
    return old, new


def load_targets(references: Sequence[Reference]) -> tuple[ResolvedReference, ...]:
    """What references answer, in their order; a version that answers to several of them, once.

    Two queries. Raises `Unanswered`.
    """
    texts = [str(reference) for reference in references]
    answers = dict(zip(texts, resolving.resolve_all(texts), strict=True))
    found = [answer for answer in answers.values() if isinstance(answer, ResolvedReference)]
    if len(found) < len(answers):
        raise _unanswered(answers)
    once: dict[int, ResolvedReference] = {}
    for answer in found:
        once.setdefault(answer.version.pk, answer)
    return tuple(once.values())


def _unanswered(answers: Mapping[str, object]) -> UnresolvedReferences:
    return UnresolvedReferences(
        {
            text: selection.with_suggestions(refusal, Reference.parse(text))
            for text, refusal in answers.items()
            if isinstance(refusal, Refused)
        }
    )
