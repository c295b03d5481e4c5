"""Lists of tags as CSV."""

import csv
from typing import Any

import pytest
from django.test import Client

from registry.services.search import searching, text_search
from registry.web.search import csv_list, home
from registry.web.search.csv_list import inert
from tests.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

URL = "/tags.csv"
LIMITS = {False: "MAX_ROWS", True: "MAX_MATCHES"}


def rows(client: Client, **parameters: Any) -> list[dict[str, str]]:
    response: Any = client.get(URL, parameters)
    assert response.status_code == 200
    assert response.streaming
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(response.getvalue().decode().splitlines()))


@pytest.fixture
def cards(acme: object) -> None:
    """Publish three cards, the first of which states no memory."""
    assert acme
    for number, facts in enumerate(({}, {"memory_bytes": 2**30}, {"memory_bytes": 2**31})):
        hardware = {"category": "gpu", "model": "=1+1", **facts}
        publish(f"acme/{number}", {"kind": "cuda", "hardware": hardware})


@pytest.mark.usefixtures("cards")
def test_rows_have_the_order_and_the_facts_of_the_list(client: Client) -> None:
    listed = rows(client, namespace="acme", sort="memory")
    assert [row["tag"] for row in listed] == ["acme/2", "acme/1", "acme/0"]
    assert [row["memory_bytes"] for row in listed] == ["2147483648", "1073741824", ""]
    assert {row["category"] for row in listed} == {"gpu"}
    assert [row["tag"] for row in rows(client, q="acme/1")] == ["acme/1"]


@pytest.mark.usefixtures("cards")
def test_the_whole_list_is_returned_in_batches(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "BATCH", 2)
    for sort in ("", "memory", "best", "published", "used"):
        assert len(rows(client, namespace="acme", sort=sort)) == 3
    monkeypatch.setattr(csv_list, "MAX_ROWS", 1)
    assert [row["tag"] for row in rows(client, namespace="acme")] == [
        "acme/0",
        "More than these 1 tags match. Filter the list, or read all from /api/v1/tags.",
    ]


@pytest.mark.usefixtures("cards")
@pytest.mark.parametrize("query", [{"namespace": "acme"}, {"q": "cuda", "namespace": "acme"}])
@pytest.mark.parametrize(("limit", "count"), [(3, 3), (2, 2)])
def test_a_last_row_says_that_there_are_more(
    client: Client, monkeypatch: pytest.MonkeyPatch, query: dict[str, str], limit: int, count: int
) -> None:
    monkeypatch.setattr(searching, "BATCH", 2)
    monkeypatch.setattr(csv_list if "q" not in query else text_search, LIMITS["q" in query], limit)
    listed = [row["tag"] for row in rows(client, **query)]
    assert len([tag for tag in listed if tag.startswith("acme/")]) == count
    assert listed[count:] == ([csv_list.MORE.format(count)] if limit < 3 else [])


@pytest.mark.usefixtures("cards")
def test_no_value_is_a_formula(client: Client) -> None:
    assert {row["model"] for row in rows(client, namespace="acme")} == {"'=1+1"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((f"{sign}cmd", f"'{sign}cmd") for sign in "=+-@\t\r"),
        ("a=b", "a=b"),
        ("", ""),
        (None, ""),
        (8, "8"),
    ],
)
def test_what_spreadsheets_evaluate_is_quoted(value: object, text: str) -> None:
    assert inert(value) == text


def test_an_invalid_query_is_refused_before_the_response_starts(client: Client) -> None:
    response = client.get(URL, {"sort": "random"})
    assert response.status_code == 400
    assert not response.streaming


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"limit": "5"}, "no parameter limit"),
        ({"cursor": "x"}, "no parameter cursor"),
        ({"vendor": "nvidia"}, "vendor=nvidia is not valid"),
    ],
)
def test_a_parameter_that_would_change_nothing_is_refused(
    client: Client, parameters: dict[str, str], expected: str
) -> None:
    response = client.get(URL, parameters)
    assert response.status_code == 400
    assert expected in response.content.decode()


@pytest.mark.usefixtures("cards")
def test_a_page_says_how_much_of_its_list_the_file_has(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "/tags/?namespace=acme&limit=1"
    assert "as CSV</a></p>" in client.get(page).content.decode()
    monkeypatch.setattr(home, "MAX_ROWS", 2)
    assert "as CSV</a>, which has the first 2</p>" in client.get(page).content.decode()
    assert "limit" not in client.get(page).content.decode().partition("/tags.csv?")[2][:40]


@pytest.mark.usefixtures("cards")
@pytest.mark.parametrize(
    ("text", "ignored"),
    [
        ("acme/1", None),
        ("", None),
        ("nothing-like-it", None),
        ("nvidia rtx 4090 fluffy", '"fluffy"'),
        ("nvidia rtx 4090 cuda 12.4", '"cuda 12.4"'),
        ("nvidia rtx 4090 пушистый", '%"%d0%bf%d1%83%d1%88%d0%b8%d1%81%d1%82%d1%8b%d0%b9"'),
    ],
)
def test_words_that_rows_need_not_have_are_named_in_a_header(
    client: Client, text: str, ignored: str | None
) -> None:
    response: Any = client.get(URL, {"q": text})
    assert response.get("Search-Ignored") == ignored
    first = response.getvalue().decode().splitlines()[0]
    assert first.startswith("tag,reference,category,vendor,"), "as before"
    strict = client.get(URL, {"q": text, "strict": "1"})
    assert strict.status_code == (400 if ignored else 200)
    assert client.get(URL, {"q": text, "strict": "0"}).status_code == 200


@pytest.mark.parametrize(
    ("words", "header"),
    [
        (["a"], '"a"'),
        (['a"b', "c\\d"], r'"a\"b", "c\\d"'),
        (["50%", 'ü%"'], '"50%", %"%c3%bc%%22"'),
        (["A" * 41], f'%"{"A" * 39}%e2%80%a6"'),
        (["x"] * 22, ", ".join(['"x"'] * 20) + ", 2"),
        (["a\n"], '%"a%0a"'),
    ],
)
def test_words_of_the_header_are_strings(words: list[str], header: str) -> None:
    assert csv_list._listed(words) == header


def test_a_strict_that_means_nothing_is_refused(client: Client) -> None:
    assert client.get(URL, {"strict": "yes"}).status_code == 400


def test_an_empty_list_has_a_header(client: Client) -> None:
    response: Any = client.get(URL, {"namespace": "acme"})
    assert response.getvalue().decode().startswith("tag,reference,category,vendor,")
