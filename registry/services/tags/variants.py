"""Lists the variants of a name."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from registry.domain.reference import Tag as TagName
from registry.domain.version_number import VersionNumber
from registry.models import Entry, Tag

MAX_VARIANTS = 20  # real names have up to five


@dataclass(frozen=True, slots=True)
class VariantTag:
    """A tag of a name, with the kind, architecture and number of its newest version.

    `number` is None if all versions are yanked.
    """

    text: str
    kind: str
    arch: str
    status: str
    number: VersionNumber | None


def list_variants(tag: Tag) -> tuple[VariantTag, ...]:
    """Return the tags with the name of a tag, itself among them, by name. One query.

    At most 20.
    """
    name = TagName.parse(tag.text).name
    same_name = Q(text=name) | Q(text__gt=f"{name}:", text__lt=f"{name};")
    numbers = ("version__major", "version__minor", "version__patch")
    rows = Entry.objects.filter(same_name).order_by("text")
    columns = rows.values_list("text", "kind", "arch", "status", *numbers)
    return tuple(
        VariantTag(
            text, kind, arch, status, None if major is None else VersionNumber(major, minor, patch)
        )
        for text, kind, arch, status, major, minor, patch in columns[:MAX_VARIANTS]
    )
