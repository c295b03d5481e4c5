"""The home page: the introduction and the list of tags."""

import html
import re
import shlex
from urllib.parse import urlsplit

import pytest
from django.test import Client

from registry.domain.descriptions.descriptions import CATEGORIES
from registry.domain.reference import Reference, Tag as TagName
from registry.models import User
from registry.services.core import stored_usage
from registry.services.core.permissions import Actor
from registry.services.core.usage import today
from registry.services.events.event_verbs import VERBS
from registry.services.tags import deprecation
from registry.services.versions import yanking
from registry.web.search.introduction import TASKS
from tests.publishing import publish, yank
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}


def row_text(page_html: str, tag: str) -> str:
    rows = re.findall(r"<tr>.*?</tr>", page_html, re.DOTALL)
    return re.sub(r"<[^>]*>|\s+", " ", next(row for row in rows if f">{tag}</a>" in row))


def test_the_first_command_has_each_part_that_is_explained(visit: Visitor) -> None:
    page = visit("/").html
    parts = re.findall(r"<dt>([^<]*)</dt>", page.partition('class="anatomy"')[2])[:4]
    assert f"/api/v1/resolve/{''.join(parts)}?format=target" in page
    assert parts[-1] == "@1"


@pytest.mark.usefixtures("acme")
def test_each_task_leads_to_as_many_tags_as_it_says(visit: Visitor) -> None:
    for category in CATEGORIES:
        publish(f"acme/{category}", BOARD | {"hardware": {"category": category}})
    page = visit("/")
    found = re.findall(
        r'<h3><a href="([^"]+)">.*?</a> <span class="count">([0-9,]+)</span>', page.html
    )
    assert len(found) == len(TASKS)
    for url, count in found:
        assert re.search(rf"\b{count} tags?\b", visit(html.unescape(url)).text)
    categories = page.text.partition("What do you build for?")[2].partition("Recently")[0]
    assert "neural processor" in categories  # beside the GPUs of their task
    assert "cloud instance" not in categories  # a task of one category is not counted twice


def test_a_list_names_the_categories_of_a_task(visit: Visitor) -> None:
    page = visit("/?where=/hardware/category%3Dserver-cpu%7Cdesktop-cpu")
    assert "category server CPUs, desktop CPUs" in page.text


def test_every_category_belongs_to_one_task() -> None:
    categories = [category for _, names in TASKS.values() for category in names]
    assert sorted(categories) == sorted(CATEGORIES)


def test_vendors_lead_to_their_tags(visit: Visitor) -> None:
    page = visit("/")
    assert "/?vendor=NVIDIA" in page.links
    assert re.search(r'class="mark mark-\d" aria-hidden="true">Nv</span>', page.html)


@pytest.mark.usefixtures("acme")
def test_loading_the_catalogue_is_one_change(visit: Visitor) -> None:
    assert len(re.findall(r"catalogue published", visit("/").text)) == 1
    publish("acme/board", BOARD)
    page = visit("/")
    assert len(re.findall(r"catalogue published", page.text)) == 1
    assert "/tags/acme/board@1.0.0" in page.links


def test_the_most_used_tags_are_listed(visit: Visitor) -> None:
    assert "Most used" not in visit("/").text
    stored_usage.add_counts({("arm/soc", today()): 7})
    assert re.search(r"Most used arm/soc c \S* ?7 How often", visit("/").text)


def test_command_of_the_home_page_works(visit: Visitor, client: Client) -> None:
    page = visit("/")
    command = html.unescape(re.findall(r"<code>(curl .*?)</code>", page.html)[0])
    curl, options, url = shlex.split(command)
    assert (curl, options) == ("curl", "-fsS")
    assert url.startswith("http://testserver/")
    response = client.get(url.removeprefix("http://testserver"))
    assert response.status_code == 200
    assert '"cortex-m7"' in response.content.decode()
    assert urlsplit(url).query == "format=target"


def test_rows_for_maintainers_show_kind_newest_version_status_and_date(visit: Visitor) -> None:
    page = visit("/?q=jetson-nano:cuda&view=maintainer")
    row = row_text(page.html, "nvidia/jetson-nano:cuda")
    assert re.search(
        r"cuda +sm_53 +NVIDIA +\d+\.\d+\.\d+ +active +▲ +1 lint "
        r"+\d{4}-\d\d-\d\d +(just now|\d+\s\w+ ago)",
        row,
    )


