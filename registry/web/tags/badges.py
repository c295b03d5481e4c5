"""Badges: a tag's newest version as a picture, for READMEs."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from django.http import HttpRequest, HttpResponse

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.http.caching import set_policy, version_policy
from registry.http.problems import PROBLEMS
from registry.services.versions import resolving
from registry.services.versions.resolving import ACTIVE, DEPRECATED, YANKED
from registry.web.core.decorators import public_document
from registry.web.core.xml import xml_response

MEDIA_TYPE = "image/svg+xml; charset=utf-8"
MISSING = {Code.TAG_UNKNOWN: "no such tag", Code.VERSION_UNKNOWN: "no such version"}

SVG = "http://www.w3.org/2000/svg"
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
HEIGHT, BASELINE, SIZE = 20, 14, 11  # px
ADVANCE = 6.6  # px of a character; every font is fitted to it
MARGIN = 7  # px
MARK = 20  # px that the mark takes
SHAPE = (  # static/registry/mark.svg
    "M11 4h17a3 3 0 0 1 3 3v18a3 3 0 0 1-3 3H11a3 3 0 0 1-2.3-1.1l-7-9a3 3 0 0 1 0-3.8l7-9"
    "A3 3 0 0 1 11 4Zm8.5 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z"
)
LABEL = "target"
FIELD, INK, MARKED = "#2b2a26", "#ffffff", "#f3936a"
COLOURS = {ACTIVE: "#0b4f75", DEPRECATED: "#6b3f00", YANKED: "#8c1d18", "": "#5a574e"}


@dataclass(frozen=True, slots=True)
class Badge:
    """The text of a badge and the version's status; empty if there is no version."""

    says: str
    state: str = ""


@public_document
def badge(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Draw the version that a reference resolves to; if there is none, a badge says so."""
    try:
        found = resolving.resolve(reference)
    except Refused as refusal:
        if refusal.code not in MISSING:
            raise
        missing = Badge(f"{reference}: {MISSING[refusal.code]}")
        return _draw(missing, status=PROBLEMS[refusal.code].status)
    state = "" if found.status == ACTIVE else f" {found.status}"
    response = _draw(Badge(f"{found.exact.replace('@', ' ')}{state}", found.status))
    is_exact = not (found.is_floating or found.is_alias)
    return set_policy(response, version_policy(is_exact=is_exact))


def _draw(badge: Badge, status: int = 200) -> HttpResponse:
    """Return the picture. It uses attributes only: the policy allows no styles inside."""
    left = MARK + _width(LABEL) + MARGIN
    right = _width(badge.says) + 2 * MARGIN
    size = {"width": f"{left + right:g}", "height": str(HEIGHT)}
    name = f"{LABEL}: {badge.says}"
    svg = Element("svg", {"xmlns": SVG, **size, "role": "img", "aria-label": name})
    SubElement(svg, "title").text = name
    clip = SubElement(svg, "clipPath", {"id": "edge"})
    SubElement(clip, "rect", {**size, "rx": "3"})
    boxes = SubElement(svg, "g", {"clip-path": "url(#edge)"})
    SubElement(boxes, "rect", {**size, "fill": FIELD})
    place = {"x": f"{left:g}", "width": f"{right:g}", "height": str(HEIGHT)}
    SubElement(boxes, "rect", {**place, "fill": COLOURS[badge.state]})
    mark = {"transform": "translate(5 4.4) scale(.35)", "fill": MARKED, "fill-rule": "evenodd"}
    SubElement(svg, "path", {**mark, "d": SHAPE})
    texts = SubElement(
        svg, "g", {"fill": INK, "font-family": FONT, "font-size": str(SIZE), "aria-hidden": "true"}
    )
    _write(texts, MARK, LABEL)
    _write(texts, left + MARGIN, badge.says)
    return xml_response(svg, MEDIA_TYPE, status=status)


def _write(texts: Element, x: float, says: str) -> None:
    """Add a text that is as wide as its box, whichever font is used."""
    width = {"textLength": f"{_width(says):g}", "lengthAdjust": "spacingAndGlyphs"}
    SubElement(texts, "text", {"x": f"{x:g}", "y": str(BASELINE), **width}).text = says


def _width(says: str) -> float:
    return round(len(says) * ADVANCE, 1)
