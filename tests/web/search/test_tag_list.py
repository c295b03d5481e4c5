"""The list of tags: filters, facets, conditions, sort orders and pages, all in the URL."""

import html
import json
import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.test import Client

from registry.models import Tag
from registry.services.search import searching
from tests.publishing import publish, yank
from tests.web.conftest import Page, Visitor

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}
FIVE = "&".join(f"where=num-cores%3E%3D{at}" for at in range(5))


def links(page: Page) -> dict[str, str]:
    """Return the page's links by their text; of equal ones, the last."""
    found = re.findall(r'<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)</a>', page.html, re.DOTALL)
    return {words(inner): html.unescape(url) for url, inner in found}


def words(markup: str) -> str:
    text = html.unescape(re.sub(r"<[^>]*>", " ", markup))
    return re.sub(r"\s+", " ", text).strip()


def tags(page: Page) -> list[str]:
    return re.findall(r'<th scope="row"><a href="/tags/([^"]+)"', page.html)


def asks(url: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(url).query)


def hidden(page: Page, form: str) -> list[tuple[str, str]]:
    """Return the hidden fields of a form."""
    markup = page.html.partition(f'<form class="{form}')[2].partition("</form>")[0]
    found = re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', markup)
    return [(name, html.unescape(value)) for name, value in found]


# Facets.


def test_each_fact_of_the_tags_found_is_a_link_with_its_count(visit: Visitor) -> None:
    page = visit("/?q=jetson")
    for title in ("Namespace", "Kind", "Vendor", "Architecture", "Family", "Status"):
        assert f"<h3>{title}</h3>" in page.html
    count = next(text for text in links(page) if text.startswith("cuda ")).split()[1]
    found = visit(links(page)[f"cuda {count}"])
    assert len(tags(found)) == int(count)


def test_facets_add_to_what_is_asked_and_a_chosen_one_leads_back(visit: Visitor) -> None:
    page = visit("/?q=jetson&where=num-cores%3E%3D2&sort=published")
    both = links(visit(next(url for text, url in links(page).items() if text.startswith("cuda "))))
    chosen = next(url for text, url in both.items() if text.startswith("Any Kind instead of cuda"))
    before = [("q", "jetson"), ("where", "num-cores>=2"), ("sort", "published")]
    assert asks(chosen) == before
    assert ("kind", "cuda") in asks(both["Remove filter name jetson ✕"])


def test_more_than_a_few_values_are_one_step_away(visit: Visitor) -> None:
    page = visit("/")
    aside = page.html.partition("<h3>Architecture</h3>")[2].partition("<h3>")[0]
    first, _, others = aside.partition("<details>")
    assert first.count("<li>") == 7
    assert others.count("<li>") == 13
    assert "Only the most frequent are listed" in others


@pytest.mark.usefixtures("acme")
def test_value_that_a_url_must_escape_can_be_chosen(visit: Visitor) -> None:
    publish("acme/odd", BOARD | {"hardware": {"vendor": 'A & B <"i">'}})
    url = links(visit("/?q=acme/odd"))['A & B <"i"> 1']
    assert tags(visit(url)) == ["acme/odd"]
    assert '<"i">' not in visit(url).html


# Chips.


def test_each_filter_is_a_chip_that_removes_it(visit: Visitor) -> None:
    page = visit("/?q=jetson&kind=cuda&where=num-cores%3E%3D2&where=/host/kind%3Dllvm")
    found = links(page)
    assert asks(found["Remove filter kind cuda ✕"]) == [
        ("q", "jetson"),
        ("where", "num-cores>=2"),
        ("where", "/host/kind=llvm"),
    ]
    assert asks(found["Remove filter where num-cores>=2 ✕"]) == [
        ("q", "jetson"),
        ("kind", "cuda"),
        ("where", "/host/kind=llvm"),
    ]
    assert found["Clear all"] == "/"


def test_search_keeps_all_filters_but_the_text(visit: Visitor) -> None:
    page = visit("/?q=jetson&kind=cuda&where=num-cores%3E%3D2&sort=published")
    assert hidden(page, "search") == [
        ("kind", "cuda"),
        ("where", "num-cores>=2"),
        ("sort", "published"),
    ]


