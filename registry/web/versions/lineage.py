"""The page of a version's lineage: a drawing, and the same as a list."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.reference import Reference
from registry.services.tags import detail
from registry.services.versions import lineages
from registry.services.versions.lineages import LineageMember
from registry.web.core.decorators import public_page
from registry.web.tags.sections import version_sections
from registry.web.versions.graph_drawing import Drawing, GraphBox, GraphEdge, draw_graph

MAX_DRAWN = 60  # versions; a page of the service has more
MAX_LINES = 120  # uses in the drawing and in the list
MAX_LISTED = 200  # versions that are only named
MAX_TEXT = 3_500  # characters of names in the drawing, and again in what is listed besides
MAX_POINTERS = 3  # pointers beside a use
MAX_POINTER = 48  # characters of one
HEAD, TAIL = 17, 9  # characters kept of a name that is too long for its box
CHARACTER = 7.3  # pixels of one in a box
NARROWEST = 130  # pixels of a box


@dataclass(frozen=True, slots=True)
class Use:
    """A relation from one version to another, with the pointers at which it is used."""

    relation: str
    exact: str
    places: tuple[str, ...]

    @property
    def shown(self) -> tuple[str, ...]:
        """Return the first pointers; the root, where a parent is used, has no name."""
        return tuple(ending(place) for place in self.places[:MAX_POINTERS] if place)

    @property
    def further(self) -> int:
        """Return how many pointers are not shown."""
        return max(0, len(self.places) - MAX_POINTERS)


@dataclass(frozen=True, slots=True)
class Step:
    """A version in the list, its use by the one above, and the versions that it uses.

    If a version is listed again, `inner` is empty.
    """

    member: LineageMember
    use: Use | None
    is_again: bool
    inner: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Plate:
    """A box of the drawing with its text."""

    box: GraphBox
    member: LineageMember
    name: str

    @property
    def note(self) -> str:
        """Return the second line of text."""
        version = self.member.version
        kind = version.kind or "mixin"
        short = kind if len(kind) <= HEAD else f"{kind[: HEAD - 1]}…"
        return f"{version.number} {short}{' yanked' if version.yanked else ''}"


@public_page
def lineage(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Draw and list the nearest sixty versions, and name the others."""
    sheet = detail.version_detail(reference)
    found = lineages.load_lineage(Reference.parse(sheet.version.exact)).page
    members = drawn(found.rows)
    beyond = [sheet.version.exact, *json.loads(sheet.version.lineage)][len(members) :]
    drawing = _drawing(members)
    listed = beyond[: _count_fitting(beyond, MAX_LISTED)]
    context = {
        "drawing": drawing,
        "plates": _plates(drawing, members),
        "root": _steps(members),
        "drawn_count": len(members),
        "member_count": len(members) + len(beyond),
        "beyond": listed,
        "unlisted_count": len(beyond) - len(listed),
    }
    return render(
        request, "registry/lineage/page.html", version_sections(sheet, "lineage") | context
    )


def drawn(members: Sequence[LineageMember]) -> Sequence[LineageMember]:
    """Return as many members, from the first, as a page can show with all uses among them."""
    kept = _count_fitting([member.version.exact for member in members], MAX_DRAWN)
    while kept > 1 and sum(len(uses) for uses in _uses(members[:kept]).values()) > MAX_LINES:
        kept -= 1
    return members[:kept]


def ending(pointer: str) -> str:
    """Return a pointer, truncated from the left: its end is the most significant."""
    return pointer if len(pointer) <= MAX_POINTER else f"…{pointer[-MAX_POINTER:]}"


def _count_fitting(texts: Sequence[str], most: int) -> int:
    """Return how many of the texts fit on a page; at least one."""
    size = 0
    for at, text in enumerate(texts[:most]):
        size += len(text)
        if at and size > MAX_TEXT:
            return at
    return min(most, len(texts))


def _uses(members: Sequence[LineageMember]) -> dict[str, list[Use]]:
    """Return the uses of each shown version, grouped by relation and used version."""
    known = {member.version.exact for member in members}
    found: dict[str, list[Use]] = {}
    for member in members:
        places: dict[tuple[str, str], list[str]] = {}
        for use in member.uses:
            if use["resolved"] in known:
                places.setdefault((use["relation"], use["resolved"]), []).append(use["pointer"])
        found[member.version.exact] = [
            Use(relation, exact, tuple(there)) for (relation, exact), there in places.items()
        ]
    return found


def _drawing(members: Sequence[LineageMember]) -> Drawing:
    edges = [
        GraphEdge(exact, use.exact, use.relation)
        for exact, uses in _uses(members).items()
        for use in uses
    ]
    longest = max(len(_shorten(member.version.tag.text)) for member in members)
    width = max(NARROWEST, round(longest * CHARACTER) + 20)
    return draw_graph([member.version.exact for member in members], edges, width=width)


def _plates(drawing: Drawing, members: Sequence[LineageMember]) -> list[Plate]:
    boxes = {box.key: box for box in drawing.boxes}
    return [
        Plate(boxes[member.version.exact], member, _shorten(member.version.tag.text))
        for member in members
    ]


def _shorten(name: str) -> str:
    """Truncate a name in the middle to fit its box."""
    return name if len(name) <= HEAD + TAIL + 1 else f"{name[:HEAD]}…{name[-TAIL:]}"


def _steps(members: Sequence[LineageMember]) -> Step:
    known = {member.version.exact: member for member in members}
    return _step(members[0].version.exact, None, known, _uses(members), set())


def _step(
    exact: str,
    use: Use | None,
    known: Mapping[str, LineageMember],
    uses: Mapping[str, Sequence[Use]],
    listed: set[str],
) -> Step:
    if exact in listed:
        return Step(known[exact], use, is_again=True, inner=())
    listed.add(exact)
    inner = tuple(_step(found.exact, found, known, uses, listed) for found in uses[exact])
    return Step(known[exact], use, is_again=False, inner=inner)
