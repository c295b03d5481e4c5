"""Snippets to paste into a shell or a program."""

import ast
import shlex

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from registry.services.versions.exporting import EXPORT_FORMATS
from registry.web.versions import snippets
from registry.web.versions.snippets import TOOLS, ExportLink

HOSTILE = "acme/b'\"\\$(id)`;&<|"


@pytest.fixture
def http_request(rf: RequestFactory) -> HttpRequest:
    return rf.get("/")


def test_tools_use_existing_formats() -> None:
    assert {tool.format for tool in TOOLS.values()} <= EXPORT_FORMATS.keys()
    assert [name for name, tool in TOOLS.items() if name != tool.name] == []


def test_curl_command_requests_the_reference(http_request: HttpRequest) -> None:
    expected = "curl -fsS 'http://testserver/api/v1/resolve/arm/soc@1'"
    assert snippets.curl(http_request, "arm/soc@1") == expected


def test_format_and_node_are_query_parameters(http_request: HttpRequest) -> None:
    url = snippets.url(http_request, "arm/soc", "clang", "/devices/a&b")
    assert url == "http://testserver/api/v1/resolve/arm/soc?format=clang&node=/devices/a%26b"


@pytest.mark.parametrize("name", TOOLS)
def test_names_cannot_break_out_of_the_quotes(http_request: HttpRequest, name: str) -> None:
    tool = TOOLS[name]
    link = ExportLink.of(http_request, HOSTILE, tool.format, HOSTILE)
    text = tool.snippet(link)
    if "import" in text:
        texts = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
        assert link.url in texts
    else:
        words = shlex.split(text)
        assert link.url in words or link.reference in words


@pytest.mark.parametrize("name", ["ttag", "lock"])
def test_client_gets_the_address_of_this_registry(http_request: HttpRequest, name: str) -> None:
    text = TOOLS[name].snippet(ExportLink.of(http_request, "arm/soc@1"))
    assert text.startswith("export TTAG_REGISTRY=http://testserver\n")
    assert "arm/soc@1" in shlex.split(text)
