"""The list of tags: filters, facets, conditions, sort orders and pages, all in the URL."""

import html
import json
import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.test import Client

from registry.models import Tag
from registry.services.core import usage
from registry.services.search import facets, search_query, text_search
from tests.publishing import publish, yank
from tests.services.search.searches import search
from tests.web.conftest import Page, Visitor

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}
FIVE = "&".join(f"where=num-cores%3E%3D{number}" for number in range(5))


def links(page: Page) -> dict[str, str]:
    """Map the text of links to their URLs; of equal texts, to the last URL."""
    matches = re.findall(r'<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)</a>', page.html, re.DOTALL)
    return {plain_text(inner): html.unescape(url) for url, inner in matches}


def plain_text(markup: str) -> str:
    text = html.unescape(re.sub(r"<[^>]*>", " ", markup))
    return re.sub(r"\s+", " ", text).strip()


def tags(page: Page) -> list[str]:
    return re.findall(r'<th scope="row"><input[^>]*> <a href="/tags/([^"]+)"', page.html)


def query_of(url: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(url).query)


def hidden_fields(markup: str, form: str) -> list[tuple[str, str]]:
    """Return the hidden fields of a form."""
    markup = markup.partition(f'<form class="{form}')[2].partition("</form>")[0]
    fields = re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', markup)
    return [(name, html.unescape(value)) for name, value in fields]


# Facets.


def test_facet_values_are_linked_with_their_counts(visit: Visitor) -> None:
    page = visit("/?q=jetson")
    for title in ("Namespace", "Kind", "Vendor", "Architecture", "Family", "Status"):
        assert f"<h3>{title}</h3>" in page.html
    count = next(text for text in links(page) if text.startswith("cuda ")).split()[1]
    filtered = visit(links(page)[f"cuda {count}"])
    assert len(tags(filtered)) == int(count)


def test_facet_keeps_other_filters_and_is_removed_by_its_selected_value(visit: Visitor) -> None:
    page = visit("/?q=jetson&where=num-cores%3E%3D2&sort=published")
    filtered = links(
        visit(next(url for text, url in links(page).items() if text.startswith("cuda ")))
    )
    removal_url = next(
        url for text, url in filtered.items() if text.startswith("Any Kind instead of cuda")
    )
    before = [("q", "jetson"), ("where", "num-cores>=2"), ("sort", "published")]
    assert query_of(removal_url) == before
    assert ("kind", "cuda") in query_of(filtered["Remove filter search jetson ✕"])


def test_less_frequent_values_are_collapsed(visit: Visitor) -> None:
    page = visit("/tags/")
    facet = page.html.partition("<h3>Architecture</h3>")[2].partition("<h3>")[0]
    visible, _, collapsed = facet.partition("<details>")
    assert visible.count("<li>") == 7
    assert collapsed.count("<li>") == 13
    assert "Only the most frequent are listed" in collapsed


