"""Machines of a family, compared by their facts."""

import pytest
from hypothesis import given, strategies as st

from registry.domain.search.comparable_facts import COMPARABLE_FACTS, FACT_ORDERS, FactOrder
from registry.domain.search.peers import NEIGHBOURS, Peer, fact_ranges, neighbours, sort_peers

SIZES = [
    Peer("acme/small", {"memory": 4, "cores": 2}),
    Peer("acme/m10", {"memory": 8}),
    Peer("acme/m2", {"memory": 8, "power": 75}),
    Peer("acme/large", {"memory": 16, "cores": 8}),
    Peer("acme/huge", {"memory": 32}),
    Peer("acme/unknown", {}),
]
ORDERS = st.sampled_from([FactOrder.parse(text) for text in FACT_ORDERS])
PEERS = st.lists(
    st.builds(
        Peer,
        st.from_regex(r"acme/[a-c]{1,3}", fullmatch=True),
        st.dictionaries(st.sampled_from(list(COMPARABLE_FACTS)), st.integers(1, 9)),
    ),
    unique_by=lambda peer: peer.tag,
)


def names(peers: list[Peer]) -> list[str]:
    return [peer.tag.removeprefix("acme/") for peer in peers]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (None, ["huge", "large", "m2", "m10", "small", "unknown"]),
        ("memory", ["huge", "large", "m2", "m10", "small", "unknown"]),
        ("-memory", ["small", "m2", "m10", "large", "huge", "unknown"]),
        ("power", ["m2", "huge", "large", "m10", "small", "unknown"]),
    ],
)
def test_members_are_sorted(order: str | None, expected: list[str]) -> None:
    assert names(sort_peers(SIZES, FactOrder.parse(order) if order else None)) == expected


def test_range_counts_those_that_state_the_fact() -> None:
    ranges = fact_ranges(SIZES)
    assert list(ranges) == ["memory", "cores", "power"]
    memory = ranges["memory"]
    assert (memory.smallest, memory.largest, memory.count) == (4, 32, 5)
    assert (memory.share(32), memory.share(8), memory.share(0.01)) == (100, 25, 1)


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("small", ["m2", "m10", "large", "huge"]),
        ("large", ["small", "m2", "m10", "huge"]),
        ("unknown", ["large", "m2", "m10", "small"]),
    ],
)
def test_neighbours_are_nearest_in_size(tag: str, expected: list[str]) -> None:
    assert neighbours(SIZES, f"acme/{tag}") == [f"acme/{name}" for name in expected]


def test_neighbours_of_the_same_series_come_first() -> None:
    sizes = {"rtx-4080": 16, "rtx-4060-ti": 8, "rtx-4090": 24, "l4": 24, "l40": 25, "rtx-ada": 23}
    peers = [Peer(f"acme/{name}", {"memory": size}) for name, size in sizes.items()]
    nearest = ["rtx-4060-ti", "rtx-4080", "rtx-ada", "l4"]
    assert neighbours(peers, "acme/rtx-4090") == [f"acme/{name}" for name in nearest]


def test_tag_alone_in_its_family_has_no_neighbours() -> None:
    assert neighbours(SIZES[:1], "acme/small") == []
    assert neighbours([], "acme/small") == []


@given(PEERS, ORDERS)
def test_sorting_keeps_every_member(peers: list[Peer], order: FactOrder) -> None:
    assert sorted(names(sort_peers(peers, order))) == sorted(names(peers))


@given(PEERS)
def test_neighbours_are_others_each_once(peers: list[Peer]) -> None:
    for peer in peers:
        found = neighbours(peers, peer.tag)
        assert peer.tag not in found
        assert len(found) == len(set(found)) <= NEIGHBOURS
        assert len(found) >= 1 or len(peers) == 1
