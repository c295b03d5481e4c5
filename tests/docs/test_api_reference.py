"""docs/api.md names everything that the API has, and nothing that it has not."""

import ast
import re
from collections.abc import Iterator

import pytest
from django.urls import URLPattern

from registry import urls as root
from registry.api import urls as api
from registry.domain.errors import Code
from registry.domain.number import Bump
from registry.http.problems import PROBLEMS
from registry.http.rate_limits import LIMITS
from registry.services.downstream.impact import REFUSED
from registry.services.exporting import FORMS
from tests.docs import exchange, markdown
from tests.docs.markdown import ROOT, Section

NAME = "docs/api.md"
ROUTE = re.compile(r"(GET|POST|PUT) (\S+)")
METHODS = ("get", "post", "put", "patch", "delete")
TEXT_CODE = re.compile(r"(?!CMAKE_)[A-Z]{2,}(_[A-Z]+)*")
NO_CODES = {  # methods, SQL, vendors, words of CMake, names of variables
    *("DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"),
    *("ROLLBACK", "UPDATE", "VACUUM"),
    *("AMD", "NVIDIA"),
    "JSON",
    *("AIX", "ASM", "CXX", "GNU", "STATIC_LIBRARY"),
    *(
        "FACETS",
        "FORMAT",
        "IMPORTER",
        "MIXIN",
        "PAGE",
        "PROMETHEUS_MULTIPROC_DIR",
        "SECONDS",
        "SUM",
    ),
}
LISTS = ("Fault codes", "Lint codes", "Warning codes")


def table(title: str) -> dict[str, list[str]]:
    """The rows of a section's table, by the word in their first cell."""
    found = markdown.section(NAME, title).rows
    return {row[0].strip("`"): row[1:] for row in found}


def routes() -> set[str]:
    """Every method and path, with `<>` for what a path holds."""
    found = set()
    for pattern in api.urlpatterns:
        view = getattr(pattern.callback, "view_class", None)
        if view:
            path = re.sub(r"<[^>]*>", "<>", str(pattern.pattern))
            found |= {f"{method.upper()} {path}" for method in METHODS if hasattr(view, method)}
    views = [found for found in root.urlpatterns if isinstance(found, URLPattern)]
    health = [view for view in views if view.callback.__module__ == "registry.api.health"]
    return found | {f"GET /{view.pattern}" for view in health}


def documented() -> dict[str, Section]:
    """The sections about a route, with `<>` for what its path holds."""
    found = markdown.sections(markdown.read(NAME))
    return {
        re.sub(r"<[^>]*>", "<>", section.title): section
        for section in found
        if ROUTE.fullmatch(section.title)
    }


def test_every_route_has_its_section() -> None:
    assert documented().keys() == routes()


@pytest.mark.parametrize("route", sorted(routes()))
def test_every_route_has_an_example(route: str) -> None:
    method, path = route.split(" ")
    path = path if path.startswith("/") else f"/api/v1/{path}"
    form = re.escape(path).replace("<>", r"\S+") + r"(\?\S*)?"
    requests = [exchange.of_http(block.text) for block in documented()[route].blocks[::2]]
    assert any(
        request.method == method and re.fullmatch(form, request.path) for request in requests
    )


def test_rates_are_those_of_the_code() -> None:
    shown = [row[1].split()[0] for row in markdown.section(NAME, "Rate limits").rows]
    assert [int(number) for number in shown] == [limit.default for limit in LIMITS]


def test_every_problem_code_stands_with_its_status() -> None:
    shown = {code: int(cells[0]) for code, cells in table("Problem codes").items()}
    assert shown == {str(code): int(problem.status) for code, problem in PROBLEMS.items()}


def test_every_code_has_a_problem() -> None:
    assert PROBLEMS.keys() == set(Code)


def literals(folder: str) -> Iterator[str]:
    """Every text in the code of a folder that has the form of a code."""
    for path in sorted((ROOT / "registry" / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and TEXT_CODE.fullmatch(value):
                yield value


def test_every_other_code_stands_in_one_table() -> None:
    shown = [code for title in LISTS for code in table(title)]
    known = {*Code, *Bump, REFUSED} | NO_CODES
    used = {*literals("domain"), *literals("services")} - known
    assert sorted(shown) == sorted(used)


def test_every_bump_is_named() -> None:
    assert set(Bump) <= set(markdown.words(documented()["POST check"].text))


def test_every_format_stands_with_its_media_type() -> None:
    shown = {name: cells[0].strip("`") for name, cells in table("Formats").items()}
    assert shown == {name: found.media_type for name, found in FORMS.items()}