def test_a_facet_with_just_as_many_values_as_are_listed_lists_all(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = max(map(len, search().counts.values()))
    for limit, is_said in ((count, False), (count - 1, True)):
        monkeypatch.setattr(facets, "MAX_VALUES", limit)
        assert ("Only the most frequent are listed" in visit("/tags/").html) is is_said


@pytest.mark.usefixtures("acme")
def test_value_with_special_characters_can_be_selected(visit: Visitor) -> None:
    publish("acme/odd", BOARD | {"hardware": {"vendor": 'A & B <"i">'}})
    url = links(visit("/?q=acme/odd"))['A & B <"i"> 1']
    assert tags(visit(url)) == ["acme/odd"]
    assert '<"i">' not in visit(url).html


# Chips.


def test_each_chip_removes_its_filter(visit: Visitor) -> None:
    page = visit("/?q=jetson&kind=cuda&where=num-cores%3E%3D2&where=/host/kind%3Dllvm")
    page_links = links(page)
    assert query_of(page_links["Remove filter kind cuda ✕"]) == [
        ("q", "jetson"),
        ("where", "num-cores>=2"),
        ("where", "/host/kind=llvm"),
    ]
    assert query_of(page_links["Remove filter where num-cores>=2 ✕"]) == [
        ("q", "jetson"),
        ("kind", "cuda"),
        ("where", "/host/kind=llvm"),
    ]
    assert page_links["Clear all"] == "/tags/"


def test_search_keeps_the_filters(visit: Visitor) -> None:
    page = visit("/?q=jetson&kind=cuda&where=num-cores%3E%3D2&sort=published")
    assert hidden_fields(page.html, "search") == [
        ("kind", "cuda"),
        ("where", "num-cores>=2"),
        ("sort", "published"),
    ]


def test_search_without_matches_links_to_the_search_without_filters(visit: Visitor) -> None:
    page = visit("/?q=geforce&kind=hexagon")
    assert "No tags match “geforce”" in page.text
    assert links(page)["Search all tags"] == "/?q=geforce"


# Conditions.


@pytest.mark.parametrize("where", ["num-cores>=4", "/host/mcpu=cortex-a57"])
def test_conditions_filter_as_in_the_api(visit: Visitor, client: Client, where: str) -> None:
    expected = client.get("/api/v1/tags", {"where": where}).json()
    page = visit(f"/?where={where.replace('=', '%3D').replace('>', '%3E')}&sort=best")
    assert tags(page) == [entry["tag"] for entry in expected["results"]] != []
    assert f"{expected['total']} tag" in page.text


def test_field_adds_a_condition(visit: Visitor) -> None:
    page = visit("/?q=jetson&where=num-cores%3E%3D2")
    assert hidden_fields(page.html, "condition") == [("q", "jetson"), ("where", "num-cores>=2")]
    assert '<input id="where" name="where" value=""' in page.html


def test_example_conditions_match_tags(visit: Visitor) -> None:
    page = visit("/tags/")
    examples = re.findall(r'class="name" href="(/\?where=[^"]*)"', page.html)
    assert len(examples) == 4
    for url in examples:
        assert tags(visit(html.unescape(url))) != []


@pytest.mark.parametrize(
    "condition", ["num-cores", "num-cores!=8", "num-cores>=many", "host/mcpu=x", "<b>=\x00"]
)
def test_invalid_condition_is_400_and_is_kept_in_the_field(client: Client, condition: str) -> None:
    response = client.get(
        "/", {"q": "jetson", "where": [condition, "num-cores>=2"], "kind": "cuda"}
    )
    assert response.status_code == 400
    page = response.content.decode()
    assert f'value="{html.escape(condition)}" required' in page
    assert 'aria-invalid="true"' in page
    assert "Expected: name=value or /pointer=value" in html.unescape(page)
    assert 'value="jetson"' in page
    expected = [("q", "jetson"), ("kind", "cuda"), ("where", "num-cores>=2")]
    assert hidden_fields(page, "condition") == expected


def test_example_replaces_an_invalid_condition(visit: Visitor) -> None:
    page = visit("/?where=num-cores%3E%3Dmany&kind=llvm")
    assert query_of(links(page)["num-cores>=8"]) == [("kind", "llvm"), ("where", "num-cores>=8")]
    assert "num-cores>=8" not in links(visit("/?where=num-cores%3E%3D8"))


def test_at_most_five_conditions_are_allowed(visit: Visitor) -> None:
    page = visit(f"/?{FIVE}")
    assert page.status == 200
    assert "5 conditions at most" in page.text
    assert 'id="where"' not in page.html
    page = visit(f"/?{FIVE}&where=arch%3Dsm_90")
    assert page.status == 400
    assert "6 conditions are too many" in page.text
    assert 'name="where" value="arch=sm_90"' in page.html


# Sort orders.


@pytest.mark.usefixtures("acme")
def test_tags_are_sorted_by_time_of_publication(visit: Visitor) -> None:
    for name in ("acme/a", "acme/b", "acme/c"):
        publish(name, BOARD)
    publish("acme/a", BOARD | {"num-cores": 2})
    yank("acme/b@1.0.0")
    page = visit("/?namespace=acme")
    assert tags(page) == ["acme/a", "acme/b", "acme/c"]
    recent = visit(links(page)["recently published"])
    assert tags(recent) == ["acme/a", "acme/c"]
    assert "2 tags" in recent.text


def test_tags_are_sorted_by_how_often_they_were_resolved(visit: Visitor) -> None:
    usage.count("riscv/sifive-u74", 1234)
    usage.count("arm/soc")
    usage.flush()
    page = visit("/?sort=used")
    assert tags(page)[:3] == ["riscv/sifive-u74", "arm/soc", "apple/m1-gpu"]
    assert "1,234 resolved" in page.text
    assert "sort=used" in page.html.partition('rel="next"')[2]


def test_current_sort_order_is_marked(visit: Visitor) -> None:
    assert 'aria-current="true">machines first</a>' in visit("/tags/").html
    assert 'aria-current="true">name</a>' in visit("/tags/?sort=best").html
    assert 'aria-current="true">best match</a>' in visit("/?q=jetson").html
    assert 'aria-current="true">recently published</a>' in visit("/?sort=published").html
    assert 'aria-current="true">most used</a>' in visit("/?sort=used").html


# Pages.


@pytest.mark.parametrize(
    "query", ["?members=each", "?sort=best&members=each", "?q=geforce", "?kind=cuda&sort=published"]
)
def test_pages_contain_every_tag_once(visit: Visitor, query: str) -> None:
    page = visit(f"/{query}")
    seen = tags(page)
    assert len(seen) == search_query.PAGE_SIZE
    while next_url := links(page).get("Next page"):
        page = visit(next_url)
        assert page.status == 200
        assert query_of(links(page)["First page"]) == parse_qsl(query.lstrip("?"))
        seen += tags(page)
    assert len(seen) == len(set(seen))
    if "best" in query:
        assert seen == sorted(Tag.objects.values_list("text", flat=True))


def test_cursor_of_another_query_is_400_with_a_link_to_the_first_page(
    visit: Visitor, client: Client
) -> None:
    next_url = links(visit("/?q=geforce"))["Next page"]
    api_query = client.get("/api/v1/tags", {"q": "geforce"}).json()["next"].partition("?")[2]
    for url in (next_url.replace("geforce", "quadro"), f"/?{api_query}"):
        page = visit(url)
        assert page.status == 400
        assert "belongs to a different request" in page.text
        assert "q=" in links(page)["First page"]


@pytest.mark.parametrize("cursor", ["", "x", "%00", "x" * 5000, "%F0%9F%8E%AF"])
def test_invalid_cursor_is_400(visit: Visitor, cursor: str) -> None:
    assert visit(f"/?cursor={cursor}").status == 400


# Invalid queries.


@pytest.mark.parametrize(
    ("query", "status", "link"),
    [
        ("namespace=nvidai", 404, "namespace=nvidia"),
        ("kind=cudda&q=rtx", 400, "kind=cuda"),
        ("status=activ", 400, "status=active"),
        ("vendor=nvida&q=rtx", 400, "vendor=NVIDIA"),
        ("arch=x86-64", 400, "arch=x86_64"),
        ("family=maxwel", 400, "family=Maxwell"),
        ("where=num-core%3E%3D8", 400, "where=num-cores%3E%3D8"),
        ("where=/host/mcpuu%3Dx&q=rtx", 400, "where=%2Fhost%2Fmcpu%3Dx"),
        (
            "where=kind%3Dllvm&where=num-core%3D8",
            400,
            "where=kind%3Dllvm&amp;where=num-cores%3D8",
        ),
    ],
)
def test_unknown_value_has_suggestions(visit: Visitor, query: str, status: int, link: str) -> None:
    page = visit(f"/?{query}")
    assert page.status == status
    assert "Did you mean" in page.text
    assert f"/?{link}" in page.links or f"/?{link}&amp;q=rtx" in page.links


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
def test_invalid_query_is_400_with_the_expected_form(visit: Visitor, query: str) -> None:
    page = visit(f"/?{query}")
    assert page.status == 400
    assert re.search(r"xpected|one of|printable|once", page.text)
    assert 'rel="alternate" type="application/json"' not in page.html


def test_unknown_parameter_is_ignored(visit: Visitor) -> None:
    page = visit("/?utm_source=x&q=jetson")
    assert page.status == 200
    assert "utm_source" not in page.html


# The same list in the API.


def test_json_link_returns_the_same_list(visit: Visitor, client: Client) -> None:
    page = visit("/?q=jetson&kind=cuda&where=num-cores%3E%3D2&sort=published&namespace=")
    url = links(page)["This list as JSON"]
    assert f'rel="alternate" type="application/json" href="{html.escape(url)}"' in page.html
    response = json.loads(client.get(url).content)
    assert [entry["tag"] for entry in response["results"]] == tags(page) != []


def test_reference_to_a_version_is_linked(visit: Visitor) -> None:
    page = visit("/?q=nvidia/jetson-nano:cuda@1.0.0")
    assert "/tags/nvidia/jetson-nano:cuda@1.0.0" in page.links
    assert "names one version" not in visit("/?q=nvidia/jetson-nano:cuda").text


def test_capped_counts_have_a_plus_sign(visit: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_search, "MAX_MATCHES", 10)
    page = visit("/?q=geforce")
    assert "10+ tags match “geforce”" in page.text
    assert "more tags than were counted" in page.text


@pytest.mark.usefixtures("acme")
def test_number_of_queries_does_not_grow_with_the_results(visit: Visitor) -> None:
    urls = (
        "/?namespace=acme",
        "/?q=acme",
        "/?namespace=acme&sort=published",
        "/?namespace=acme&where=mcpu%3Dhaswell&where=kind%3Dllvm",
    )
    publish("acme/board-0", BOARD)
    before = [visit(url).queries for url in urls]
    for number in range(1, 20):
        publish(f"acme/board-{number}", BOARD | {"num-cores": number})
    assert [visit(url).queries for url in urls] == before
    assert max(before) <= 11


# Facts.


@pytest.mark.usefixtures("acme")
def test_list_filters_and_sorts_by_facts(visit: Visitor) -> None:
    for name, gib, launched in (
        ("small", 4, "2019"),
        ("large", 16, "2022-10"),
        ("middle", 8, "2022"),
    ):
        hardware = {"memory_bytes": gib * 2**30, "launched": launched}
        publish(f"acme/{name}", BOARD | {"hardware": hardware})
    page = visit("/?namespace=acme&memory_min=8+GiB&sort=memory")
    assert tags(page) == ["acme/large", "acme/middle"]
    assert '16 GiB<svg class="value-bar"' in page.html
    assert 'name="memory_min" aria-label="Memory from" value="8 GiB"' in page.html
    page_links = links(page)
    assert query_of(page_links["memory"]) == [
        ("namespace", "acme"),
        ("memory_min", "8 GiB"),
        ("sort", "-memory"),
    ]
    assert ("sort", "year") in query_of(page_links["year"])
    assert query_of(page_links["Remove filter memory from 8 GiB ✕"]) == [
        ("namespace", "acme"),
        ("sort", "memory"),
    ]
    assert tags(visit("/tags/?namespace=acme&year=2022&limit=1")) == ["acme/large"]


def test_invalid_range_keeps_the_input_and_says_what_is_expected(visit: Visitor) -> None:
    page = visit("/?memory_min=much&kind=cuda")
    assert page.status == 400
    assert "memory_min=much is not valid: expected a number, in bytes or with a unit" in page.text
    assert 'value="much"' in page.html
    assert 'aria-describedby="memory_min-error"' in page.html


@pytest.mark.parametrize("limit", ["0", "101", "ten", "-1", "1.5", "00000"])
def test_invalid_limit_says_what_is_expected(visit: Visitor, limit: str) -> None:
    page = visit(f"/?limit={limit}")
    assert page.status == 400
    assert f"limit={limit} is not valid: expected a whole number from 1 to 100" in page.text


def test_limit_is_kept_on_later_pages(visit: Visitor) -> None:
    page = visit("/?limit=3&members=each")
    assert len(tags(page)) == 3
    following = visit(links(page)["Next page"])
    assert len(tags(following)) == 3
    assert not {*tags(page)} & {*tags(following)}


def test_ranges_count_as_conditions(visit: Visitor) -> None:
    page = visit(f"/?{FIVE}&memory_min=1")
    assert page.status == 400
    assert "6 conditions are too many" in page.text


# What a chooser sees.


def card(name: str, **hardware: object) -> None:
    facts = {"category": "gpu", "vendor": "Acme", "model": name.title(), **hardware}
    publish(f"acme/{name}", {"kind": "cuda", "arch": "sm_90", "hardware": facts})


@pytest.fixture
def cards(acme: object) -> None:
    """Publish three cards, one of which does not state its memory."""
    assert acme
    card("small", memory_bytes=4 * 2**30, launched="2019")
    card("large", memory_bytes=16 * 2**30, memory_bandwidth_bytes_per_s=10**12)
    card("unknown", launched="2022")


def titles(page: Page) -> list[str]:
    """Return the titles of the columns."""
    head = page.html.partition('<table class="tags')[2].partition("</thead>")[0]
    return [plain_text(cell) for cell in re.findall(r"<th scope=\"col\".*?</th>", head)]


@pytest.mark.usefixtures("cards")
def test_a_line_says_what_each_tag_is(visit: Visitor) -> None:
    assert "Acme Large: a GPU cuda sm_90" in visit("/?namespace=acme").text


@pytest.mark.usefixtures("cards")
def test_columns_fit_the_category_or_are_those_of_the_url(visit: Visitor) -> None:
    page = visit("/?namespace=acme")
    assert titles(page) == ["Tag", "Memory", "Bandwidth", "Compute units", "Year"]
    chosen = visit("/?namespace=acme&column=power&column=year")
    assert titles(chosen) == ["Tag", "Power", "Year"]
    assert query_of(links(chosen)["year"]) == [
        *(("namespace", "acme"), ("column", "power"), ("column", "year"), ("sort", "year"))
    ]
    assert query_of(links(chosen)["Those that fit"]) == [("namespace", "acme")]
    assert titles(visit("/?namespace=acme&sort=power"))[-1] == "Power"


@pytest.mark.usefixtures("cards")
def test_choosing_columns_keeps_the_rest_of_the_query(visit: Visitor) -> None:
    page = visit("/?namespace=acme&sort=memory&column=year")
    form = page.html.partition("column-choice")[2]
    assert hidden_fields(form, "condition") == [("namespace", "acme"), ("sort", "memory")]
    checked = re.findall(r'name="column" value="(\w+)" checked', form)
    assert checked == ["memory", "year"]


@pytest.mark.usefixtures("cards")
@pytest.mark.parametrize("sort", ["memory", "-memory"])
@pytest.mark.parametrize("text", ["", "&q=acme"])
def test_what_does_not_state_the_fact_comes_last_and_is_counted(
    visit: Visitor, sort: str, text: str
) -> None:
    page = visit(f"/?namespace=acme&sort={sort}{text}")
    order = ["acme/large", "acme/small"]
    assert tags(page) == [*(order if sort == "memory" else reversed(order)), "acme/unknown"]
    assert "1 does not state it (memory); last in the list" in page.text
    assert "not state it" not in visit(f"/?namespace=acme{text}").text


@pytest.mark.usefixtures("cards")
def test_bars_compare_with_the_largest_of_the_page(visit: Visitor) -> None:
    row = visit("/?namespace=acme").html.partition("acme/small")[2].partition("</tr>")[0]
    assert re.findall(r'<rect width="(\d+)"', row) == ["25"]  # a year has none
    assert row.count("not stated") == 2  # bandwidth and compute units


@pytest.mark.usefixtures("cards")
def test_selected_tags_are_compared(visit: Visitor) -> None:
    page = visit("/?namespace=acme")
    boxes = re.findall(r'type="checkbox" name="tag" value="([^"]+)"', page.html)
    assert boxes == ["acme/large", "acme/small", "acme/unknown"]
    assert '<form class="compare-selected" action="/compare" method="get">' in page.html
    assert "3 targets side by side" in visit("/compare?" + "&tag=".join(["", *boxes])[1:]).text


@pytest.mark.usefixtures("cards")
def test_status_date_and_use_are_for_maintainers(visit: Visitor) -> None:
    page = visit("/?namespace=acme&sort=memory")
    assert "Published" not in titles(page)
    maintained = visit(links(page)["View for maintainers: versions, status, use"])
    assert titles(maintained)[5:] == ["Status", "Published", "Resolved 30 days"]
    assert tags(maintained) == tags(page)
    assert query_of(links(maintained)["View for choosing: facts"]) == [
        *(("namespace", "acme"), ("sort", "memory"))
    ]


def checkboxes(page: Page) -> list[str]:
    return re.findall(r'name="tag" value="([^"]+)"', page.html)


@pytest.fixture
def family(acme: object) -> None:
    """Publish a family of two cards, and a card of none."""
    assert acme
    hardware = {"category": "gpu", "vendor": "Acme", "family": "Cards"}
    publish("acme/cards", {"kind": "cuda", "hardware": hardware})
    Tag.objects.filter(text="acme/cards").update(is_family=True)
    for gib in (4, 16):
        facts = {"memory_bytes": gib * 2**30}
        publish(f"acme/card-{gib}", {"tag": "acme/cards", "hardware": facts})
    card("other")


@pytest.mark.usefixtures("family")
def test_families_fold_their_members(visit: Visitor) -> None:
    page = visit("/?namespace=acme")
    assert re.findall(r'<th scope="row">.*?href="/tags/([^"]+)"', page.html) == [
        *("acme/cards", "acme/other")
    ]
    assert "2 members" in page.text
    assert "4 GiB to 16 GiB" in page.text
    assert checkboxes(page) == ["acme/card-16", "acme/card-4", "acme/other"]
    each = visit(links(page)["List each member of a family"])
    assert tags(each) == ["acme/card-16", "acme/card-4", "acme/cards", "acme/other"]


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize(
    "query", ["q=acme", "namespace=acme&sort=memory", "namespace=acme&memory_min=1"]
)
def test_what_is_searched_for_or_sorted_is_not_folded(visit: Visitor, query: str) -> None:
    page = visit(f"/?{query}")
    assert {"acme/card-4", "acme/card-16"} <= {*tags(page)}
    assert "List each member" not in page.text


@pytest.mark.usefixtures("acme")
def test_lists_begin_with_machines(visit: Visitor, client: Client) -> None:
    for name, category in (("a", "cpu-core"), ("b", "soc"), ("c", "phone"), ("d", "gpu")):
        publish(f"acme/{name}", BOARD | {"hardware": {"category": category}})
    publish("acme/0", BOARD)
    page = visit("/?namespace=acme")
    assert tags(page) == ["acme/d", "acme/c", "acme/b", "acme/a", "acme/0"]
    response = client.get(links(page)["This list as JSON"]).json()
    assert [entry["tag"] for entry in response["results"]] == tags(page)
    by_name = client.get("/api/v1/tags", {"namespace": "acme"}).json()
    assert [entry["tag"] for entry in by_name["results"]] == sorted(tags(page))
    first = visit("/?namespace=acme&limit=2&members=each")
    assert tags(visit(links(first)["Next page"])) == ["acme/b", "acme/a"]
    csv = client.get(links(page)["as CSV"])
    lines = b"".join(csv.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert [line.partition(",")[0] for line in lines[1:]] == tags(page)


@pytest.mark.parametrize(
    "query", ["memory_min=900TB", "compiles=tvm&year_min=2099", "where=opt-level%3D9"]
)
def test_a_list_that_conditions_make_empty_does_not_say_that_there_are_no_tags(
    visit: Visitor, query: str
) -> None:
    text = visit(f"/tags/?{query}").text
    assert "No tag meets all conditions" in text
    assert "There are no tags yet" not in text


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_pages_of_folded_lists_have_every_tag_once(visit: Visitor, limit: int) -> None:
    page = visit(f"/?namespace=acme&limit={limit}")
    names = checkboxes(page)
    while next_page := links(page).get("Next page"):
        page = visit(next_page)
        names += checkboxes(page)
    folded = [] if "acme/cards" in names else ["acme/cards"]  # its row is that of its members
    assert sorted([*names, *folded]) == ["acme/card-16", "acme/card-4", "acme/cards", "acme/other"]
