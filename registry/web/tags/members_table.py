"""The table of a family's members: sortable by links, with bars, one page at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import QueryDict
from django.urls import reverse

from registry.domain.names.choices import check_choice
from registry.domain.reference import Reference
from registry.domain.search.comparable_facts import COMPARABLE_FACTS, FACT_ORDERS, FactOrder
from registry.domain.search.peers import FactRange, fact_ranges, sort_peers
from registry.services.tags.peers import Peers
from registry.web.core.units import fact_text

ROWS = 50  # of a page
NAME, SORT, PAGE = "name", "sort", "page"
WITHOUT_BAR = frozenset({"year"})  # no quantity: half as much means nothing


def members_table(reference: Reference, peers: Peers, parameters: QueryDict) -> dict[str, Any]:
    """Return the `members` context of `registry/tag/members.html`: a page of the members.

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
    return {
        "columns": _columns(path, ranges, order),
        "rows": [
            (peer.tag, [_cell(name, peer.facts.get(name), ranges[name]) for name in ranges])
            for peer in sort_peers(peers.tags, order)[start : start + ROWS]
        ],
        "pages": [
            (number, f"{path}?{SORT}={sort}&{PAGE}={number}#members", number == int(page))
            for number in (range(1, count + 1) if count > 1 else ())
        ],
        "count": len(peers.tags),
        "has_more": peers.has_more,
    }


def _columns(
    path: str, ranges: dict[str, FactRange], order: FactOrder | None
) -> Iterator[tuple[str, str, str]]:
    """Yield the title of each column, the link that sorts by it, and its `aria-sort`."""
    yield "Tag", f"{path}#members", "ascending" if order is None else ""
    for name in ranges:
        fact = COMPARABLE_FACTS[name]
        is_used = order is not None and order.fact is fact
        following = FactOrder(fact, is_used and order is not None and not order.is_reversed)
        direction = "ascending" if order and order.is_reversed else "descending"
        url = f"{path}?{SORT}={following}#members"
        yield fact.title, url, direction if is_used else ""


def _cell(name: str, number: float | None, numbers: FactRange) -> tuple[str, int | None]:
    """Return a fact for people, and its share of the largest in percent; None for no bar."""
    has_bar = number is not None and name not in WITHOUT_BAR
    share = numbers.share(number) if has_bar and number is not None else None
    return fact_text(COMPARABLE_FACTS[name], number), share
