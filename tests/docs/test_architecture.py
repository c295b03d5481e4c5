"""docs/architecture.md maps all of the code, and nothing that is not there."""

import re

import pytest
from django.apps import apps

from tests.docs import code, markdown

NAME = "docs/architecture.md"
COMPLETE = (
    "registry/domain",
    "registry/domain/formats",
    "registry/domain/importers",
    "registry/domain/guided",
    "registry/domain/tvm",
    "registry/domain/toolchains",
    "registry/models",
    "registry/services",
    "registry/services/reviewing",
    "registry/services/search",
    "registry/services/downstream",
    "registry/services/reading",
    "registry/services/shipping",
    "registry/services/operation",
    "registry/acts",
    "registry/api",
    "registry/admin",
    "registry/management/commands",
)
OF_MESSAGES = {"errors.MAX_ECHO", "near.MAX_LENGTH"}  # they refuse nothing
LIMIT = re.compile(r"^(MAX_\w+) = ", re.MULTILINE)


@pytest.mark.parametrize("folder", COMPLETE)
def test_every_module_is_on_the_map(folder: str) -> None:
    rows = markdown.section(NAME, f"`{folder}`").rows
    assert sorted(row[0].strip("`") for row in rows) == sorted(code.files(folder))


def test_the_modules_of_pages_exist() -> None:
    words = markdown.words(markdown.section(NAME, "`registry/web`").text)
    named = {word for word in words if word.endswith(".py")}
    assert named
    assert named <= code.files("registry/web")


def test_every_table_is_named() -> None:
    rows = markdown.section(NAME, "Storage").rows
    stored = {model.__name__ for model in apps.get_app_config("registry").get_models()}
    assert {word for row in rows for word in markdown.words(row[0])} == stored


def limits() -> dict[str, int]:
    """The limits that are shown, by `module.NAME`."""
    rows = markdown.section(NAME, "Limits").rows
    return {next(markdown.words(limit)): int(value) for limit, value in rows}


@pytest.mark.parametrize("limit", sorted(limits()))
def test_limits_are_those_of_the_code(limit: str) -> None:
    stem, name = limit.split(".")
    values = [getattr(module, name) for module in code.modules(stem) if hasattr(module, name)]
    assert set(values) == {limits()[limit]}


def test_no_limit_of_the_rules_is_left_out() -> None:
    there = {
        f"{path.stem}.{limit}"
        for path in (markdown.ROOT / "registry/domain").rglob("*.py")
        for limit in LIMIT.findall(path.read_text(encoding="utf-8"))
    }
    assert there - OF_MESSAGES <= limits().keys()
