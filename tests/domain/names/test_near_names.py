import pytest
from hypothesis import given, strategies as st

from registry.domain.names.near_names import MAX_LENGTH, MAX_NAMES, nearest_first, nearest_names

KNOWN = ["mcpu", "mtriple", "mattr", "num-cores", "max_threads_per_block"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mpcu", ("mcpu",)),
        ("num_cores", ("num-cores",)),
        ("NUM-CORES", ("num-cores",)),
        ("max-thread-per-block", ("max_threads_per_block",)),
        ("zzz", ()),
        ("", ()),
    ],
)
def test_similar_names_are_suggested(name: str, expected: tuple[str, ...]) -> None:
    assert nearest_names(name, KNOWN)[:1] == expected


def test_a_long_name_is_not_compared() -> None:
    assert nearest_names("mcpu" * 17, ["mcpu" * 17]) == ()
    assert len("mcpu" * 17) > MAX_LENGTH


@given(st.text(), st.lists(st.text(max_size=8), max_size=8))
def test_only_known_names_are_suggested(name: str, known: list[str]) -> None:
    suggestions = nearest_names(name, known)
    assert set(suggestions) <= set(known)
    assert len(suggestions) <= MAX_NAMES


def test_near_names_come_before_the_others() -> None:
    assert nearest_first("matr", KNOWN) == (
        *("mattr", "mcpu", "mtriple", "num-cores", "max_threads_per_block"),
    )


@given(st.text(), st.lists(st.text(max_size=8), max_size=8, unique=True))
def test_no_name_is_lost(name: str, known: list[str]) -> None:
    assert sorted(nearest_first(name, known)) == sorted(known)
