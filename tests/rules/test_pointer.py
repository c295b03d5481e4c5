import re

import pytest
from hypothesis import assume, given, strategies as st

from registry.domain.document import Json
from tests.domain.strategies import documents
from ttag_rules.pointer import PointerUnknown, child, look_up, natural_key, split_pointer

RFC_6901: Json = {
    "foo": ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", RFC_6901),
        ("/foo", ["bar", "baz"]),
        ("/foo/0", "bar"),
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ('/k"l', 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ],
)
def test_examples_of_rfc_6901(pointer: str, value: Json) -> None:
    assert look_up(RFC_6901, pointer) == value


@pytest.mark.parametrize(
    "pointer",
    [
        "foo",
        "/foo/2",
        "/foo/-",
        "/foo/-1",
        "/foo/00",
        "/foo/01",
        "/foo/\u0661",
        "/foo/0/x",
        "/foo/999999999999",
        "/absent",
        "/m~n",
        "/m~2n",
        "#/foo",
    ],
)
def test_an_unknown_pointer_raises(pointer: str) -> None:
    with pytest.raises(PointerUnknown):
        look_up(RFC_6901, pointer)


@given(st.lists(st.one_of(st.text(), st.integers(0, 50)), max_size=5))
def test_splitting_inverts_child(parts: list[str | int]) -> None:
    pointer = ""
    for part in parts:
        pointer = child(pointer, part)
    assert split_pointer(pointer) == [str(part) for part in parts]


def everything(value: Json, pointer: str) -> list[tuple[str, Json]]:
    inside: list[tuple[str | int, Json]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    result = [(pointer, value)]
    for key, item in inside:
        result += everything(item, child(pointer, key))
    return result


@given(documents)
def test_every_value_of_a_document_can_be_looked_up(document: Json) -> None:
    for pointer, value in everything(document, ""):
        assert look_up(document, pointer) is value or look_up(document, pointer) == value


@pytest.mark.parametrize(
    ("given_order", "expected"),
    [
        (["machine10", "machine2", "machine1"], ["machine1", "machine2", "machine10"]),
        (["b", "a10", "a9b", "a9"], ["a9", "a9b", "a10", "b"]),
        (
            ["/devices/10", "/devices/9", "/devices", ""],
            ["", "/devices", "/devices/9", "/devices/10"],
        ),
        (["m01", "m1", "m001"], ["m001", "m01", "m1"]),
    ],
)
def test_natural_order(given_order: list[str], expected: list[str]) -> None:
    assert sorted(given_order, key=natural_key) == expected
    backwards = given_order[::-1]
    assert sorted(backwards, key=natural_key) == expected


def runs(text: str) -> list[tuple[int, int, str]]:
    """Return the letters and numbers of a text in turn; numbers sort after letters."""
    parts = [part for part in re.split("([0-9]+)", text) if part]
    return [(1, int(part), "") if re.match("[0-9]", part) else (0, 0, part) for part in parts]


pointers = st.text(st.sampled_from("/ab-09~\0\1\U0010ffff"), max_size=12)


@given(pointers, pointers)
def test_natural_order_compares_letters_and_numbers_in_turn(one: str, other: str) -> None:
    assume(not one.startswith("\U0010ffff") and not other.startswith("\U0010ffff"))
    if runs(one) != runs(other):
        assert (natural_key(one) < natural_key(other)) == (runs(one) < runs(other))


@given(st.text(), st.text())
def test_natural_order_is_total(one: str, other: str) -> None:
    assert (natural_key(one) == natural_key(other)) == (one == other)


@given(st.text(), st.text(min_size=1))
def test_a_prefix_comes_first(text: str, more: str) -> None:
    if not (text[-1:].isdigit() and more[:1].isdigit()):
        assert natural_key(text) < natural_key(text + more)
