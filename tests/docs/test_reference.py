"""docs/ttag.md is what the client says of itself, and every public name says something."""

import inspect
import re
from types import ModuleType
from typing import Any

import pytest

import ttag
from tests.docs import reference
from tests.docs.reference import MODULES, docstring, is_property, public_members

NAMES = [
    pytest.param(module, name, id=f"{module.__name__}.{name}")
    for module in MODULES
    for name in module.__all__
    if not name.startswith("__")
]
# What functions do. Classes and properties describe what they are.
IMPERATIVES = (
    *("Add", "Ask", "Check", "Compare", "Compile", "Count", "Propose", "Publish", "Put", "Raise"),
    *("Read", "Return", "Send", "Submit", "Yield"),
)
VERB = re.compile(
    r"\b(is|are|was|were|has|have|can|cannot|could|would|does|says?|holds?|comes?|applies)\b"
)


def test_page_is_current() -> None:
    assert reference.PAGE.read_text() == reference.render(), "run make reference"


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_public_name_has_a_docstring_with_a_verb(module: ModuleType, name: str) -> None:
    value = getattr(module, name)
    if inspect.isfunction(value):
        assert first_word(value) in IMPERATIVES
    else:
        assert VERB.search(docstring(value)), docstring(value)


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_public_member_has_a_docstring(module: ModuleType, name: str) -> None:
    value = getattr(module, name)
    for member_name, member in public_members(value).items() if isinstance(value, type) else ():
        text = docstring(member)
        assert text.endswith((".", "`")), member_name
        if not is_property(member):
            assert first_word(member) in IMPERATIVES, member_name


def first_word(value: Any) -> str:
    return docstring(value).partition(" ")[0]


def test_a_member_that_is_inherited_is_public_and_a_default_that_is_a_function_is_none() -> None:
    members = public_members(ttag.Registry)
    assert {"search", "publish", "resolve"} <= members.keys()
    assert not {"warn", "_fetcher", "cache"} & members.keys()


def test_page_shows_no_value_of_this_machine() -> None:
    page = reference.PAGE.read_text()
    assert "environment: Mapping[str, str] = ..." in page
    assert not re.search(r"<function|<object| at 0x|environ\(", page)
