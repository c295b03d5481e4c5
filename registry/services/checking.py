"""A dry run of publishing: everything is computed, nothing is written."""

from __future__ import annotations

from registry.domain.reference import Tag as TagName
from registry.services import naming
from registry.services.drafting import Draft, draft, versions_of


def check(tag: TagName, source: str) -> Draft:
    """What publishing this body as the tag's next version would do.

    Raises `Refused` with the faults of the first stage that finds any, or CONFLICT for an alias.
    The namespace need not exist yet: who submits a first profile checks it before asking for one.
    """
    naming.tag_named(tag)
    return draft(source, tag, versions_of(tag))
