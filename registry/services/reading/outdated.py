"""Whether a newest version would come out otherwise today, since what it refers to has moved."""

from __future__ import annotations

import json
from dataclasses import dataclass

from registry.domain.number import Number
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Version
from registry.services import choosing, kinds
from registry.services.downstream import redrafting
from registry.services.downstream.redrafting import Coming, Move, Redraft
from registry.services.drafting import versions_of


def moved(version: Version) -> tuple[Move, ...]:
    """Which references of a version other versions would answer now.

    From what is stored beside it: one query, none where it refers to nothing or to what is exact.
    """
    uses = json.loads(version.dependencies)
    if all(use["requested"] == use["resolved"] for use in uses):
        return ()
    asked = {use["requested"]: Reference.parse(use["requested"]) for use in uses}
    return redrafting.moves(version, choosing.choose(asked.values()))


@dataclass(frozen=True, slots=True)
class Update:
    """The newest version of a tag, redrafted; the number of the version last published."""

    redraft: Redraft
    last_published: Number

    @property
    def version(self) -> Version:
        """The newest version, whole."""
        return self.redraft.version


def update(name: TagName) -> Update:
    """What would become of a tag's newest version if its source were published again.

    Nine queries, one more where references have moved. Raises `Refused`: TAG_UNKNOWN with near
    tags, VERSION_UNKNOWN where every version is yanked.
    """
    choice = choosing.one(Reference(str(name)))
    (found,) = redrafting.redraft([choice.tag.pk], Coming(), kinds.current())
    return Update(found, versions_of(name)[-1].number)
