"""The table of a family's members: sortable by links, with bars, one page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from registry.domain.choices import check_choice
from registry.domain.comparable_facts import COMPARABLE_FACTS, FACT_ORDERS, FactOrder
from registry.domain.peers import FactRange, Peer, fact_ranges, sort_peers
from registry.domain.reference import Reference
from registry.services.tags.peers import Peers
from registry.web.core.units import fact_text

ROWS = 50  # of a page
NAME, SORT, PAGE = "name", "sort", "page"
WITHOUT_BAR = frozenset({"year"})  # no quantity: half as much means nothing


@dataclass(frozen=True, slots=True)
class Cell:
    """A fact of a member for people, and its share of the largest in percent; None for no bar."""

    text: str
    share: int | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column with the link that sorts by it, or reverses it; `order` for `aria-sort`."""

    title: str
    url: str
    order: str


@dataclass(frozen=True, slots=True)
class Row:
    """A member and its facts, one for each column but the first."""

    tag: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link to a page of the table."""

    number: int
    url: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class MembersTable:
    """A page of the members of a family."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    pages: tuple[PageLink, ...]
    count: int
    has_more: bool


def members_table(reference: Reference, peers: Peers, parameters: QueryDict) -> MembersTable:
    """Return the page of members that the parameters ask for.

    Raises `Refused` (REQUEST_INVALID) for an order or a page that does not exist.
    """
    sort = parameters.get(SORT) or NAME
    check_choice(SORT, sort, (NAME, *FACT_ORDERS))
    count = max(1, -(-len(peers.tags) // ROWS))
    page = parameters.get(PAGE) or "1"
    check_choice(PAGE, page, map(str, range(1, count + 1)))
    path = reverse("tag", args=[reference])
    order = FactOrder.parse(sort)
    start = (int(page) - 1) * ROWS
    ranges = fact_ranges(peers.tags)
    return MembersTable(
        columns=tuple(_columns(path, ranges, order)),
        rows=tuple(_rows(sort_peers(peers.tags, order)[start : start + ROWS], ranges)),
        pages=tuple(_page_links(path, sort, count, int(page))),
        count=len(peers.tags),
        has_more=peers.has_more,
    )


def _columns(path: str, ranges: dict[str, FactRange], order: FactOrder | None) -> Sequence[Column]:
    columns = [Column("Tag", f"{path}#members", "ascending" if order is None else "")]
    for name in ranges:
        fact = COMPARABLE_FACTS[name]
        is_used = order is not None and order.fact is fact
        following = FactOrder(fact, is_used and order is not None and not order.is_reversed)
        direction = "ascending" if order and order.is_reversed else "descending"
        url = f"{path}?{SORT}={following}#members"
        columns.append(Column(fact.title, url, direction if is_used else ""))
    return columns


def _rows(peers: Sequence[Peer], ranges: dict[str, FactRange]) -> Sequence[Row]:
    return [
        Row(peer.tag, tuple(_cell(name, peer.facts.get(name), ranges[name]) for name in ranges))
        for peer in peers
    ]


def _cell(name: str, number: float | None, numbers: FactRange) -> Cell:
    has_bar = number is not None and name not in WITHOUT_BAR
    share = numbers.share(number) if has_bar and number is not None else None
    return Cell(fact_text(COMPARABLE_FACTS[name], number), share)


def _page_links(path: str, sort: str, count: int, current: int) -> Sequence[PageLink]:
    numbers = range(1, count + 1) if count > 1 else ()
    return [
        PageLink(number, f"{path}?{SORT}={sort}&{PAGE}={number}#members", number == current)
        for number in numbers
    ]
