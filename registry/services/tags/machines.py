"""Reads the machine that a variant builds a part of: the target of its name."""

from __future__ import annotations

import json

from registry.domain.document import Json
from registry.domain.reference import Tag as TagName
from registry.models import Entry, Tag


# Decision 148: a variant states its machine's facts, too.
def machine_of(tag: Tag) -> Json:
    """Return the newest target of a variant's name; None for other tags, and if there is none.

    One query for a variant, none for another tag. A family is no machine.
    """
    name = TagName.parse(tag.text).name
    if name == tag.text or tag.is_family:
        return None
    machines = Entry.objects.filter(text=name, tag__is_family=False, version__isnull=False)
    target: Json = json.loads(machines.values_list("version__target", flat=True).first() or "null")
    return target
