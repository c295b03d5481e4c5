"""Suggestions of tags and kinds while somebody types."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

pytestmark = pytest.mark.django_db


def suggest(client: Client, text: str, **parameters: str) -> str:
    response = client.get("/suggestions", {"q": text, **parameters})
    assert response.status_code == 200
    return response.content.decode()


def values(html: str) -> list[str]:
    return re.findall(r'data-autocomplete-value="([^"]*)"', html)


def test_best_matches_come_first_with_vendor_and_architecture(client: Client) -> None:
    html = suggest(client, "jetson nano")
    assert values(html)[0] == "nvidia/jetson-nano"
    assert html.count('role="option"') == len(values(html)) <= 8
    assert "NVIDIA, sm_53" in html


def test_search_field_gets_links(client: Client) -> None:
    html = suggest(client, "jetson nano", links="")
    assert '<a role="option" href="/tags/nvidia/jetson-nano">' in html
    assert values(html) == []


def test_last_of_several_references_is_completed(client: Client) -> None:
    first, *_ = values(suggest(client, "arm/soc@1,  jetson-na", separator=","))
    assert first == "arm/soc@1, nvidia/jetson-nano"
    first, *_ = values(suggest(client, "arm/soc@1 jetson-na", separator=" "))
    assert first == "arm/soc@1 nvidia/jetson-nano"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("cud", ["cuda", "cuda_host"]),
        ("OpenC", ["opencl"]),
        ("opncl", ["opencl"]),
        ("jetson", []),
        ("c", []),
    ],
)
def test_kinds_come_before_tags_where_a_field_takes_both(
    client: Client, text: str, kinds: list[str]
) -> None:
    suggested = values(suggest(client, text, kinds="1"))
    assert suggested[: len(kinds)] == kinds
    assert all("/" in value for value in suggested[len(kinds) :])
    assert len(suggested) <= 8
    assert not set(kinds) & set(values(suggest(client, text)))


def test_misspelt_name_gets_similar_ones(client: Client) -> None:
    assert "nvidia/jetson-nano" in values(suggest(client, "nvidia/jetsn-nano"))


def test_the_last_word_may_be_a_beginning(client: Client) -> None:
    assert "nvidia/geforce-rtx-4090" in values(suggest(client, "rtx 409"))


def test_other_machines_and_what_is_missing_are_said_to_be_so(client: Client) -> None:
    html = suggest(client, "gaudi 3")
    assert "Not in the catalogue: Intel Gaudi 3" in html
    assert values(html) == []
    assert "Another machine:" in suggest(client, "rtx 4091")


@pytest.mark.parametrize("text", ["", "j", "arm/soc@1", "zzzzzz 98765"])
def test_nothing_is_suggested_for(text: str, client: Client) -> None:
    assert suggest(client, text).strip() == ""
    assert suggest(client, f"arm/soc,{text}", separator=",").strip() == ""


def test_text_is_escaped(client: Client) -> None:
    html = suggest(client, "<script>, jetson", separator=",")
    assert "<script>" not in html
    assert "&lt;script&gt;, nvidia/" in html


def test_number_of_queries_does_not_depend_on_the_results(client: Client) -> None:
    counts = set()
    for text in ("jetson-nano", "nvidia"):
        with CaptureQueriesContext(connection) as captured:
            suggest(client, text)
        counts.add(len(captured))
    assert max(counts) <= 10  # completions, and what names do not explain, depend on the words


@pytest.mark.parametrize("text", ["test", "tes", "te"])
def test_kind_of_tests_is_suggested_to_nobody(client: Client, text: str) -> None:
    assert "test" not in values(suggest(client, text, kinds="1"))
