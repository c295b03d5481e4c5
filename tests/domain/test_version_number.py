import pytest
from hypothesis import given, strategies as st

from registry.domain.version_number import FIRST_NUMBER, Bump, next_number, with_neighbours
from tests.domain.strategies import numbers
from ttag_rules.version_number import VersionNumber

MOVES = st.sampled_from([Bump.MAJOR, Bump.MINOR, Bump.PATCH])


def number(text: str) -> VersionNumber:
    return VersionNumber.parse(text)


@given(numbers)
def test_parsing_and_writing_are_inverse(value: VersionNumber) -> None:
    assert VersionNumber.parse(str(value)) == value


@pytest.mark.parametrize(
    "text", ["", "1", "1.2", "1.2.3.4", "01.0.0", "1.0.0\n", "1.0.x", "1.0.\u0661"]
)
def test_an_invalid_number_is_echoed(text: str) -> None:
    with pytest.raises(ValueError, match="is not a version number") as caught:
        VersionNumber.parse(text)
    assert repr(text) in str(caught.value)


def test_numbers_sort_numerically() -> None:
    assert number("1.9.0") < number("1.10.0") < number("2.0.0")


def test_the_first_version() -> None:
    assert next_number(Bump.FIRST, None, []) == FIRST_NUMBER == number("1.0.0")


@pytest.mark.parametrize(
    ("bump", "base", "taken", "expected"),
    [
        (Bump.MAJOR, "1.0.0", ["1.0.0"], "2.0.0"),
        (Bump.MINOR, "1.0.0", ["1.0.0"], "1.1.0"),
        (Bump.PATCH, "1.0.0", ["1.0.0"], "1.0.1"),
        (Bump.MINOR, "1.2.3", ["1.2.3", "1.1.0", "1.0.0"], "1.3.0"),
        (Bump.MAJOR, "1.0.0", ["1.0.0", "2.0.0"], "3.0.0"),  # 2.0.0 was yanked
        (Bump.PATCH, "1.0.0", ["1.0.0", "2.0.0"], "1.0.1"),  # a fix stays in the old line
        (Bump.MINOR, "1.0.0", ["1.0.0", "1.1.0", "2.0.0"], "1.2.0"),
        (Bump.MINOR, "1.0.0", ["1.0.0", "2.5.0"], "1.1.0"),  # a line of its own
        (Bump.PATCH, "1.0.0", ["1.0.0", "1.0.1", "1.1.7"], "1.0.2"),
        (Bump.PATCH, "1.1.0", ["1.0.9", "1.1.0"], "1.1.1"),
    ],
)
def test_the_next_free_number(bump: Bump, base: str, taken: list[str], expected: str) -> None:
    assert next_number(bump, number(base), map(number, taken)) == number(expected)


@given(MOVES, st.sets(numbers, min_size=1), st.data())
def test_new_numbers_are_unused_and_increasing(
    bump: Bump, taken: set[VersionNumber], data: st.DataObject
) -> None:
    base = data.draw(st.sampled_from(sorted(taken)))
    after = next_number(bump, base, taken)
    assert after not in taken
    assert after > base
    line = {Bump.MAJOR: 0, Bump.MINOR: 1, Bump.PATCH: 2}[bump]
    assert after.parts[:line] == base.parts[:line]
    assert after.parts[line + 1 :] == (0,) * (2 - line)
    assert all(other < after for other in taken if other.parts[:line] == base.parts[:line])


@given(st.lists(st.tuples(MOVES, st.integers(0, 99)), max_size=12))
def test_a_history_has_no_number_twice(moves: list[tuple[Bump, int]]) -> None:
    history = [FIRST_NUMBER]
    for bump, index in moves:
        base = history[index % len(history)]
        history.append(next_number(bump, base, history))
    assert len(set(history)) == len(history)


def test_a_tag_with_versions_cannot_get_a_first_number() -> None:
    with pytest.raises(ValueError, match="requires a tag without versions"):
        next_number(Bump.FIRST, FIRST_NUMBER, [FIRST_NUMBER])


@pytest.mark.parametrize(
    ("middle", "others", "expected"),
    [
        ("1.1.0", [], ["1.1.0"]),
        ("1.1.0", ["1.0.0", "1.0.9", "1.1.1", "1.10.0"], ["1.0.9", "1.1.0", "1.1.1"]),
        ("1.1.0", ["1.1.0", "1.10.0"], ["1.1.0", "1.10.0"]),
        ("2.0.0", ["1.9.0", "3.0.0", "2.1.0"], ["2.0.0", "2.1.0"]),
        ("2.4.0", ["2.0.3", "1.5.0", "3.0.0"], ["2.0.3", "2.4.0"]),
    ],
)
def test_neighbours_are_the_nearest_numbers_of_the_major(
    middle: str, others: list[str], expected: list[str]
) -> None:
    neighbours = with_neighbours(number(middle), map(number, others))
    assert list(map(str, neighbours)) == expected