@pytest.mark.usefixtures("acme")
def test_status_is_shown_in_words(visit: Visitor, alice: User) -> None:
    for name in ("acme/old", "acme/gone"):
        publish(name, BOARD)
    deprecation.deprecate(TagName.parse("acme/old"), reason="too old", actor=Actor.operator(alice))
    yank("acme/gone@1.0.0")
    page = visit("/?namespace=acme&status=any")
    assert "deprecated" in row_text(page.html, "acme/old")
    assert "yanked" in row_text(page.html, "acme/gone")


@pytest.mark.usefixtures("acme")
def test_deprecated_tags_are_listed_on_request_with_their_successor(
    visit: Visitor, alice: User
) -> None:
    for name in ("acme/old", "acme/new"):
        publish(name, BOARD)
    old, new = TagName.parse("acme/old"), TagName.parse("acme/new")
    deprecation.deprecate(old, reason="renamed", actor=Actor.operator(alice), successor=new)
    page = visit("/?namespace=acme")
    assert "acme/old" not in page.text
    assert "/?namespace=acme&amp;status=any" in page.links
    assert "/?namespace=acme&amp;status=deprecated" in page.links
    everything = visit("/?namespace=acme&status=any")
    assert re.search(r"use +acme/new +instead", row_text(everything.html, "acme/old"))
    assert "acme/new" in row_text(visit("/?q=acme/old").html, "acme/old")


def test_the_plain_name_comes_first(visit: Visitor) -> None:
    page = visit("/?q=a100")
    assert row_text(page.html, "nvidia/a100")
    assert "/tags/nvidia/nvidia-a100" in page.links


@pytest.mark.usefixtures("acme")
def test_recent_changes_have_the_verbs_of_the_event_log(visit: Visitor, alice: User) -> None:
    publish("acme/cpu", BOARD)
    yank("acme/cpu@1.0.0")
    reference = Reference.parse("acme/cpu@1.0.0")
    yanking.unyank(reference, reason="right figures", actor=Actor.operator(alice))
    text = visit("/").text
    for action in ("version.published", "version.yanked", "version.unyanked"):
        assert f"alice {VERBS[action]}" in text
    assert "alice restored" not in text


@pytest.mark.parametrize("query", ["rtx4090", "RTX 4090", "GeForce_RTX-4090", "nvidia/rtx-4090"])
def test_search_ignores_case_and_punctuation(visit: Visitor, query: str) -> None:
    assert "/tags/nvidia/geforce-rtx-4090" in visit(f"/?q={query}").links


def test_search_without_matches_lists_similar_tags(visit: Visitor) -> None:
    page = visit("/?q=4091")
    assert page.status == 200
    assert "None of them is what was searched for" in page.text
    assert "/tags/nvidia/geforce-rtx-4090" in page.links


def test_an_answer_has_three_parts(visit: Visitor) -> None:
    page = visit("/?q=rtx+4091")
    results, missing = page.html.split('<h3 id="missing">Not in the catalogue</h3>')
    missing, nearest = missing.split('<h3 id="nearest">Other machines</h3>')
    assert "No tags match “rtx 4091”" in results
    assert "that begin with “rtx 40” and 2 more digits, none is “rtx 4091”" in missing
    assert 'href="/tags/nvidia' not in results + missing
    assert "4090, not 4091" in nearest


def test_what_is_known_to_be_missing_has_its_reason(visit: Visitor) -> None:
    page = visit("/?q=gaudi+3")
    assert "Not in the catalogue" in page.text
    assert "Its graph compiler comes with the vendor's software" in page.text
    assert "Other machines" not in page.text


def test_a_group_of_names_says_so(visit: Visitor) -> None:
    assert "No tag is named “rtx 40”: 3 begin with it" in visit("/?q=rtx+40").text


def test_a_number_that_facts_do_not_state_is_marked(visit: Visitor) -> None:
    assert "does not state 3gb" in visit("/?q=jetson+tx2+3gb").text


def test_search_without_similar_tags_explains_how_to_search(visit: Visitor) -> None:
    page = visit("/?q=zzzzzz")
    assert "No tags match “zzzzzz”" in page.text
    assert "No tag has this name." in page.text
    assert "with digits" not in page.text  # it has none
    assert "Every word with digits has to be in the name" in visit("/?q=zzzzzz+77").text


