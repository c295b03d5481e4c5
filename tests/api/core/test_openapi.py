"""Tests of the OpenAPI document: valid, complete, and equal to real responses."""

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlencode

import jsonschema_rs
import pytest
from django.test import Client
from drf_spectacular.validation import validate_schema

from registry.api.core import openapi
from registry.api.core.openapi import document
from registry.api.urls import urlpatterns
from registry.domain.errors import Code
from registry.http.problems import PROBLEMS
from registry.models import Namespace, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from tests.api import seed
from tests.api.description import mismatches, operation, operations
from tests.api.sample_requests import REQUESTS, WITHOUT_SAMPLES, Sample
from tests.docs import exchange, markdown

PLACE = re.compile("<[a-z]+:([a-z]+)>")  # in a route
METHODS = ("get", "put", "post", "delete", "patch")
EXAMPLES = [
    found for found in markdown.sections(markdown.read_document("docs/api.md")) if found.blocks
]
NOT_DESCRIBED = {"/api/v1/openapi.json", "/api/v1/docs"}  # they are the description


def differences(method: str, path: str, response: Any) -> list[str]:
    """Return the differences between a response and its description."""
    content = None if method == "HEAD" else response.content
    description = operation(method, path.partition("?")[0])
    return list(mismatches(description, response.status_code, response.headers, content))


def test_document_is_valid() -> None:
    validate_schema(document())


def test_simultaneous_first_requests_generate_the_document_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    generated = []

    def generate(*_args: object, **_options: object) -> dict[str, Any]:
        generated.append(1)
        time.sleep(0.05)  # lets the other threads start
        return {}

    monkeypatch.setattr(openapi.SchemaGenerator, "get_schema", generate)
    monkeypatch.setattr(
        openapi, "_generate_document", lru_cache(openapi._generate_document.__wrapped__)
    )
    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(lambda _: openapi.document(), range(8))] == [{}] * 8
    assert generated == [1]


@pytest.mark.django_db
@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    ("path", "name", "accepted", "refused"),
    [
        ("tags", "status", ["active", "any", ""], ["open", "Active"]),
        ("tags", "where", [["kind=c"] * 5], [["kind=c"] * 6, ["kind=" + "c" * 296]]),
        ("tags", "sort", ["best", "-memory", ""], ["newest"]),
        ("tags", "typing", ["true", ""], ["1"]),
        ("tags", "compiles", ["tvm", ""], ["gcc"]),
        ("tags", "limit", [1, 100], [0, 101]),
        ("namespaces", "sort", ["name", "tags", ""], ["size"]),
        ("namespaces", "q", ["a" * 100], ["a" * 101]),
        ("events", "after", [0], [-1, 10**18]),
    ],
)
def test_parameters_are_described_with_their_bounds(
    client: Client, path: str, name: str, accepted: list[Any], refused: list[Any]
) -> None:
    parameters = operation("GET", f"/api/v1/{path}")["parameters"]
    (schema,) = [each["schema"] for each in parameters if each["name"] == name]
    for value in [*accepted, *refused]:
        query = urlencode({name: value}, doseq=True)
        is_accepted = client.get(f"/api/v1/{path}?{query}").status_code == 200
        assert is_accepted == jsonschema_rs.is_valid(schema, value) == (value in accepted), value


def test_every_route_and_method_is_described() -> None:
    routes = set()
    for pattern in urlpatterns:
        view = getattr(pattern.callback, "view_class", None)
        path = "/api/v1/" + PLACE.sub(r"{\1}", str(pattern.pattern))
        if path not in NOT_DESCRIBED:
            routes |= {f"{item.upper()} {path}" for item in METHODS if hasattr(view, item)}
    assert operations().keys() == routes
    names = {description["operationId"] for description in operations().values()}
    missing = names - REQUESTS.keys() - WITHOUT_SAMPLES
    assert not missing, "add a valid request of it to REQUESTS of tests/api/sample_requests.py"
    assert names == REQUESTS.keys() | WITHOUT_SAMPLES


