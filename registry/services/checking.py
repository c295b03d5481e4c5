"""A dry run of publishing: everything is computed, nothing is written."""

from __future__ import annotations

from registry.domain.document import Json
from registry.domain.errors import Code, Refused, echo
from registry.domain.importers import IMPORTERS
from registry.domain.importing import Imported, Importer
from registry.domain.reference import Tag as TagName
from registry.services import kinds, naming
from registry.services.drafting import Draft, draft, versions_of


def check(tag: TagName, source: str) -> Draft:
    """What publishing this body as the tag's next version would do.

    Raises `Refused` with the faults of the first stage that finds any, or CONFLICT for an alias.
    The namespace need not exist yet: who submits a first profile checks it before asking for one.
    """
    naming.tag_named(tag)
    return draft(source, tag, versions_of(tag))


def importer(name: str) -> Importer:
    """An importer by name. Raises `Refused` (FORMAT_UNKNOWN) listing them."""
    if name not in IMPORTERS:
        known = ", ".join(IMPORTERS)
        detail = f"There is no importer {echo(name)}. There is: {known}."
        raise Refused(Code.FORMAT_UNKNOWN, detail, suggestions=IMPORTERS)
    return IMPORTERS[name]


def read(found: Importer, source: Json) -> Imported:
    """The body that another description stands for, not yet checked.

    Raises `Refused` with pointers into the source.
    """
    return found.read(source, kinds.current().kinds)
