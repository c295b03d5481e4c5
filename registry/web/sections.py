"""The sections of a tag's pages: each is a URL of its own, which every other one leads to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from registry.domain.reference import Reference
from registry.services.reading.browsing import Sheet
from registry.web.summary import summary

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
OF_TAG = frozenset({"versions"})  # about all versions, whichever is looked at


@dataclass(frozen=True, slots=True)
class Section:
    """A link to a section of the same tag."""

    title: str
    url: str
    is_current: bool


def sections(reference: Reference, current: str) -> list[Section]:
    """Every section, for what was asked for: a version stays the same from one to the next."""
    return [
        Section(
            title,
            reverse(name, args=[reference.text if name in OF_TAG else reference]),
            name == current,
        )
        for name, title in SECTIONS.items()
    ]


def about(request: HttpRequest, sheet: Sheet, current: str) -> dict[str, Any]:
    """What the head of each section says of the version that is looked at."""
    answer = sheet.answer
    return {
        "sheet": sheet,
        "answer": answer,
        "version": sheet.version,
        "asked": answer.reference,
        "summary": summary(json.loads(sheet.version.target)),
        "sections": sections(answer.reference, current),
        "section_title": SECTIONS[current],
        "section": "tags",
    }
