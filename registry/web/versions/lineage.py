"""What a version was made from: a drawing, and the same as a list."""

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

MOST_DRAWN = 60  # versions; a page of the service has more
MOST_LINES = 120  # uses in the drawing and in the list
MOST_LISTED = 200  # versions that are only named
MOST_TEXT = 3_500  # characters of names in the drawing, and again in what is listed besides
MOST_PLACES = 3  # pointers beside a use
MOST_PLACE = 48  # characters of one
HEAD, TAIL = 17, 9  # characters kept of a name that is too long for its box
CHARACTER = 7.3  # pixels of one in a box
NARROWEST = 130  # pixels of a box


@dataclass(frozen=True, slots=True)
class Use:
    """How one version uses another, at how many places."""

    relation: str
    exact: str
    places: tuple[str, ...]

    @property
    def shown(self) -> tuple[str, ...]:
        """The first of its places; a parent of the whole target has none worth naming."""
        return tuple(ending(place) for place in self.places[:MOST_PLACES] if place)

    @property
    def further(self) -> int:
        """How many places are not shown."""
        return max(0, len(self.places) - MOST_PLACES)


@dataclass(frozen=True, slots=True)
class Step:
    """A place in the list: a version, how the one above uses it, and what it uses itself.

    What it uses stands where it is first listed.
    """

    member: LineageMember
    use: Use | None
    is_again: bool
    inner: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Plate:
    """A box of the drawing with what stands in it."""

    box: GraphBox
    member: LineageMember
    name: str

    @property
    def note(self) -> str:
        """The second line."""
        version = self.member.version
        kind = version.kind or "mixin"
        short = kind if len(kind) <= HEAD else f"{kind[: HEAD - 1]}…"
        return f"{version.number} {short}{' yanked' if version.yanked else ''}"


@public_page
def lineage(request: HttpRequest, reference: Reference) -> HttpResponse:
    """The nearest sixty versions drawn and listed, the others by name."""
    sheet = detail.version_detail(reference)
    found = lineages.load_lineage(Reference.parse(sheet.version.exact)).page
    members = drawn(found.rows)
    beyond = [sheet.version.exact, *json.loads(sheet.version.lineage)][len(members) :]
    drawing = _drawing(members)
    listed = beyond[: _fitting(beyond, MOST_LISTED)]
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
    """As many of a lineage, from its beginning, as a page can show with all uses among them."""
    kept = _fitting([member.version.exact for member in members], MOST_DRAWN)
    while kept > 1 and sum(len(uses) for uses in _uses(members[:kept]).values()) > MOST_LINES:
        kept -= 1
    return members[:kept]


def ending(pointer: str) -> str:
    """A pointer, or where it is long its end, which says most."""
    return pointer if len(pointer) <= MOST_PLACE else f"…{pointer[-MOST_PLACE:]}"


def _fitting(texts: Sequence[str], most: int) -> int:
    """How many of some texts a page can bear; one at least."""
    size = 0
    for at, text in enumerate(texts[:most]):
        size += len(text)
        if at and size > MOST_TEXT:
            return at
    return min(most, len(texts))


def _uses(members: Sequence[LineageMember]) -> dict[str, list[Use]]:
    """The uses of each version among those shown, by what is used and how."""
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
    longest = max(len(_short(member.version.tag.text)) for member in members)
    width = max(NARROWEST, round(longest * CHARACTER) + 20)
    return draw_graph([member.version.exact for member in members], edges, width=width)


def _plates(drawing: Drawing, members: Sequence[LineageMember]) -> list[Plate]:
    boxes = {box.key: box for box in drawing.boxes}
    return [
        Plate(boxes[member.version.exact], member, _short(member.version.tag.text))
        for member in members
    ]


def _short(name: str) -> str:
    """A name as a box holds it: its beginning and its end say most."""
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
