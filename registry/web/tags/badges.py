"""SVG badges with a tag's newest version, for READMEs."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.http.caching import set_policy, version_policy
from registry.http.names import ANSWER_TAGS
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
CHARACTER_WIDTH = 6.6  # px; text is stretched to it in any font
MARGIN = 7  # px
MARK_WIDTH = 20  # px
MARK_PATH = (  # static/registry/mark.svg
    "M11 4h17a3 3 0 0 1 3 3v18a3 3 0 0 1-3 3H11a3 3 0 0 1-2.3-1.1l-7-9a3 3 0 0 1 0-3.8l7-9"
    "A3 3 0 0 1 11 4Zm8.5 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z"
)
LABEL = "target"
BACKGROUND, TEXT, MARK = "#2b2a26", "#ffffff", "#f3936a"
COLOURS = {ACTIVE: "#0b4f75", DEPRECATED: "#6b3f00", YANKED: "#8c1d18", "": "#5a574e"}


@public_document
def badge(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Draw the version that a reference resolves to, or a badge for a missing one."""
    try:
        resolved = resolving.resolve(reference)
    except Refused as refusal:
        if refusal.code not in MISSING:
            raise
        text = f"{reference}: {MISSING[refusal.code]}"
        return _draw(text, COLOURS[""], status=PROBLEMS[refusal.code].status)
    suffix = "" if resolved.status == ACTIVE else f" {resolved.status}"
    request.META[ANSWER_TAGS] = resolved.tags
    text = f"{resolved.exact.replace('@', ' ')}{suffix}"
    response = _draw(text, COLOURS[resolved.status])
    is_exact = not (resolved.is_floating or resolved.is_alias)
    return set_policy(response, version_policy(is_exact=is_exact))


def badge_markup(request: HttpRequest, tag: str) -> dict[str, str]:
    """Return the path of a tag's badge, and the Markdown that shows it with a link to the tag."""
    path = reverse("badge", args=[tag])
    image, page = map(request.build_absolute_uri, (path, reverse("tag", args=[tag])))
    return {"badge": path, "badge_markdown": f"[![{LABEL}: {tag}]({image})]({page})"}


def _draw(text: str, colour: str, status: int = 200) -> HttpResponse:
    """Return the SVG. It uses attributes only, because our CSP blocks inline styles."""
    left = MARK_WIDTH + _width(LABEL) + MARGIN
    right = _width(text) + 2 * MARGIN
    size = {"width": f"{left + right:g}", "height": str(HEIGHT)}
    name = f"{LABEL}: {text}"
    svg = Element("svg", {"xmlns": SVG, **size, "role": "img", "aria-label": name})
    SubElement(svg, "title").text = name
    clip = SubElement(svg, "clipPath", {"id": "edge"})
    SubElement(clip, "rect", {**size, "rx": "3"})
    boxes = SubElement(svg, "g", {"clip-path": "url(#edge)"})
    SubElement(boxes, "rect", {**size, "fill": BACKGROUND})
    place = {"x": f"{left:g}", "width": f"{right:g}", "height": str(HEIGHT)}
    SubElement(boxes, "rect", {**place, "fill": colour})
    mark = {"transform": "translate(5 4.4) scale(.35)", "fill": MARK, "fill-rule": "evenodd"}
    SubElement(svg, "path", {**mark, "d": MARK_PATH})
    texts = SubElement(
        svg, "g", {"fill": TEXT, "font-family": FONT, "font-size": str(SIZE), "aria-hidden": "true"}
    )
    _write(texts, MARK_WIDTH, LABEL)
    _write(texts, left + MARGIN, text)
    return xml_response(svg, MEDIA_TYPE, status=status)


def _write(parent: Element, x: float, text: str) -> None:
    """Add a text element, stretched to its width in any font."""
    width = {"textLength": f"{_width(text):g}", "lengthAdjust": "spacingAndGlyphs"}
    SubElement(parent, "text", {"x": f"{x:g}", "y": str(BASELINE), **width}).text = text


def _width(text: str) -> float:
    return round(len(text) * CHARACTER_WIDTH, 1)
