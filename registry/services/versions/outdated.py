"""Finds outdated references, and drafts updates of their versions."""

from __future__ import annotations

import json
from dataclasses import dataclass

from registry.domain.reference import Reference, Tag as TagName
from registry.models import Version
from registry.services.kinds import kinds
from registry.services.versions import redrafting, selection
from registry.services.versions.drafting import versions_of
from registry.services.versions.redrafting import MovedReference, PendingVersions, Redraft
from ttag_rules.version_number import VersionNumber


def moved_references(version: Version) -> tuple[MovedReference, ...]:
    """Return the references of a version that now resolve to other versions.

    Takes one query, or none if the version has only exact references.
    """
    uses = json.loads(version.dependencies)
    if all(use["requested"] == use["resolved"] for use in uses):
        return ()
    references = {use["requested"]: Reference.parse(use["requested"]) for use in uses}
    return redrafting.moved_references(version, selection.select_all(references.values()))


@dataclass(frozen=True, slots=True)
class Update:
    """A new draft of a tag's newest version, and the number of the last published version."""

    redraft: Redraft
    last_published: VersionNumber

    @property
    def version(self) -> Version:
        """Return the newest version with its documents."""
        return self.redraft.version


def compute_update(name: TagName) -> Update:
    """Draft the newest version of a tag again from its unchanged source.

    At most nine queries. Raises `Refused` (TAG_UNKNOWN, with similar tags; VERSION_UNKNOWN if every
    version is yanked).
    """
    choice = selection.select_one(Reference(str(name)))
    (redraft,) = redrafting.redraft([choice.tag.pk], PendingVersions(), kinds.current_kinds())
    return Update(redraft, versions_of(name)[-1].number)
