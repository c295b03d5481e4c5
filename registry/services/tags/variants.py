"""Lists the variants of a name, and reads the machine that a variant builds a part of."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.db.models import OuterRef, Q, Subquery

from registry.domain.document import Json
from registry.domain.reference import Tag as TagName
from registry.models import Attribute, Entry, Name, Tag
from registry.models.names import last_deprecation
from registry.services.core.paging import Page, paginate
from ttag_rules.version_number import VersionNumber

MAX_VARIANTS = 20  # real names have up to five


@dataclass(frozen=True, slots=True)
class VariantTag:
    """A tag of a name, with its newest version's number and what tells it from other variants.

    `number` is None if all versions are yanked. `tag` is the tag to use: another one for an alias
    and for a deprecated tag with a successor.
    """

    text: str
    kind: str
    arch: str
    status: str
    number: VersionNumber | None
    tag: str
    processor: str
    executor: str


def list_variants(tag: Tag) -> Page[VariantTag]:
    """Return the tags with the name of a tag, itself among them, and aliases, by name. One query.

    At most 20, as a page.
    """
    name = TagName.parse(tag.text).name
    same_name = Q(text=name) | Q(text__gt=f"{name}:", text__lt=f"{name};")
    facts = ("tag__entry__kind", "tag__entry__arch", "tag__entry__status")
    numbers = (f"tag__entry__version__{part}" for part in ("major", "minor", "patch"))
    rows = Name.objects.filter(same_name).annotate(
        successor=last_deprecation("tag", "successor__text"),
        processor=_value_at("/mcpu"),
        executor=_value_at("/executor/kind"),
    )
    columns = rows.order_by("text").values_list(
        "text", "tag__text", "successor", "processor", "executor", *facts, *numbers
    )
    page = paginate(columns, key=lambda row: [row[0]], limit=MAX_VARIANTS)
    variants = (
        VariantTag(
            text,
            kind,
            arch,
            status,
            None if number[0] is None else VersionNumber(*number),
            successor or named,
            processor or "",
            executor or "",
        )
        for text, named, successor, processor, executor, kind, arch, status, *number in page.rows
    )
    return Page(tuple(variants), page.next_key)


def _value_at(pointer: str) -> Subquery:
    """Return the value of a tag at a pointer; by name, SQLite's planner would read those of all."""
    values = Attribute.objects.filter(tag=OuterRef("tag"), pointer=pointer).values("text")
    return Subquery(values[:1])


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