def test_search_that_only_filters_leave_empty_leads_to_all_tags(visit: Visitor) -> None:
    page = visit("/?q=geforce&kind=hexagon")
    assert "No match for “geforce”" in page.text
    assert links(page)["Search all tags"] == "/?q=geforce"


# Conditions.


@pytest.mark.parametrize("where", ["num-cores>=4", "/host/mcpu=cortex-a57"])
def test_conditions_narrow_as_they_do_in_the_api(
    visit: Visitor, client: Client, where: str
) -> None:
    expected = client.get("/api/v1/tags", {"where": where}).json()
    page = visit(f"/?where={where.replace('=', '%3D').replace('>', '%3E')}")
    assert tags(page) == [entry["tag"] for entry in expected["results"]] != []
    assert f"{expected['total']} tag" in page.text


def test_field_adds_a_condition_to_those_there_are(visit: Visitor) -> None:
    page = visit("/?q=jetson&where=num-cores%3E%3D2")
    assert hidden(page, "condition") == [("q", "jetson"), ("where", "num-cores>=2")]
    assert '<input id="where" name="where" value=""' in page.html


def test_examples_of_conditions_find_something(visit: Visitor) -> None:
    page = visit("/")
    examples = re.findall(r'class="name" href="(/\?where=[^"]*)"', page.html)
    assert len(examples) == 4
    for url in examples:
        assert tags(visit(html.unescape(url))) != []


@pytest.mark.parametrize(
    "typed", ["num-cores", "num-cores!=8", "num-cores>=many", "host/mcpu=x", "<b>=\x00"]
)
def test_what_is_no_condition_is_400_beside_the_field_that_keeps_it(
    visit: Visitor, client: Client, typed: str
) -> None:
    response = client.get("/", {"q": "jetson", "where": [typed, "num-cores>=2"], "kind": "cuda"})
    assert response.status_code == 400
    page = response.content.decode()
    assert f'value="{html.escape(typed)}" required' in page
    assert 'aria-invalid="true"' in page
    assert "Expected: name=value or /pointer=value" in html.unescape(page)
    assert 'value="jetson"' in page
    kept = [("q", "jetson"), ("kind", "cuda"), ("where", "num-cores>=2")]
    markup = page.partition('<form class="condition')[2].partition("</form>")[0]
    found = re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', markup)
    assert [(name, html.unescape(value)) for name, value in found] == kept


def test_examples_stand_in_for_what_is_wrong(visit: Visitor) -> None:
    page = visit("/?where=num-cores%3E%3Dmany&kind=llvm")
    assert asks(links(page)["num-cores>=8"]) == [("kind", "llvm"), ("where", "num-cores>=8")]
    assert "num-cores>=8" not in links(visit("/?where=num-cores%3E%3D8"))


def test_five_conditions_are_the_most(visit: Visitor) -> None:
    page = visit(f"/?{FIVE}")
    assert page.status == 200
    assert "5 conditions at most" in page.text
    assert 'id="where"' not in page.html
    sixth = visit(f"/?{FIVE}&where=arch%3Dsm_90")
    assert sixth.status == 400
    assert "6 conditions are too many" in sixth.text
    assert 'name="where" value="arch=sm_90"' in sixth.html


# Orders.


@pytest.mark.usefixtures("acme")
def test_recently_published_come_first_where_asked(visit: Visitor) -> None:
    for name in ("acme/a", "acme/b", "acme/c"):
        publish(name, BOARD)
    publish("acme/a", BOARD | {"num-cores": 2})
    yank("acme/b@1.0.0")
    page = visit("/?namespace=acme")
    assert tags(page) == ["acme/a", "acme/b", "acme/c"]
    recent = visit(links(page)["recently published"])
    assert tags(recent) == ["acme/a", "acme/c"]
    assert "2 tags" in recent.text


def test_order_of_the_list_is_marked(visit: Visitor) -> None:
    assert 'aria-current="true">name</a>' in visit("/").html
    assert 'aria-current="true">best match</a>' in visit("/?q=jetson").html
    assert 'aria-current="true">recently published</a>' in visit("/?sort=published").html


# Pages.