def test_resources_take_the_parameters_that_are_described_and_no_others() -> None:
    described: dict[str, set[str]] = {}
    for route, description in operations().items():
        names = {
            each["name"] for each in description.get("parameters", ()) if each["in"] == "query"
        }
        described.setdefault(route.partition(" ")[2], set()).update(names)
    for pattern in urlpatterns:
        path = "/api/v1/" + PLACE.sub(r"{\1}", str(pattern.pattern))
        if path in described:
            view: Any = pattern.callback
            assert view.view_class.parameters == described[path], path


def test_only_lists_refuse_filters() -> None:
    for route, description in operations().items():
        names = {each["name"] for each in description.get("parameters", ())}
        bad_request = json.dumps(description["responses"].get("400", {}))
        assert ("FILTER_INVALID" in bad_request) is bool(names & {"limit", "cursor"}), route


def test_every_error_response_lists_the_codes_of_its_status() -> None:
    for route, description in operations().items():
        for status, answer in description["responses"].items():
            if status < "400":
                continue
            (content,) = answer["content"].values()
            codes = content["schema"]["properties"]["code"]["enum"]
            assert codes, (route, status)
            assert {int(PROBLEMS[Code(code)].status) for code in codes} == {int(status)}, route


def test_everything_has_a_description() -> None:
    for route, description in operations().items():
        assert description["summary"], route
        for parameter in description.get("parameters", []):
            assert parameter["description"], (route, parameter["name"])
        for status, answer in description["responses"].items():
            assert answer["description"], (route, status)


def test_components_are_all_used() -> None:
    components = document()["components"]
    text = json.dumps(document())
    for kind in ("schemas", "headers"):
        for name in components[kind]:
            assert f'"#/components/{kind}/{name}"' in text, name


@pytest.mark.any_database
@pytest.mark.django_db
@pytest.mark.parametrize("section", EXAMPLES, ids=lambda section: section.title)
def test_documented_examples_match_the_description(
    section: Any, acme: Namespace, alice: User
) -> None:
    token = tokens.issue_token(
        alice, label="docs", scopes=set(Scope), pattern="acme", actor=Actor.operator(alice)
    )
    for block in section.blocks[::2]:
        request = exchange.parse_http(block.text)
        if request.path in NOT_DESCRIBED or not request.path.startswith("/api/"):
            continue
        result = differences(request.method, request.path, request.send(token))
        assert not result, (request.path, result)


def send(client: Client, name: str, sample: Sample, bearer: str) -> Any:
    """Send a sample request."""
    method, path = route(name).split(" ")
    for place, value in sample.path.items():
        path = path.replace(f"{{{place}}}", quote(value, safe="/:@,"))
    query = f"?{urlencode(sample.query, doseq=True)}" if sample.query else ""
    data = "" if sample.body is None else json.dumps(sample.body)
    headers = {**sample.headers, "Authorization": bearer}
    return client.generic(method, path + query, data, "application/json", headers=headers)


def route(name: str) -> str:
    """Return the method and path of an operation."""
    (result,) = (
        route for route, description in operations().items() if description["operationId"] == name
    )
    return result


@pytest.mark.parametrize("name", list(REQUESTS))
def test_sample_requests_match_the_description(client: Client, bearer: str, name: str) -> None:
    description = operations()[route(name)]
    for sample in REQUESTS[name]:
        with seed.rolled_back():
            response = send(client, name, sample, bearer)
            assert response.status_code in (200, 201, 304), (sample, response.content)
            result = mismatches(
                description, response.status_code, response.headers, response.content
            )
            assert list(result) == [], sample


@pytest.mark.any_database
@pytest.mark.parametrize("name", list(REQUESTS))
def test_304_matches_the_description(client: Client, bearer: str, name: str) -> None:
    description = operations()[route(name)]
    sample = REQUESTS[name][0]
    with seed.rolled_back():
        first = send(client, name, sample, bearer)
    assert (
        ("304" in description["responses"]) == ("ETag" in first) == route(name).startswith("GET ")
    )
    if "ETag" in first:
        again = Sample(sample.path, sample.query, {"If-None-Match": first["ETag"]})
        response = send(client, name, again, bearer)
        assert response.status_code == 304
        assert list(mismatches(description, 304, response.headers, response.content)) == []