@pytest.mark.parametrize(
    ("query", "tag"),
    [
        ("q=zzzz 9090", "zzzz-9090"),
        ("q=zzzz 9090&namespace=nvidia", "nvidia/zzzz-9090"),
        ("q=zzzz/9090:aot&namespace=nvidia", "zzzz/9090:aot"),
    ],
)
def test_submission_of_a_missing_tag_begins_with_its_name(
    visit: Visitor, query: str, tag: str
) -> None:
    (url,) = re.findall(r'href="(/submit\?[^"]*)">Submit it', visit(f"/?{query}").html)
    page = visit(html.unescape(url))
    assert page.status == 200
    assert f'value="{tag}" name="tag"' in page.html


def test_ignored_words_and_reasons_are_shown(visit: Visitor) -> None:
    page = visit("/?q=maxwell+sm_53+qqqq")
    assert "Ignored, since no name has it: qqqq" in page.text
    assert "family: Maxwell" in page.text


@pytest.mark.parametrize(("last", "unread"), [("", []), ("+qqqq", ["qqqq"])])
def test_words_beyond_the_limit_are_shown(visit: Visitor, last: str, unread: list[str]) -> None:
    query = f"maxwell+sm_53+nvidia+cuda+jetson+nano+aarch64+cortex+maxwell{last}"
    page = visit(f"/?q={query}")
    sentence = "Not searched for, since only the first 8 words and 200 characters count: qqqq"
    assert (sentence in page.text) is bool(unread)
    assert "nvidia/jetson-nano" in page.text
    assert visit.client.get(f"/api/v1/tags?q={query}").json()["ignored"] == unread


def test_search_in_a_namespace_finds_only_its_tags(visit: Visitor) -> None:
    page = visit("/?q=a&namespace=riscv")
    assert page.status == 200
    assert not re.search(r'href="/tags/(?!riscv|")', page.html)


@pytest.mark.parametrize(
    "query", ["%00", "%F0%9F%8E%AF", "x" * 5000, "%27%22%3E%3Cscript%3E", "%25"]
)
def test_unusual_queries_are_accepted(visit: Visitor, query: str) -> None:
    page = visit(f"/?q={query}")
    assert page.status == 200
    assert "<script>" not in page.html.partition("<body")[2]


def test_query_is_escaped(visit: Visitor) -> None:
    page = visit("/?q=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E")
    assert "&lt;img src=x onerror=alert(1)&gt;" in page.html
    assert "<img src=x" not in page.html


@pytest.mark.usefixtures("acme")
def test_the_home_page_is_computed_once_per_write(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    visit("/")
    assert visit("/").queries <= 3


def test_the_home_page_is_small(visit: Visitor) -> None:
    assert len(visit("/").html.encode()) < 20_000


@pytest.mark.usefixtures("acme")
def test_number_of_queries_does_not_grow_with_the_list(visit: Visitor) -> None:
    visit("/tags/")  # fills caches of the process
    publish("acme/board-0", BOARD)
    namespace, all_tags = visit("/?namespace=acme"), visit("/tags/")
    for number in range(1, 20):
        publish(f"acme/board-{number}", BOARD | {"num-cores": number})
    assert (namespace.queries, all_tags.queries) == (7, 4)
    assert (visit("/?namespace=acme").queries, visit("/tags/").queries) == (7, 4)


def test_tags_without_a_name_are_a_list(visit: Visitor) -> None:
    assert re.search(r"All [0-9,]+ tags", visit("/tags/").text)
    assert "/tags/nvidia/jetson-nano" in visit("/tags/?q=jetson").links


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("view=maintainers", "maintainers"),
        ("members=all", "all"),
        ("column=memory&column=memry", "memry"),
        ("q=jetson&column=%3Cb%3E", "<b>"),
    ],
)
def test_unknown_looks_are_refused(visit: Visitor, query: str, value: str) -> None:
    for path in ("/", "/tags/"):
        page = visit(f"{path}?{query}")
        assert page.status == 400
        assert value in page.text
        assert "expected" in page.text


@pytest.mark.parametrize("query", ["view=", "members=&column=", "view=maintainer&column=memory"])
def test_known_and_empty_looks_are_not(visit: Visitor, query: str) -> None:
    assert visit(f"/tags/?{query}").status == 200
