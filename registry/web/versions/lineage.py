"""The page of a version's lineage: a drawing, and the same as a list."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.reference import Reference
from registry.models import Version
from registry.services.tags import detail
from registry.services.versions import lineages
from registry.services.versions.lineages import LineageMember
from registry.web.core.decorators import public_page
from registry.web.versions.graph_drawing import Drawing, GraphBox, GraphEdge, draw_graph
from registry.web.versions.sections import version_sections
from ttag_rules.echo import shorten

MAX_DRAWN = 60  # versions; a page of the service has more
MAX_LINES = 120  # uses in the drawing and in the list
MAX_LISTED = 200  # versions that are listed by name
MAX_TEXT = 3_500  # characters of names in the drawing, and again in the list
MAX_POINTERS = 3  # listed for a use
MAX_POINTER = 48  # characters
MAX_START, MAX_END = 17, 9  # characters kept of a name that is too long for its box
CHARACTER_WIDTH = 7.3  # pixels
MIN_WIDTH = 130  # pixels of a box


@dataclass(frozen=True, slots=True)
class Use:
    """A relation from one version to another, with the pointers at which it is used."""

    relation: str
    exact: str
    pointers: tuple[str, ...]

    @property
    def shown_pointers(self) -> tuple[str, ...]:
        """Return the first pointers, truncated, without the root."""
        return tuple(
            shorten_pointer(pointer) for pointer in self.pointers[:MAX_POINTERS] if pointer
        )

    @property
    def hidden_count(self) -> int:
        """Return how many pointers are not shown."""
        return max(0, len(self.pointers) - MAX_POINTERS)


@dataclass(frozen=True, slots=True)
class LineageStep:
    """A version in the list, its use by the one above, and the versions that it uses.

    If the version is repeated, `inner` is empty.
    """

    member: LineageMember
    use: Use | None
    is_repeated: bool
    inner: tuple[LineageStep, ...]


@public_page
def lineage(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Draw and list the nearest sixty versions, and name the others."""
    version_detail = detail.version_detail(reference)
    page = lineages.load_lineage(Reference.parse(version_detail.version.exact)).page
    members = members_to_draw(page.rows)
    distant = [version_detail.version.exact, *json.loads(version_detail.version.lineage)][
        len(members) :
    ]
    drawing = _drawing(members)
    listed = distant[: _count_fitting(distant, MAX_LISTED)]
    context = {
        "drawing": drawing,
        "boxes": _labelled_boxes(drawing, members),
        "root": _steps(members),
        "drawn_count": len(members),
        "member_count": len(members) + len(distant),
        "distant": listed,
        "unlisted_count": len(distant) - len(listed),
    }
    return render(
        request, "registry/lineage/page.html", version_sections(version_detail, "lineage") | context
    )


def members_to_draw(members: Sequence[LineageMember]) -> Sequence[LineageMember]:
    """Return the nearest members, as many as a page can show with all uses among them."""
    count = _count_fitting([member.version.exact for member in members], MAX_DRAWN)
    while count > 1 and sum(len(uses) for uses in _uses(members[:count]).values()) > MAX_LINES:
        count -= 1
    return members[:count]


def shorten_pointer(pointer: str) -> str:
    """Return the end of a pointer, its most significant part."""
    return pointer if len(pointer) <= MAX_POINTER else f"…{pointer[-MAX_POINTER:]}"


def _count_fitting(texts: Sequence[str], limit: int) -> int:
    """Return how many of the texts fit on a page; at least one."""
    size = 0
    for index, text in enumerate(texts[:limit]):
        size += len(text)
        if index and size > MAX_TEXT:
            return index
    return min(limit, len(texts))


def _uses(members: Sequence[LineageMember]) -> dict[str, list[Use]]:
    """Return the uses of each shown version, grouped by relation and used version."""
    references = {member.version.exact for member in members}
    all_uses: dict[str, list[Use]] = {}
    for member in members:
        pointers: dict[tuple[str, str], list[str]] = {}
        for use in member.uses:
            if use["resolved"] in references:
                pointers.setdefault((use["relation"], use["resolved"]), []).append(use["pointer"])
        all_uses[member.version.exact] = [
            Use(relation, exact, tuple(texts)) for (relation, exact), texts in pointers.items()
        ]
    return all_uses


def _drawing(members: Sequence[LineageMember]) -> Drawing:
    edges = [
        GraphEdge(exact, use.exact, use.relation)
        for exact, uses in _uses(members).items()
        for use in uses
    ]
    longest = max(len(_shorten(member.version.tag.text)) for member in members)
    width = max(MIN_WIDTH, round(longest * CHARACTER_WIDTH) + 20)
    return draw_graph([member.version.exact for member in members], edges, width=width)


def _labelled_boxes(
    drawing: Drawing, members: Sequence[LineageMember]
) -> list[tuple[GraphBox, Version, str, str]]:
    """Return the box of each version, with the two lines of its text."""
    boxes = {box.key: box for box in drawing.boxes}
    versions = [member.version for member in members]
    return [(boxes[each.exact], each, _shorten(each.tag.text), _note(each)) for each in versions]


def _note(version: Version) -> str:
    """Return the second line of a box: number, kind, and whether it is yanked."""
    kind = version.kind or "mixin"
    return f"{version.number} {shorten(kind, MAX_START)}{' yanked' if version.yanked else ''}"


def _shorten(name: str) -> str:
    """Truncate a name in the middle to fit its box."""
    return name if len(name) <= MAX_START + MAX_END + 1 else f"{name[:MAX_START]}…{name[-MAX_END:]}"


def _steps(members: Sequence[LineageMember]) -> LineageStep:
    by_exact = {member.version.exact: member for member in members}
    return _step(members[0].version.exact, None, by_exact, _uses(members), set())


def _step(
    exact: str,
    use: Use | None,
    members: Mapping[str, LineageMember],
    uses: Mapping[str, Sequence[Use]],
    listed: set[str],
) -> LineageStep:
    if exact in listed:
        return LineageStep(members[exact], use, is_repeated=True, inner=())
    listed.add(exact)
    inner = tuple(_step(used.exact, used, members, uses, listed) for used in uses[exact])
    return LineageStep(members[exact], use, is_repeated=False, inner=inner)
