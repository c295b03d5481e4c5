"""docs/architecture.md mentions only existing folders, tables and limits, and no files."""

import re
import tomllib
from pathlib import Path

import pytest
from django.apps import apps

from tests.docs import code, markdown

NAME = "docs/architecture.md"
NOT_LIMITS = {  # limits on what messages and forms show, or read; nothing is rejected for them
    "checks.MAX_FAULTS_TRIED",
    "closed_nodes.MAX_SUGGESTIONS",
    "compiler_flags.MAX_FLAGS",
    "reading_builder.MAX_MATCHES",
    "echo.MAX_ECHO",
    "errors.MAX_FAULTS",
    "devices.MAX_GPUS",
    "fields.MAX_BLOCKS",
    "fields.MAX_GAP",
    "identifying.MAX_OF_READER",
    "identifying.MAX_READINGS",
    "imported.MAX_CALL",
    "imported.MAX_OBJECT",
    "imported.MAX_PARTS",
    "kinds.MAX_CACHED_OPTIONS",
    "near_names.MAX_LENGTH",
    "near_names.MAX_NAMES",
    "nvidia.MAX_DISTANCE",
    "nvidia.MAX_ROWS",
    "option_text.MAX_DIGITS",
    "product_names.MAX_TEXT",
    "product_names.MAX_WORDS",
    "product_patterns.MAX_FOLLOWING",
    "rules.MAX_LINTS",
    "schema.MAX_SUGGESTIONS",
    "split_layout.MAX_CANDIDATES",
    "split_layout.MAX_SUGGESTIONS",
    "triple_text.MAX_TRIPLES",
    "triples.MAX_ALIKE",
    "triples.MAX_BEFORE",
    "triples.MAX_KNOWN",
    "values.MAX_DECIMALS",
    "wishes.MAX_TEXT",
    "wishes.MAX_UNREAD",
}
LIMIT = re.compile(r"^(MAX_\w+) = ", re.MULTILINE)


def folders() -> set[str]:
    """Return the folders in the tables of the page."""
    rows = [*markdown.section(NAME, "Layers").rows, *markdown.section(NAME, "Folders").rows]
    return {word for row in rows for word in markdown.code_spans(row[0])}


def test_mentioned_folders_exist() -> None:
    assert all((markdown.ROOT / folder).is_dir() for folder in folders())


@pytest.mark.parametrize("parent", ["registry/domain", "registry/services", "client/ttag"])
def test_every_package_is_listed(parent: str) -> None:
    packages = {path.parent for path in (markdown.ROOT / parent).glob("*/__init__.py")}
    assert {str(path.relative_to(markdown.ROOT)) for path in packages} <= folders()


def test_every_layer_is_listed() -> None:
    contracts = tomllib.loads(markdown.read_document("pyproject.toml"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(c["layers"] for c in contracts if c.get("containers") == ["registry"])
    names = {name for layer in layers for name in layer.split(" | ")}
    names -= {path.stem for path in (markdown.ROOT / "registry").glob("*.py")}
    listed = {
        word
        for row in markdown.section(NAME, "Layers").rows
        for word in markdown.code_spans(row[0])
    }
    assert listed == {f"registry/{name}" for name in names}


def test_no_files_are_mentioned() -> None:
    endings = {Path(word).suffix for word in markdown.code_spans(markdown.read_document(NAME))}
    assert not endings & {".py", ".html", ".js"}


def test_every_table_is_listed() -> None:
    rows = markdown.section(NAME, "Storage").rows
    stored = {model.__name__ for model in apps.get_app_config("registry").get_models()}
    assert {word for row in rows for word in markdown.code_spans(row[0])} == stored


def limits() -> dict[str, int]:
    """Return the documented limits by `module.NAME`."""
    rows = markdown.section(NAME, "Limits").rows
    return {next(markdown.code_spans(limit)): int(value) for limit, value in rows}


@pytest.mark.parametrize("limit", sorted(limits()))
def test_limits_match_the_code(limit: str) -> None:
    stem, name = limit.split(".")
    values = [getattr(module, name) for module in code.find_modules(stem) if hasattr(module, name)]
    assert set(values) == {limits()[limit]}


def test_every_limit_of_the_domain_is_listed() -> None:
    constants = {
        f"{path.stem}.{limit}"
        for path in (markdown.ROOT / "registry/domain").rglob("*.py")
        for limit in LIMIT.findall(path.read_text(encoding="utf-8"))
    }
    missing = constants - NOT_LIMITS - limits().keys()
    assert not missing, (
        "give each a row under Limits of docs/architecture.md, or, if nothing is rejected for it, "
        "a line in NOT_LIMITS of tests/docs/test_architecture.py"
    )
