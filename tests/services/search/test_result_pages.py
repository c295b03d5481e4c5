"""The pages of what a search finds."""

import pytest

from registry.services.search import search_query, text_search
from tests.publishing import publish
from tests.services.search.searches import BOARD, all_tags, facet_counts, search, tags

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("text", "where", "facts"),
    [
        ("", (), {}),
        ("", (), {"namespace": "nvidia"}),
        ("", ("thread_warp_size=32",), {}),
        ("geforce", (), {}),
        ("geforce", ("thread_warp_size=32",), {"status": "active"}),
    ],
)
def test_pages_contain_every_match_once(
    text: str, where: tuple[str, ...], facts: dict[str, str]
) -> None:
    results = search(text, *where, **facts)
    names = all_tags(text, *where, **facts)
    assert len(names) == len(set(names)) == results.total > search_query.PAGE_SIZE
    if not text:
        assert names == sorted(names)


@pytest.mark.usefixtures("acme")
def test_new_tags_do_not_shift_pages() -> None:
    first = search("")
    publish("acme/aaa", BOARD)
    second = search("", after=first.next_key)
    assert not set(tags(first)) & set(tags(second))
    assert tags(second)[0] > tags(first)[-1]


def test_last_page_has_no_next_key(monkeypatch: pytest.MonkeyPatch) -> None:
    total = search("jetson nano").total
    monkeypatch.setattr(search_query, "PAGE_SIZE", total)
    assert search("jetson nano").next_key is None
    monkeypatch.setattr(search_query, "PAGE_SIZE", 3)
    assert search("", namespace="riscv", after=["riscv/sifive-u54"]).next_key is None
    monkeypatch.setattr(search_query, "PAGE_SIZE", 2)
    assert search("jetson nano").next_key is not None


def test_number_of_ranked_matches_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_search, "MAX_MATCHES", 10)
    results = search("geforce")
    assert (results.total, results.is_capped) == (10, True)
    assert sum(facet_counts(results, "status").values()) == 10
    assert len(all_tags("geforce")) == 10
