"""The search of the documents."""

import pytest

from registry.web.documents import search as module
from registry.web.documents.search import MAX_HEADINGS, search, search_headings
from tests.web.conftest import Visitor

FIRST = {
    "tuning key": "/docs/glossary#tuning-key",
    "Tuning KEY": "/docs/glossary#tuning-key",
    "yank": "/docs/glossary#yank",
    "yanks": "/docs/glossary#yank",
    "rate limit": "/docs/api/conventions#rate-limits",
    "cmake toolchain": "/docs/build-tools#cmake",
    "inheritance": "/docs/concepts#inheritance",
    "claim namespace": "/docs/namespaces#claiming-a-namespace",
    "squatting": "/docs/namespaces#squatting",
    "github actions": "/docs/build-tools#github-actions",
    "problem codes": "/docs/api/codes#problem-codes",
    "MCPU_UNKNOWN": "/docs/api/codes#MCPU_UNKNOWN",
    "worked example": "/docs/tuning#a-worked-example",
}


@pytest.mark.parametrize(("text", "url"), FIRST.items())
def test_best_section_comes_first(text: str, url: str) -> None:
    assert search(text).hits[0].url == url


def test_misspelt_word_is_replaced_and_named() -> None:
    results = search("inheritence")
    assert results.corrected == (("inheritence", "inheritance"),)
    assert results.hits[0].section.title == "Inheritance"


def test_word_that_no_document_has_is_ignored_and_named() -> None:
    results = search("yank qqqqqq")
    assert results.ignored == ("qqqqqq",)
    assert results.hits == search("yank").hits


def test_every_hit_has_every_word() -> None:
    hits = search("canonical digest").hits
    assert len(hits) > 1
    for hit in hits:
        text = f"{hit.page.title} {hit.section.title} {hit.section.text}".lower()
        assert "canonical" in text
        assert "digest" in text


def test_sections_with_most_words_are_shown_if_none_has_all() -> None:
    results = search("canonical bytes squatting")
    assert results.is_partial
    assert results.hits[0].section.title == "A digest names bytes"
    assert not search("canonical bytes").is_partial


@pytest.mark.parametrize(("count", "unread"), [(8, ()), (9, ("lint",))])
def test_words_beyond_the_limit_are_named(count: int, unread: tuple[str, ...]) -> None:
    words = ["canonical", "digest", "bytes", "names", "tag", "key", "text", "version", "lint"]
    assert search(" ".join(words[:count])).unread == unread


def test_hits_that_are_left_out_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    every = len(search("canonical digest").hits)
    for limit, more in ((every, 0), (every - 1, 1)):
        monkeypatch.setattr(module, "MAX_HITS", limit)
        results = search("canonical digest")
        assert (len(results.hits), results.more) == (limit, more)


@pytest.mark.parametrize("text", ["", "  ", "!?", "…", "tuning " * 9])
def test_headings_are_not_found_by_a_part_of_the_words(text: str) -> None:
    assert search_headings(text) == ()


@pytest.mark.parametrize("text", ["", "  ", "!?", "…"])
def test_query_without_words_finds_nothing(text: str) -> None:
    assert search(text).hits == search_headings(text) == ()


def test_headings_need_every_word() -> None:
    titles = [hit.section.title for hit in search_headings("tuning key")]
    assert titles[:2] == ["tuning key", "Tuning keys and versions"]
    assert len(search_headings("get")) == MAX_HEADINGS
    assert search_headings("tuning rtx") == search_headings("rtx 4090") == ()


@pytest.mark.django_db
def test_page_shows_hits_without_queries(visit: Visitor) -> None:
    page = visit("/docs/?q=inheritence+qqqqqq")
    assert (page.status, page.queries) == (200, 0)
    assert "/docs/concepts#inheritance" in page.links
    assert "no document has inheritence" in page.text.replace(" .", ".")
    assert "Ignored, since no document has it: qqqqqq" in page.text


@pytest.mark.django_db
def test_page_without_hits_leads_to_the_search_of_tags(visit: Visitor) -> None:
    page = visit("/docs/?q=zzzzzz")
    assert "No results" in page.text
    assert "/tags/?q=zzzzzz" in page.links


@pytest.mark.django_db
def test_page_says_what_was_left_out(visit: Visitor) -> None:
    text = visit("/docs/?q=tag+tag+tag+tag+tag+tag+tag+tag+qqqq").text
    assert "Not searched for, since only the first 8 words count: qqqq" in text
    assert "Showing the best 12 sections." in text
    assert "Not searched for" not in visit("/docs/?q=tag").text


@pytest.mark.django_db
def test_hostile_queries_are_answered(visit: Visitor) -> None:
    for text in ("%3Cscript%3E", "%00", "a" * 5000, "%27%22", "(.*)%2B"):
        assert visit(f"/docs/?q={text}").status == 200


@pytest.mark.django_db
def test_search_of_tags_names_headings_that_match(visit: Visitor) -> None:
    page = visit("/tags/?q=tuning+key")
    assert "In the documentation: tuning key" in page.text
    assert "/docs/glossary#tuning-key" in page.links
    assert "In the documentation" not in visit("/tags/?q=jetson").text
    assert "In the documentation" not in visit("/tags/").text
