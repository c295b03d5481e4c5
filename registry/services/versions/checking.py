"""A dry run of publishing: everything is computed, nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from registry.domain.document import Json
from registry.domain.errors import Code, Refused, echo
from registry.domain.importers import IMPORTERS
from registry.domain.importing import Imported, Importer
from registry.domain.reference import Tag as TagName
from registry.models import Version
from registry.services.core.transactions import last_event_number
from registry.services.kinds import kinds
from registry.services.versions import tag_names
from registry.services.versions.drafting import Draft, create_draft, versions_of


@dataclass(frozen=True, slots=True)
class CheckedBody:
    """A draft that services can publish or propose without computing it again.

    `history` holds the versions that the tag had, `seen` the number of the last event before.
    """

    draft: Draft
    history: Sequence[Version]
    seen: int

    def is_of(self, tag: TagName, source: str) -> bool:
        """Return whether this body was checked for this tag."""
        return (self.draft.tag, self.draft.source) == (tag, source)


def check(tag: TagName, source: str) -> Draft:
    """What publishing this body as the tag's next version would do.

    Raises `Refused` with the faults of the first stage that finds any, or CONFLICT for an alias.
    The namespace need not exist yet: who submits a first profile checks it before asking for one.
    """
    tag_names.find_tag(tag)
    return create_draft(source, tag, versions_of(tag))


def check_for_writing(tag: TagName, source: str) -> CheckedBody:
    """Return what `check` computes, for services that go on with it. Raises `Refused` as `check`.

    One query more than `check`.
    """
    seen = last_event_number()
    tag_names.find_tag(tag)
    history = versions_of(tag)
    return CheckedBody(create_draft(source, tag, history), history, seen)


def find_importer(name: str) -> Importer:
    """An importer by name. Raises `Refused` (FORMAT_UNKNOWN) listing them."""
    if name not in IMPORTERS:
        known = ", ".join(IMPORTERS)
        detail = f"There is no importer {echo(name)}. There is: {known}."
        raise Refused(Code.FORMAT_UNKNOWN, detail, suggestions=IMPORTERS)
    return IMPORTERS[name]


def import_source(found: Importer, source: Json) -> Imported:
    """The body that another description stands for, not yet checked.

    Raises `Refused` with pointers into the source.
    """
    return found.read(source, kinds.current_kinds().kinds)
