"""Whether a newest version would come out otherwise today, since what it refers to has moved."""

from __future__ import annotations

import json
from dataclasses import dataclass

from registry.domain.reference import Reference, Tag as TagName
from registry.domain.version_number import VersionNumber
from registry.models import Version
from registry.services.kinds import kinds
from registry.services.versions import redrafting, selection
from registry.services.versions.drafting import versions_of
from registry.services.versions.redrafting import MovedReference, PendingVersions, Redraft


def moved_references(version: Version) -> tuple[MovedReference, ...]:
    """Which references of a version other versions would answer now.

    From what is stored beside it: one query, none where it refers to nothing or to what is exact.
    """
    uses = json.loads(version.dependencies)
    if all(use["requested"] == use["resolved"] for use in uses):
        return ()
    asked = {use["requested"]: Reference.parse(use["requested"]) for use in uses}
    return redrafting.moved_references(version, selection.select_all(asked.values()))


@dataclass(frozen=True, slots=True)
class Update:
    """The newest version of a tag, redrafted; the number of the version last published."""

    redraft: Redraft
    last_published: VersionNumber

    @property
    def version(self) -> Version:
        """The newest version, whole."""
        return self.redraft.version


def compute_update(name: TagName) -> Update:
    """What would become of a tag's newest version if its source were published again.

    Nine queries, one more where references have moved. Raises `Refused`: TAG_UNKNOWN with near
    tags, VERSION_UNKNOWN where every version is yanked.
    """
    choice = selection.select_one(Reference(str(name)))
    (found,) = redrafting.redraft([choice.tag.pk], PendingVersions(), kinds.current_kinds())
    return Update(found, versions_of(name)[-1].number)
