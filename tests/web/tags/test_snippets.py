"""Snippets to paste into a shell or a program."""

import ast
import shlex

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from registry.services.versions.exporting import EXPORT_FORMATS
from registry.web.tags import snippets
from registry.web.tags.snippets import TOOLS

HOSTILE = "acme/b'\"\\$(id)`;&<|"


@pytest.fixture
def request_of(rf: RequestFactory) -> HttpRequest:
    return rf.get("/")


def test_each_tool_takes_a_format_that_there_is() -> None:
    assert {tool.form for tool in TOOLS.values()} <= EXPORT_FORMATS.keys()
    assert [name for name, tool in TOOLS.items() if name != tool.name] == []


def test_curl_asks_for_the_reference(request_of: HttpRequest) -> None:
    expected = "curl -fsS 'http://testserver/api/v1/resolve/arm/soc@1'"
    assert snippets.curl(request_of, "arm/soc@1") == expected


def test_format_and_node_stand_in_the_query(request_of: HttpRequest) -> None:
    found = snippets.url(request_of, "arm/soc", "clang", "/devices/a&b")
    assert found == "http://testserver/api/v1/resolve/arm/soc?format=clang&node=/devices/a%26b"


@pytest.mark.parametrize("name", TOOLS)
def test_nothing_in_a_name_ends_the_quotes(request_of: HttpRequest, name: str) -> None:
    tool = TOOLS[name]
    url = snippets.url(request_of, HOSTILE, tool.form, HOSTILE)
    text = tool.snippet(url)
    if "import" in text:
        texts = [each.value for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Constant)]
        assert url in texts
    else:
        assert url in shlex.split(text)
