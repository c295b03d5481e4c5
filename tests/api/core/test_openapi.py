"""The OpenAPI document: valid, complete, and true of real answers to the letter."""

import json
import re
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.test import Client
from drf_spectacular.validation import validate_schema

from registry.api.core.openapi import document
from registry.api.urls import urlpatterns
from registry.domain.errors import Code
from registry.http.problems import PROBLEMS
from registry.models import Namespace, User
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor, Scope
from tests.api import seed
from tests.api.description import departures, operation, operations
from tests.api.good import REQUESTS, Good
from tests.docs import exchange, markdown

PLACE = re.compile("<[a-z]+:([a-z]+)>")  # in a route
METHODS = ("get", "put", "post", "delete", "patch")
EXAMPLES = [
    found for found in markdown.sections(markdown.read_document("docs/api.md")) if found.blocks
]
NOT_DESCRIBED = {"/api/v1/openapi.json", "/api/v1/docs"}  # they are the description


def differences(method: str, path: str, response: Any) -> list[str]:
    """In what a Django response is not as described."""
    content = None if method == "HEAD" else response.content
    said = operation(method, path.partition("?")[0])
    return list(departures(said, response.status_code, response.headers, content))


def test_document_is_valid() -> None:
    validate_schema(document())


def test_every_route_and_method_is_described() -> None:
    there = set()
    for pattern in urlpatterns:
        view = getattr(pattern.callback, "view_class", None)
        path = "/api/v1/" + PLACE.sub(r"{\1}", str(pattern.pattern))
        if path not in NOT_DESCRIBED:
            there |= {f"{each.upper()} {path}" for each in METHODS if hasattr(view, each)}
    assert operations().keys() == there
    assert {said["operationId"] for said in operations().values()} == REQUESTS.keys()


def test_every_refusal_is_a_problem_with_codes_of_its_status() -> None:
    for route, said in operations().items():
        for status, answer in said["responses"].items():
            if status < "400":
                continue
            (content,) = answer["content"].values()
            codes = content["schema"]["properties"]["code"]["enum"]
            assert codes, (route, status)
            assert {int(PROBLEMS[Code(code)].status) for code in codes} == {int(status)}, route


def test_everything_has_words() -> None:
    for route, said in operations().items():
        assert said["summary"], route
        for parameter in said.get("parameters", []):
            assert parameter["description"], (route, parameter["name"])
        for status, answer in said["responses"].items():
            assert answer["description"], (route, status)


def test_components_are_all_used() -> None:
    components = document()["components"]
    text = json.dumps(document())
    for kind in ("schemas", "headers"):
        for name in components[kind]:
            assert f'"#/components/{kind}/{name}"' in text, name


@pytest.mark.django_db
@pytest.mark.parametrize("section", EXAMPLES, ids=lambda section: section.title)
def test_examples_are_answered_as_described(section: Any, acme: Namespace, alice: User) -> None:
    token = tokens.issue_token(
        alice, label="docs", scopes=set(Scope), pattern="acme", actor=Actor.operator(alice)
    )
    for block in section.blocks[::2]:
        asked = exchange.parse_http(block.text)
        if asked.path in NOT_DESCRIBED or not asked.path.startswith("/api/"):
            continue
        found = differences(asked.method, asked.path, asked.send(token))
        assert not found, (asked.path, found)


def sent(client: Client, name: str, good: Good, bearer: str) -> Any:
    """The answer to a good request."""
    method, path = route(name).split(" ")
    for place, value in good.path.items():
        path = path.replace(f"{{{place}}}", quote(value, safe="/:@,"))
    query = f"?{urlencode(good.query, doseq=True)}" if good.query else ""
    data = "" if good.body is None else json.dumps(good.body)
    headers = {**good.headers, "Authorization": bearer}
    return client.generic(method, path + query, data, "application/json", headers=headers)


def route(name: str) -> str:
    """The method and path of an operation."""
    (found,) = (route for route, said in operations().items() if said["operationId"] == name)
    return found


@pytest.mark.parametrize("name", list(REQUESTS))
def test_good_requests_are_answered_as_described(client: Client, bearer: str, name: str) -> None:
    said = operations()[route(name)]
    for good in REQUESTS[name]:
        with seed.undone():
            response = sent(client, name, good, bearer)
            assert response.status_code in (200, 201, 304), (good, response.content)
            found = departures(said, response.status_code, response.headers, response.content)
            assert list(found) == [], good


@pytest.mark.parametrize("name", list(REQUESTS))
def test_who_has_the_answer_hears_so_as_described(client: Client, bearer: str, name: str) -> None:
    said = operations()[route(name)]
    good = REQUESTS[name][0]
    with seed.undone():
        first = sent(client, name, good, bearer)
    assert ("304" in said["responses"]) == ("ETag" in first) == route(name).startswith("GET ")
    if "ETag" in first:
        again = Good(good.path, good.query, {"If-None-Match": first["ETag"]})
        response = sent(client, name, again, bearer)
        assert response.status_code == 304
        assert list(departures(said, 304, response.headers, response.content)) == []
