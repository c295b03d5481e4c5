"""The page of all machines that run code for a version, or of all code that its machine runs."""

import html
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.services.versions import runners
from tests.people import make_acme
from tests.publishing import publish

pytestmark = pytest.mark.django_db

LINUX = "x86_64-unknown-linux-gnu"
CODE = "/runs-on/acme/code"


@pytest.fixture(scope="module", autouse=True)
def machines(module_transaction: None) -> None:
    make_acme()
    names = {"code": "haswell", "old": "nehalem", "new": "znver4", "level": "x86-64"}
    for name, mcpu in names.items():
        publish(f"acme/{name}", {"kind": "llvm", "mtriple": LINUX, "mcpu": mcpu})
    publish("acme/gpu", {"kind": "cuda", "arch": "sm_80"})
    publish("acme/gpu:next", {"kind": "cuda", "arch": "sm_90"})
    publish("acme/aot", {"executor": "aot"})


def page(client: Client, path: str, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status
    return response.content.decode()


def listed(text: str) -> list[str]:
    """Return the tags of the rows, without their namespace."""
    rows = text.partition("<tbody>")[2].partition("</tbody>")[0].split('<th scope="row">')[1:]
    return [row.partition('href="/tags/acme/')[2].partition('"')[0] for row in rows]


def next_url(text: str) -> str:
    _, _, after = text.partition('<a rel="next" href="')
    return html.unescape(after.partition('"')[0]) if after else ""


@pytest.mark.parametrize(
    ("query", "tags"),
    [
        ("", ["code", "new"]),
        ("direction=machines&verdict=yes", ["code", "new"]),
        ("verdict=no", ["old"]),
        ("verdict=unknown", ["aot", "gpu", "gpu:next", "level"]),
        ("verdict=conditional", []),
        ("direction=targets", ["code", "level", "old"]),
        ("direction=targets&verdict=no", ["new"]),
        ("arch=x86_64", ["code", "new"]),
        ("arch=aarch64", []),
        ("kind=cuda", []),
        ("where=/mcpu=znver4", ["new"]),
        ("where=/mcpu=nehalem", []),
        ("vendor=&kind=&arch=", ["code", "new"]),
    ],
)
def test_rows_have_the_verdict_and_pass_the_filters(
    client: Client, query: str, tags: list[str]
) -> None:
    assert listed(page(client, f"{CODE}?namespace=acme&{query}")) == tags


@pytest.mark.parametrize("direction", ["machines", "targets"])
@pytest.mark.parametrize("verdict", ["yes", "conditional", "unknown", "no"])
def test_the_page_lists_what_the_api_lists(client: Client, direction: str, verdict: str) -> None:
    query = f"namespace=acme&direction={direction}&verdict={verdict}"
    rows = client.get(f"/api/v1{CODE}?{query}").json()["results"]
    assert listed(page(client, f"{CODE}?{query}")) == [row["tag"][5:] for row in rows]


@pytest.mark.parametrize(
    ("query", "heading"),
    [
        ("", "Machines that run code for"),
        ("verdict=no", "Machines that do not run code for"),
        ("direction=targets", "Code that runs on"),
        ("direction=targets&verdict=unknown", "Code not known to run on"),
    ],
)
def test_the_heading_says_what_is_listed(client: Client, query: str, heading: str) -> None:
    assert f'<h1 id="rows">{heading} <a' in page(client, f"{CODE}?{query}")


def test_a_row_leads_to_the_whole_answer(client: Client) -> None:
    of_machines = page(client, f"{CODE}?namespace=acme&driver=570.26")
    assert "/runs-on?built_for=acme%2Fcode&amp;machine=acme%2Fnew&amp;driver=570.26" in of_machines
    of_targets = page(client, f"{CODE}?namespace=acme&direction=targets")
    assert "/runs-on?built_for=acme%2Fold&amp;machine=acme%2Fcode" in of_targets


def test_conditional_rows_have_their_conditions_and_options_decide(client: Client) -> None:
    path = "/runs-on/acme/gpu?namespace=acme&verdict={}"
    conditional = page(client, path.format("conditional"))
    assert listed(conditional) == ["gpu:next"]
    assert "the file also has ptx" in conditional
    assert listed(page(client, path.format("no&ships=cubin"))) == ["gpu:next"]
    assert "gpu:next" in listed(page(client, path.format("yes&ships=cubin,ptx")))


def test_reasons_are_listed_unless_they_are_all_the_same(client: Client) -> None:
    reason = '<th scope="col">Reason</th>'
    assert reason in page(client, f"{CODE}?namespace=acme&verdict=no")
    certain = page(client, f"{CODE}?namespace=acme")
    assert listed(certain)
    assert reason not in certain
    assert "has all that the code needs" not in certain


def test_filters_and_options_can_be_removed_and_are_kept(client: Client) -> None:
    text = page(client, f"{CODE}?namespace=acme&where=/mcpu=znver4&ships=ptx&verdict=yes")
    assert '<input type="hidden" name="where" value="/mcpu=znver4">' in text
    assert '<input type="hidden" name="ships" value="ptx">' in text
    assert '<input type="hidden" name="namespace"' not in text
    assert 'value="acme"' in text
    without = "direction=machines&amp;verdict=yes&amp;namespace=acme&amp;ships=ptx"
    assert f'href="{CODE}?{without}"' in text


def test_what_the_list_does_not_take_is_not_applied(client: Client) -> None:
    text = page(client, f"{CODE}?namespace=acme&q=znver4&q=x&sort=wrong&other=1")
    assert listed(text) == ["code", "new"]
    assert 'name="q" value="znver4"' not in text.partition("<main")[2]


def test_pages_have_each_tag_once(client: Client) -> None:
    url, tags = f"{CODE}?namespace=acme&direction=targets&limit=1", []
    while url:
        text = page(client, url)
        tags += listed(text)
        url = next_url(text)
    assert tags == ["code", "level", "old"]


def test_an_empty_page_that_is_not_the_last_says_so(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runners, "MAX_JUDGED", 2)
    text = page(client, f"{CODE}?namespace=acme&verdict=no")
    assert listed(text) == []
    assert "None of the 2 tags that this page compared. There are more tags" in text
    assert next_url(text)
    last = page(client, f"{CODE}?namespace=acme&kind=cuda&verdict=no")
    assert "There are more tags" not in last
    assert not next_url(last)


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        (f"{CODE}?direction=up", 400, "machines"),
        (f"{CODE}?verdict=maybe", 400, "conditional"),
        (f"{CODE}?namespace=nothing", 404, "nothing"),
        (f"{CODE}?limit=0", 400, "limit"),
        (f"{CODE}?kind=a&kind=b", 400, "kind is repeated"),
        (f"{CODE}?vendor=nvidia", 400, "vendor=nvidia is not valid"),
        (f"{CODE}?where=", 200, "Machines that run"),
        (f"{CODE}?where=%3E%3E", 400, "where"),
        (f"{CODE}?cursor=x", 400, "cursor"),
        (f"{CODE}?driver=new", 400, "driver"),
        (f"{CODE}?ships=zip", 400, "some of cubin, ptx"),
        ("/runs-on/acme/cdoe", 404, "acme/code"),
        ("/runs-on/acme/code@9", 404, "acme/code"),
        ("/runs-on/acme", 400, "acme"),
    ],
)
def test_bad_lists_are_refused_in_words(
    client: Client, path: str, status: int, message: str
) -> None:
    assert message in page(client, path, status)


def test_a_list_takes_as_many_queries_as_that_of_the_api_and_the_frame(client: Client) -> None:
    def selects(path: str) -> int:
        client.get(path)
        with CaptureQueriesContext(connection) as queries:
            client.get(path)
        return len([each for each in queries if "SELECT" in each["sql"]])

    frame = selects("/runs-on")
    in_api = selects(f"/api/v1{CODE}?direction=machines")
    assert selects(CODE) <= frame + in_api


def test_the_page_of_a_tag_and_the_form_lead_to_the_lists(client: Client) -> None:
    for path in ("/tags/acme/code", "/runs-on?built_for=acme/code"):
        assert f'href="{CODE}?direction=machines"' in page(client, path)
    for path in ("/tags/acme/code", "/runs-on?machine=acme/code"):
        assert f'href="{CODE}?direction=targets"' in page(client, path)


@pytest.mark.parametrize("query", ["", "?built_for=acme", "?machine=acme&built_for="])
def test_a_form_without_a_valid_target_leads_to_no_list(client: Client, query: Any) -> None:
    assert "/runs-on/acme" not in page(client, f"/runs-on{query}")
