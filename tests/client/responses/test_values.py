"""Members of JSON, read by the fields of a dataclass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from ttag.errors import Unreachable
from ttag.responses.values import members, read


@dataclass(frozen=True)
class Place:
    """A dataclass with a field of each type that is read."""

    name: str
    floor: int
    is_open: bool
    rooms: tuple[str, ...]
    url: str = ""


JSON = {"name": "hall", "floor": 2, "is_open": True, "rooms": ["a", "b"]}


def test_fields_are_read_by_their_names_and_types() -> None:
    place = members(Place, JSON | {"unknown": 1}, url="/hall")
    assert place == Place("hall", 2, True, ("a", "b"), "/hall")


def test_null_is_an_empty_text() -> None:
    assert members(Place, JSON | {"name": None}, url="").name == ""


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": 3},
        {"name": ["hall"]},
        {"floor": None},
        {"floor": "x"},
        {"rooms": "ab"},
        {"rooms": [1]},
    ],
)
def test_members_of_other_types_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(Unreachable, match="is not a place"):
        read(lambda answer: members(Place, answer, url=""), JSON | wrong, "The registry", "a place")


def test_missing_member_is_refused() -> None:
    with pytest.raises(Unreachable):
        read(lambda answer: members(Place, answer), JSON, "The registry", "a place")
