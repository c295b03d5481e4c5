"""The page that says whether code for one target runs on the machine of another."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.people import make_acme
from tests.publishing import publish

pytestmark = pytest.mark.django_db

LINUX = "x86_64-unknown-linux-gnu"


@pytest.fixture(scope="module", autouse=True)
def machines(module_transaction: None) -> None:
    make_acme()
    publish("acme/new", {"kind": "llvm", "mtriple": LINUX, "mcpu": "haswell"})
    publish("acme/old", {"kind": "llvm", "mtriple": LINUX, "mcpu": "nehalem"})
    publish("acme/gpu", {"kind": "cuda", "arch": "sm_80"})
    publish("acme/gpu:next", {"kind": "cuda", "arch": "sm_90"})


def page(client: Client, query: str, status: int = 200) -> str:
    response = client.get(f"/runs-on{query}")
    assert response.status_code == status
    return response.content.decode()


def test_an_empty_form_asks(client: Client) -> None:
    html = page(client, "")
    assert "<h1>Does it run there?</h1>" in html
    assert "<table" not in html


def test_one_target_is_kept_in_the_form(client: Client) -> None:
    html = page(client, "?built_for=acme/new")
    assert 'value="acme/new"' in html
    assert "<table" not in html


@pytest.mark.parametrize(
    ("query", "headline"),
    [
        ("built_for=acme/old&machine=acme/new", "It runs"),
        ("built_for=acme/new&machine=acme/old", "It does not run"),
        ("built_for=acme/gpu&machine=acme/gpu:next", "It runs under conditions"),
        ("built_for=acme/gpu&machine=acme/new", "Not known"),
        ("built_for=acme/gpu&machine=acme/gpu:next&ships=cubin", "It does not run"),
        ("built_for=acme/gpu&machine=acme/gpu:next&ships=cubin&ships=ptx", "It runs"),
    ],
)
def test_the_answer_comes_first(client: Client, query: str, headline: str) -> None:
    assert f">{headline}</h1>" in page(client, f"?{query}")


def test_reasons_and_links_follow(client: Client) -> None:
    html = page(client, "?built_for=acme/new&machine=acme/old")
    assert "which nehalem does not have." in html
    assert 'href="/runs-on?built_for=acme%2Fold&amp;machine=acme%2Fnew"' in html
    assert 'href="/api/v1/runs-on/acme/new...acme/old"' in html
    assert 'href="/compare?tag=acme%2Fnew&amp;tag=acme%2Fold"' in html


@pytest.mark.parametrize(
    ("host", "heading"),
    [("haswell", "It runs if"), ("", "It needs at least")],
)
def test_conditions_promise_no_more_than_the_answer(
    client: Client, host: str, heading: str
) -> None:
    new = {"kind": "llvm", "mtriple": LINUX, "mcpu": "haswell"}
    publish("acme/box", {"kind": "cuda", "arch": "sm_80", "host": new})
    machine = new | {"mcpu": host} if host else {"kind": "llvm"}
    publish("acme/box:next", {"kind": "cuda", "arch": "sm_90", "host": machine})
    html = page(client, "?built_for=acme/box&machine=acme/box:next")
    assert "<li>the file also has ptx</li>" in html
    assert f"<h2>{heading}</h2>" in html


def test_conditions_are_clauses(client: Client) -> None:
    html = page(client, "?built_for=acme/gpu&machine=acme/gpu:next")
    assert "<li>the file also has ptx</li>" in html
    assert "<li>the driver is 520 or later</li>" in html


@pytest.mark.parametrize(
    ("query", "status", "message"),
    [
        ("?built_for=acme/nwe&machine=acme/old", 404, "acme/new"),
        ("?built_for=acme&machine=acme/old", 400, "is not a tag"),
        ("?built_for=acme/new&machine=acme/old&driver=new", 400, "NVIDIA&#x27;s driver"),
        ("?built_for=acme/new&machine=acme/old&ships=zip", 400, "some of cubin, ptx"),
    ],
)
def test_errors_keep_what_was_typed(client: Client, query: str, status: int, message: str) -> None:
    html = page(client, query, status)
    assert message in html
    assert 'value="acme/old"' in html


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("driver=new", ["driver"]),
        ("toolkit=12..8", ["toolkit"]),
        ("ships=zip", ["ships"]),
        ("ships=zip&driver=new&toolkit=x", ["ships", "toolkit", "driver"]),
        ("driver=570.26&toolkit=12.8&ships=ptx&strict=true", []),
        ("compiler=gcc", []),
        ("compiler=rustc", ["compiler"]),
        ("driver=&toolkit=", []),
    ],
)
def test_errors_of_options_stand_at_their_fields(
    client: Client, query: str, wrong: list[str]
) -> None:
    status = 400 if wrong else 200
    html = page(client, f"?built_for=acme/gpu&machine=acme/gpu&{query}", status)
    assert re.findall(r'<p class="reference-error" id="(\w+)-why"', html) == wrong
    assert re.findall(r'aria-describedby="(\w+)-why"', html) == wrong
    assert "Expected on both sides" not in html


def test_an_answer_takes_as_many_queries_as_a_comparison(client: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        page(client, "?built_for=acme/new&machine=acme/old")
    with CaptureQueriesContext(connection) as comparison:
        client.get("/compare?tag=acme/new&tag=acme/old")
    assert len(queries) <= len(comparison)


def test_a_comparison_of_two_leads_to_the_question(client: Client) -> None:
    html = client.get("/compare?tag=acme/new&tag=acme/old").content.decode()
    assert 'href="/runs-on?built_for=acme%2Fnew&amp;machine=acme%2Fold"' in html
    three = client.get("/compare?tag=acme/new&tag=acme/old&tag=acme/gpu").content.decode()
    assert "/runs-on?" not in three


def test_the_page_of_a_tag_leads_to_both_questions(client: Client) -> None:
    html = client.get("/tags/acme/new").content.decode()
    assert 'href="/runs-on?built_for=acme/new"' in html
    assert 'href="/runs-on?machine=acme/new"' in html
