"""Running a GET from the API reference."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from registry.api.core.docs import operations
from registry.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

RESOLVE = {"operation": "resolve", "reference": "nvidia/jetson-nano:cuda"}


def run(client: Client, **parameters: str | list[str]) -> Any:
    return client.get("/api/v1/docs/run", parameters)


def text(response: Any) -> str:
    return html.unescape(response.content.decode())


def test_every_get_of_the_reference_has_a_form_that_runs(client: Client) -> None:
    page = client.get("/api/v1/docs").content.decode()
    forms = re.findall(r'name="operation" value="([^"]+)"', page)
    assert forms == [each.anchor for each in operations() if each.method == "GET"]
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for operation in operations():
        if operation.method == "GET":
            values = {each.name: value for each, value in operation.examples if value}
            response = run(client, operation=operation.anchor, **values)
            assert response.status_code in {200, 400}, operation.anchor
            assert "curl -sS -i " in text(response)


def test_answer_and_command_are_those_of_the_api(client: Client) -> None:
    page = run(client, **RESOLVE, format="clang")
    assert page.status_code == 200
    path = "/api/v1/resolve/nvidia/jetson-nano:cuda?format=clang"
    assert f"curl -sS -i 'http://testserver{path}'" in text(page)
    answer = client.get(path)
    assert answer.content.decode().splitlines()[0] in text(page)
    assert f"ETag: {answer['ETag']}" in text(page)
    assert "200 OK" in text(page)


def test_errors_of_the_api_are_answers_too(client: Client) -> None:
    page = run(client, operation="resolve", reference="nvidia/no-such")
    assert page.status_code == 200, "the page works; the answer is an error"
    assert "404 Not Found" in text(page)
    assert '"code": "TAG_UNKNOWN"' in text(page)
    page = run(client, operation="tags", limit="1000")
    assert "400 Bad Request" in text(page)


def test_every_value_of_a_repeated_parameter_is_a_condition(client: Client) -> None:
    conditions = ["num-cores>=4", "num-cores<8"]
    page = run(client, operation="tags", where=conditions, limit="1")
    query = "where=num-cores%3E%3D4&where=num-cores%3C8&limit=1"
    assert f"curl -sS -i 'http://testserver/api/v1/tags?{query}'" in text(page)
    total = client.get(f"/api/v1/tags?{query}").json()["total"]
    assert 0 < total < client.get("/api/v1/tags?where=num-cores%3C8").json()["total"]
    assert f'"total": {total},' in text(page)
    inputs = re.findall(
        r'<input id="([^"]+)" class="name" name="where" value="([^"]*)"', text(page)
    )
    assert [value for _, value in inputs] == [*conditions, ""], "one more for another condition"
    assert len({key for key, _ in inputs}) == 3


def test_one_value_has_one_input(client: Client) -> None:
    page = text(run(client, operation="tags", vendor="NVIDIA", q=" jetson  nano "))
    assert page.count('name="vendor"') == page.count('name="where"') == 1
    assert 'name="q" value="jetson  nano"' in page
    assert "where=" not in page, "empty inputs are no parameters"


@pytest.mark.parametrize(
    ("parameters", "detail"),
    [
        ({"bogus": "1"}, "bogus"),
        ({"vendor": ["NVIDIA", "AMD"]}, "vendor"),
    ],
    ids=["unknown", "twice"],
)
def test_what_the_api_refuses_is_not_dropped(
    client: Client, parameters: dict[str, str | list[str]], detail: str
) -> None:
    page = text(run(client, operation="tags", **parameters))
    assert "400 Bad Request" in page
    assert detail in page.partition('id="answer"')[2]


def test_a_long_value_is_not_cut(client: Client) -> None:
    page = text(run(client, operation="tags", q="x" * 3000))
    assert re.findall(r"/api/v1/tags\?q=(x+)", page) == ["x" * 3000]
    assert "maxlength" not in page.partition("<main")[2]


def test_name_that_is_given_twice_is_refused(client: Client) -> None:
    page = text(run(client, operation="namespace", name=["acme", "nvidia"]))
    assert "400 Bad Request" in page


def test_missing_parameters_are_named_and_nothing_is_run(client: Client) -> None:
    page = run(client, operation="resolve")
    assert page.status_code == 400
    assert re.search(r'Enter <span class="name">reference</span>', text(page))
    assert 'id="answer"' not in text(page)


@pytest.mark.parametrize("operation", ["", "publish", "accept", "yank", "nonsense", "<b>"])
def test_only_gets_are_run(client: Client, operation: str) -> None:
    page = run(client, operation=operation)
    assert page.status_code == 404
    assert "The API has no such GET" in text(page)
    assert "<b>" not in page.content.decode().partition("<main")[2].partition("can be run")[0]


@pytest.mark.parametrize(
    "value",
    [
        "../../../admin/",
        "x/../../../../me",
        "a?b=c#d",
        "';touch pwned;'",
        "<script>alert(1)</script>",
        "\u00e9\u4e2d",
        "%2e%2e/%00",
        "x" * 5000,
    ],
)
def test_values_stay_values(client: Client, value: str) -> None:
    page = run(client, operation="namespace", name=value)
    assert page.status_code in {200, 400}
    source = page.content.decode()
    assert "<script>alert" not in source
    (command,) = re.findall(r"curl -sS -i ([^<]+)<", text(page).replace("<code>", ""))[:1]
    assert "touch pwned;'" not in command
    assert "Administration" not in text(page)
    assert re.search(r"40[04] ", text(page))


def test_neither_account_nor_token_is_passed_on(client: Client, alice: User) -> None:
    """What the page shows is what anybody would get, so that it can be shared."""
    anonymous = text(run(client, **RESOLVE)).partition('id="answer"')[2]
    client.force_login(alice)
    headers = {"Authorization": "Bearer ttr_000000000000_" + "x" * 43}
    signed_in = client.get("/api/v1/docs/run", RESOLVE, headers=headers)
    assert text(signed_in).partition('id="answer"')[2] == anonymous


def test_only_reading_is_allowed(client: Client) -> None:
    assert client.post("/api/v1/docs/run", RESOLVE).status_code == 405
