"""The generated files have what the facts give, but for the majors that references follow.

`make test-system` compares every byte, which takes ten times as long.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, TypeVar

import pytest

from catalogue_tools.corrections import correct_facts
from catalogue_tools.generate import DISAGREEMENTS, MISSING
from catalogue_tools.generators import GENERATORS
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing
from registry.services.core import shipped_facts
from registry.services.core.catalogue_files import read_json
from registry.services.core.shipped_facts import CATALOGUE

MAJOR = re.compile(r"@\d+(?=\")")  # of a reference
Item = TypeVar("Item")


@pytest.fixture(scope="module")
def given() -> list[object]:
    """Return what the generators yield."""
    return [item for generator in GENERATORS for item in generator()]


def only(items: Iterable[object], kind: type[Item]) -> list[Item]:
    return [item for item in items if isinstance(item, kind)]


def body(tag_body: Any) -> str:
    """Return a body without the majors of its references."""
    return MAJOR.sub("", json.dumps(tag_body, sort_keys=True))


def test_newest_bodies_are_those_of_the_facts(given: list[object]) -> None:
    tags, _ = correct_facts(only(given, GeneratedTag))
    written = {tag.name for tag in shipped_facts.written_tags()}
    shipped = {tag.name: body(tag.versions[-1].body) for tag in shipped_facts.every_tag()}
    expected = {tag.name: body(tag.body) for tag in tags if tag.name not in written}
    assert len(expected) > 10_000
    assert {name: shipped.get(name) for name in expected} == expected


def test_disagreements_are_those_of_the_facts(given: list[object]) -> None:
    expected = {(item.tag, item.fact, item.choice) for item in only(given, Disagreement)}
    rows = read_json(CATALOGUE / DISAGREEMENTS)["disagreements"]
    assert {(row["tag"], row["fact"], row.get("choice", "")) for row in rows} == expected != set()


def test_missing_products_are_those_of_the_facts(given: list[object]) -> None:
    expected = {(item.product, item.reason) for item in only(given, Missing)}
    rows = read_json(CATALOGUE / MISSING)["missing"]
    assert {(row["product"], row["reason"]) for row in rows} == expected != set()
