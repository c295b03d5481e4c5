"""Tests of GET docs, the description as a page."""

import re

import pytest
from django.test import Client

from registry.api.core.openapi import document
from tests.actions import routes as action_routes

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PAGE = "/api/v1/docs"


def operations() -> dict[str, str]:
    return {
        operation["operationId"]: f"{method.upper()} {path.removeprefix('/api/v1/')}"
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    }


def test_every_route_has_a_section_and_a_link_to_it(client: Client) -> None:
    html = client.get(PAGE).content.decode()
    sections = dict(re.findall(r'<h2 id="(\w+)"><span class="method">\w+</span>(.*?)</h2>', html))
    assert sections.keys() == operations().keys()
    assert set(re.findall(r'<a href="#(\w+)"><span class="method">', html)) == sections.keys()


def test_every_linked_schema_exists(client: Client) -> None:
    html = client.get(PAGE).content.decode()
    linked = set(re.findall(r'href="#shape-(\w+)"', html))
    assert linked
    assert linked <= set(re.findall(r'id="shape-(\w+)"', html))


def test_writes_need_a_token_and_reads_do_not() -> None:
    secured = {
        operation["operationId"]
        for methods in document()["paths"].values()
        for operation in methods.values()
        if {} not in operation["security"]
    }
    writes = {"publish", "propose", "revise"} | action_routes.operations()
    assert secured == writes, (
        "a route that writes and takes no action belongs into `writes` of this test; no other "
        "says `needs_token=True`"
    )


def test_page_has_the_headers_of_every_resource(client: Client) -> None:
    first = client.get(PAGE)
    assert first["Content-Type"] == "text/html; charset=utf-8"
    assert "Cookie" in first["Vary"]
    assert client.get(PAGE, headers={"If-None-Match": first["ETag"]}).status_code == 304
    assert "script-src 'self'" in first["Content-Security-Policy"]
    assert client.get(f"{PAGE}?x=1").status_code == 400
