"""The sections of a tag's pages: each has its own URL and links to all others."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from registry.domain.reference import Reference
from registry.services.tags.detail import VersionDetail
from registry.services.versions import status
from registry.web.core.dates import Moment
from registry.web.tags.summary import summary

SECTIONS = {  # by the name of the URL
    "tag": "Overview",
    "resolved": "Values",
    "composition": "Composition",
    "lineage": "Lineage",
    "used-by": "Used by",
    "hardware": "Hardware",
    "versions": "Versions",
    "source": "Source",
    "formats": "Formats",
}
ALL_VERSIONS = frozenset({"versions"})  # sections about all versions: their URLs name none


@dataclass(frozen=True, slots=True)
class Section:
    """A link to a section of the same tag."""

    title: str
    url: str
    is_current: bool


def sections(reference: Reference, current: str) -> list[Section]:
    """Return links to every section for the same reference."""
    return [
        Section(
            title,
            reverse(name, args=[reference.text if name in ALL_VERSIONS else reference]),
            name == current,
        )
        for name, title in SECTIONS.items()
    ]


def version_sections(sheet: VersionDetail, current: str) -> dict[str, Any]:
    """Return the template context for the header of a section about one version."""
    return {
        "sheet": sheet,
        "answer": sheet.answer,
        "version": sheet.version,
        "summary": summary(json.loads(sheet.version.target)),
        **_navigation(sheet.answer.reference, current),
    }


def tag_sections(asked: Reference, meant: Reference, current: str) -> dict[str, Any]:
    """Return the template context for the header of a section about a whole tag.

    `asked` may be an alias. One query, and another if the tag is not active.
    """
    found = status.tag_status(meant.text)
    return {
        "meant": meant,
        "standing": found,
        "deprecated_at": Moment(found.deprecation.created) if found.deprecation else None,
        "namespace": meant.text.partition("/")[0],
        **_navigation(asked, current),
    }


def _navigation(asked: Reference, current: str) -> dict[str, Any]:
    return {
        "asked": asked,
        "sections": sections(asked, current),
        "section_title": SECTIONS[current],
        "section": "tags",
    }
