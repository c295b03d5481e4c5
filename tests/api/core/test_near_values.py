"""A misspelt value of a parameter is rejected with the value that was meant; so are two values."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tests.api.description import operations
from tests.api.problems import problem
from tests.api.sample_requests import REQUESTS

pytestmark = pytest.mark.any_database

SHORT = 3  # letters; a digit or a code has no typing errors
# Path, query, and a parameter with a value.
Case = tuple[str, dict[str, str], str, str]
BY_LOOKUP: list[Case] = [
    ("/api/v1/tags", {}, "status", "deprecated"),
    ("/api/v1/tags", {}, "kind", "cuda"),
]


def described_values() -> Iterator[Case]:
    """Yield each value of each enumerated parameter of a read, with a request that has it."""
    for request, description in operations().items():
        method, path = request.split(" ")
        samples = REQUESTS.get(description["operationId"])
        for parameter in description.get("parameters", []) if method == "GET" else ():
            values: list[Any] = parameter.get("schema", {}).get("enum", [])
            for value in values:
                if parameter.get("in") == "query" and samples and len(value) >= SHORT:
                    first = samples[0]
                    yield path.format_map(first.path), first.query, parameter["name"], value


def misspell(value: str) -> str:
    """Return a value with its second and third letter swapped, or doubled if they are equal."""
    swapped = value[0] + value[2] + value[1] + value[3:]
    return swapped if swapped != value else value + value[-1]


@pytest.mark.usefixtures("sample_registry")
def test_the_value_that_was_meant_is_suggested_first(client: Client) -> None:
    cases = [*described_values(), *BY_LOOKUP]
    assert {name for *_, name, _ in cases} >= {"state", "sort", "versions", "format", "kind"}
    for path, query, name, value in cases:
        response = client.get(path, {**query, name: misspell(value)})
        answer = problem(response, response.json()["code"])
        assert answer["suggestions"][0] == value, (path, name, value, answer["suggestions"])
        assert misspell(value) in answer["detail"]


@pytest.mark.usefixtures("sample_registry")
def test_a_parameter_with_two_values_is_refused_unless_it_is_a_list(client: Client) -> None:
    tried = set()
    for request, description in operations().items():
        method, path = request.split(" ")
        samples = REQUESTS.get(description["operationId"], []) if method == "GET" else []
        for parameter in description.get("parameters", []) if samples else ():
            if parameter["in"] == "query" and not parameter.get("explode"):
                name, first = parameter["name"], samples[0]
                value = first.query.get(name, "")
                query = {**first.query, name: [value, value]}
                answer = problem(client.get(path.format_map(first.path), query), "REQUEST_INVALID")
                assert answer["detail"] == f"Not accepted: {name} is repeated."
                assert answer["errors"][0]["expected"] == f"{name} once"
                tried.add(name)
    assert tried >= {"format", "node", "driver", "direction", "q", "cursor", "limit", "state"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("jetson-nano", "nvidia/jetson-nano"),
        ("jetson-nano@1", "nvidia/jetson-nano"),
        ("Nvidia/Jetson-Nanno", "nvidia/jetson-nano"),
        ("jetsn-nano", "nvidia/jetson-nano"),
    ],
)
def test_a_name_without_namespace_or_in_capitals_suggests_tags(
    client: Client, name: str, tag: str
) -> None:
    answer = problem(client.get(f"/api/v1/resolve/{name}"), "REFERENCE_INVALID")
    assert answer["suggestions"][0] == tag
    assert answer["errors"][0]["found"] == name.partition("@")[0]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["NVIDIA/Jetson-Nano", "nvidia/Jetson-Nano", "nvidia/jetson_nano", "NVIDIA/Jetson Nano"]
)
def test_a_tag_of_other_case_or_separators_is_unknown_and_the_first_suggestion(
    client: Client, name: str
) -> None:
    for path in ("resolve", "tags", "versions"):
        answer = problem(client.get(f"/api/v1/{path}/{name}"), "TAG_UNKNOWN")
        assert answer["status"] == 404
        assert answer["suggestions"][0] == "nvidia/jetson-nano"
        assert f"There is no tag {name}; it is spelled nvidia/jetson-nano." == answer["detail"]


@pytest.mark.django_db
def test_a_new_tag_of_other_case_is_invalid(client: Client) -> None:
    response = client.post(
        "/api/v1/versions/NVIDIA/Jetson-Nano", {}, content_type="application/json"
    )
    answer = problem(response, "REFERENCE_INVALID")
    assert answer["suggestions"][0] == "nvidia/jetson-nano"
