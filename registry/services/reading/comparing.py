"""Two versions compared: what differs, what it means, and which tuning records still hold."""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.diff import Change, Keys, changes, compared_keys
from registry.domain.errors import Refused
from registry.domain.number import Bump
from registry.domain.reference import Pair
from registry.domain.tuning import tuning_keys
from registry.domain.versioning import bump, root_kinds
from registry.models import Version
from registry.services import choosing, drafting, kinds
from registry.services.choosing import Choice

READ = ("major", "minor", "patch", "source", "target", "provenance", "lineage", "tag__text")


@dataclass(frozen=True, slots=True)
class Comparison:
    """An old and a new version; origins on both sides are exact references.

    `bump` is None where source, lineage and target are the same.
    """

    old: Choice
    new: Choice
    bump: Bump | None
    changes: tuple[Change, ...]
    keys: Keys


def compare(pair: Pair) -> Comparison:
    """Compare what two references answer, of one tag or of two, under the kinds in force.

    Three queries. Raises `Refused` as resolving does, for the old side first.
    """
    old, new = _choices(pair)
    found = Version.objects.filter(pk__in={old.version.pk, new.version.pk}).select_related("tag")
    versions = {version.pk: drafting.base_of(version) for version in found.only(*READ)}
    before, after = versions[old.version.pk], versions[new.version.pk]
    known = kinds.current().kinds
    was, becomes = before.edition.target, after.edition.target
    return Comparison(
        old=old,
        new=new,
        bump=bump(before.edition, after.edition, known),
        changes=changes(
            was,
            becomes,
            known,
            old_provenance=before.provenance,
            new_provenance=after.provenance,
            root_kinds=root_kinds(was, becomes, known),
        ),
        keys=compared_keys(tuning_keys(was, known), tuning_keys(becomes, known)),
    )


def _choices(pair: Pair) -> tuple[Choice, Choice]:
    answers = choosing.choose([pair.old, pair.new])
    old, new = answers[str(pair.old)], answers[str(pair.new)]
    if isinstance(old, Refused):
        raise choosing.explained(old, pair.old)
    if isinstance(new, Refused):
        raise choosing.explained(new, pair.new)
    return old, new