@pytest.mark.parametrize("query", ["", "?q=geforce", "?kind=cuda&sort=published"])
def test_pages_follow_each_other_without_gap(visit: Visitor, query: str) -> None:
    page = visit(f"/{query}")
    seen = tags(page)
    assert len(seen) == searching.PAGE_SIZE
    while following := links(page).get("Next page"):
        page = visit(following)
        assert page.status == 200
        assert asks(links(page)["First page"]) == parse_qsl(query.lstrip("?"))
        seen += tags(page)
    assert len(seen) == len(set(seen))
    if not query:
        assert seen == sorted(Tag.objects.values_list("text", flat=True))


def test_cursor_of_another_question_or_of_the_api_is_400_and_leads_to_the_beginning(
    visit: Visitor, client: Client
) -> None:
    following = links(visit("/?q=geforce"))["Next page"]
    of_api = client.get("/api/v1/tags", {"q": "geforce"}).json()["next"].partition("?")[2]
    for url in (following.replace("geforce", "quadro"), f"/?{of_api}"):
        page = visit(url)
        assert page.status == 400
        assert "belongs to a different request" in page.text
        assert "q=" in links(page)["First page"]


@pytest.mark.parametrize("cursor", ["", "x", "%00", "x" * 5000, "%F0%9F%8E%AF"])
def test_broken_cursor_is_400(visit: Visitor, cursor: str) -> None:
    assert visit(f"/?cursor={cursor}").status == 400


# What cannot be asked.


@pytest.mark.parametrize(
    ("query", "status", "link"),
    [
        ("namespace=nvidai", 404, "namespace=nvidia"),
        ("kind=cudda&q=rtx", 400, "kind=cuda"),
        ("status=activ", 400, "status=active"),
    ],
)
def test_value_that_there_is_not_names_near_ones(
    visit: Visitor, query: str, status: int, link: str
) -> None:
    page = visit(f"/?{query}")
    assert page.status == status
    assert "Did you mean" in page.text
    assert f"/?{link}" in page.links or f"/?q=rtx&amp;{link}" in page.links


@pytest.mark.parametrize(
    "query",
    [
        "kind=cuda&kind=llvm",
        "q=a&q=b",
        "sort=random",
        f"arch={'x' * 129}",
        "vendor=%00",
        "kind=%00",
    ],
)
def test_nonsense_is_400_and_says_what_was_expected(visit: Visitor, query: str) -> None:
    page = visit(f"/?{query}")
    assert page.status == 400
    assert re.search(r"xpected|one of|printable|once", page.text)
    assert 'rel="alternate" type="application/json"' not in page.html


def test_parameter_that_means_nothing_is_ignored(visit: Visitor) -> None:
    page = visit("/?utm_source=x&q=jetson")
    assert page.status == 200
    assert "utm_source" not in page.html


# The API's resource.


def test_the_same_list_is_linked_as_json_with_the_same_filters(
    visit: Visitor, client: Client
) -> None:
    page = visit("/?q=jetson&kind=cuda&where=num-cores%3E%3D2&sort=published&namespace=")
    url = links(page)["This list as JSON"]
    assert f'rel="alternate" type="application/json" href="{html.escape(url)}"' in page.html
    answer = json.loads(client.get(url).content)
    assert [entry["tag"] for entry in answer["results"]] == tags(page) != []


def test_reference_to_one_version_leads_to_it(visit: Visitor) -> None:
    page = visit("/?q=nvidia/jetson-nano:cuda@1.0.0")
    assert "/tags/nvidia/jetson-nano:cuda@1.0.0" in page.links
    assert "names one version" not in visit("/?q=nvidia/jetson-nano:cuda").text


def test_counts_that_end_early_say_so(visit: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MAX_MATCHES", 10)
    page = visit("/?q=geforce")
    assert "10+ tags match “geforce”" in page.text
    assert "more tags than were counted" in page.text


@pytest.mark.usefixtures("acme")
def test_number_of_queries_does_not_grow_with_what_is_found(visit: Visitor) -> None:
    urls = (
        "/?namespace=acme",
        "/?q=acme",
        "/?namespace=acme&sort=published",
        "/?namespace=acme&where=mcpu%3Dhaswell&where=kind%3Dllvm",
    )
    publish("acme/board-0", BOARD)
    few = [visit(url).queries for url in urls]
    for at in range(1, 20):
        publish(f"acme/board-{at}", BOARD | {"num-cores": at})
    assert [visit(url).queries for url in urls] == few
    assert max(few) <= 8
