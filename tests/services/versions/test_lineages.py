"""Lineages of versions."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Reference
from registry.services.core import paging
from registry.services.versions import lineages
from registry.services.versions.lineages import LineageMember
from tests.publishing import chain, publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]


def lineage(text: str) -> list[LineageMember]:
    page = lineages.load_lineage(Reference.parse(text)).page
    assert page.next_key is None
    return list(page.rows)


def distances(text: str) -> list[tuple[str, int]]:
    return [(member.version.exact, member.distance) for member in lineage(text)]


@pytest.fixture
def family(acme: object) -> None:
    """Publish a box whose host and parent both inherit from one CPU."""
    publish("acme/cpu", {"kind": "llvm", "mcpu": "haswell"})
    publish("acme/host", {"tag": "acme/cpu@1", "num-cores": 4})
    publish("acme/gpu", {"kind": "cuda", "arch": "sm_90", "host": "acme/cpu"})
    publish("acme/box", {"tag": ["acme/gpu"], "host": "acme/host"})


@pytest.mark.usefixtures("family")
def test_lineage_has_the_version_then_ancestors_once_breadth_first() -> None:
    assert distances("acme/box") == [
        ("acme/box@1.0.0", 0),
        ("acme/gpu@1.0.0", 1),
        ("acme/host@1.0.0", 1),
        ("acme/cpu@1.0.0", 2),
    ]


@pytest.mark.usefixtures("family")
def test_members_have_their_direct_uses() -> None:
    uses = {member.version.tag.text: list(member.uses) for member in lineage("acme/box")}
    assert uses["acme/cpu"] == []
    assert uses["acme/gpu"] == [
        {
            "pointer": "/host",
            "requested": "acme/cpu",
            "resolved": "acme/cpu@1.0.0",
            "relation": "composes",
        }
    ]
    assert [(use["pointer"], use["resolved"]) for use in uses["acme/box"]] == [
        ("", "acme/gpu@1.0.0"),
        ("/host", "acme/host@1.0.0"),
    ]


@pytest.mark.usefixtures("family")
def test_yanked_ancestor_is_marked() -> None:
    yank("acme/cpu@1.0.0")
    assert [member.version.yanked for member in lineage("acme/box")] == [False, False, False, True]


def test_version_without_ancestors_is_alone() -> None:
    assert distances("arm/soc") == [("arm/soc@1.0.0", 0)]


def test_three_queries_at_any_lineage_length() -> None:
    last = chain(9)
    for text in ("arm/soc:aot", last):
        with CaptureQueriesContext(connection) as captured:
            lineages.load_lineage(Reference.parse(text))
        assert len(captured) == 3


def test_pages_contain_all_members_once_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    last = chain(9)
    expected = distances(last)
    monkeypatch.setattr(lineages, "PAGE", 4)
    assert [len(rows) for rows in _pages(last)] == [4, 4, 1]
    assert [(m.version.exact, m.distance) for rows in _pages(last) for m in rows] == expected


def test_page_size_is_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    last = chain(6)
    monkeypatch.setattr(lineages, "MAX_USES", 250)  # bytes; two uses
    sizes = [len(rows) for rows in _pages(last)]
    assert sum(sizes) == 6
    assert max(sizes) < 6
    assert min(sizes) >= 1


def test_later_pages_keep_to_the_version_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    last = chain(3)
    monkeypatch.setattr(lineages, "PAGE", 2)
    reference = Reference.parse(last)
    first = lineages.load_lineage(reference)
    publish(last, {"kind": "c", "mcpu": "cortex-m7"})
    second = lineages.load_lineage(reference, after=first.page.next_key)
    assert second.choice.exact == first.choice.exact
    assert [member.version.exact for member in second.page.rows] == ["acme/link-0@1.0.0"]


def _pages(text: str) -> list[tuple[LineageMember, ...]]:
    pages, after = [], None
    while True:
        page = lineages.load_lineage(Reference.parse(text), after=after).page
        pages.append(page.rows)
        after = page.next_key
        if after is None:
            return pages


def test_page_size_is_100() -> None:
    assert paging.PAGE == lineages.PAGE == 100
