"""The sections of a tag, each a page with links to the others."""

from __future__ import annotations

import json
from typing import Any

from django.urls import reverse

from registry.domain.reference import Reference
from registry.services.tags import status
from registry.services.tags.detail import VersionDetail
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


def version_sections(version_detail: VersionDetail, current: str) -> dict[str, Any]:
    """Return the template context for the header of a section about one version."""
    return {
        "overview": version_detail.overview,
        "resolution": version_detail.answer,
        "version": version_detail.version,
        "summary": summary(json.loads(version_detail.version.target)),
        **_navigation(version_detail.answer.reference, current),
    }


def tag_sections(reference: Reference, canonical: Reference, current: str) -> dict[str, Any]:
    """Return the template context for the header of a section about a whole tag.

    `reference` may be an alias. One query, and another if the tag is not active.
    """
    return {
        "canonical_reference": canonical,
        "tag_status": status.tag_status(canonical.text),
        "namespace": canonical.text.partition("/")[0],
        **_navigation(reference, current),
    }


def _navigation(reference: Reference, current: str) -> dict[str, Any]:
    """Return links to every section for the same reference, and whether it is the current one."""
    return {
        "reference": reference,
        "sections": [
            (
                title,
                reverse(name, args=[reference.text if name in ALL_VERSIONS else reference]),
                name == current,
            )
            for name, title in SECTIONS.items()
        ],
        "section_title": SECTIONS[current],
        "section": "tags",
    }
