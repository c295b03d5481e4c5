"""The sections of a tag, each a page with links to the others."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from registry.domain.reference import Reference
from registry.services.tags.detail import VersionDetail
from registry.services.versions import status
from registry.web.core.dates import Moment
from registry.web.versions.summary import summary

SECTIONS = {  # by URL name
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
ALL_VERSIONS = frozenset({"versions"})  # sections whose URLs have no selector


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


def version_sections(version_detail: VersionDetail, current: str) -> dict[str, Any]:
    """Return the template context for the header of a section about one version."""
    return {
        "overview": version_detail.profile,
        "resolution": version_detail.answer,
        "version": version_detail.version,
        "summary": summary(json.loads(version_detail.version.target)),
        **_navigation(version_detail.answer.reference, current),
    }


def tag_sections(reference: Reference, canonical: Reference, current: str) -> dict[str, Any]:
    """Return the template context for the header of a section about a whole tag.

    `reference` may be an alias. One query, and another if the tag is not active.
    """
    tag_status = status.tag_status(canonical.text)
    deprecation = tag_status.deprecation
    return {
        "canonical_reference": canonical,
        "tag_status": tag_status,
        "deprecated_at": Moment(deprecation.created) if deprecation else None,
        "namespace": canonical.text.partition("/")[0],
        **_navigation(reference, current),
    }


def _navigation(reference: Reference, current: str) -> dict[str, Any]:
    return {
        "reference": reference,
        "sections": sections(reference, current),
        "section_title": SECTIONS[current],
        "section": "tags",
    }
