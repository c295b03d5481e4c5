import pytest
from hypothesis import given, strategies as st

from registry.domain.names.name_folding import edit_distance, fold_name, least_distance, trigrams


@pytest.mark.parametrize("name", ["RTX 4090", "rtx-4090", "rtx_4090", "RTX.4090"])
def test_spellings_of_a_name_fold_equally(name: str) -> None:
    assert fold_name(name) == "rtx4090"


@given(st.text())
def test_folding_is_idempotent(text: str) -> None:
    assert fold_name(fold_name(text)) == fold_name(text)
    assert not set(fold_name(text)) - set("abcdefghijklmnopqrstuvwxyz0123456789")


@pytest.mark.parametrize(
    ("folded", "expected"),
    [("", set()), ("a", {"a"}), ("abc", {"abc"}), ("abcd", {"abc", "bcd"}), ("aaaa", {"aaa"})],
)
def test_trigrams_of_names(folded: str, expected: set[str]) -> None:
    assert trigrams(folded) == expected


@given(st.text("abc", max_size=20), st.text("abc", min_size=3, max_size=3))
def test_a_name_has_the_trigrams_of_its_substrings(text: str, part: str) -> None:
    assert (part in trigrams(text)) == (part in text)


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("", "", 0),
        ("", "abc", 3),
        ("orin", "orin", 0),
        ("orin", "orni", 1),
        ("rtx4009", "rtx4090", 1),
        ("jetsnnono", "jetsonnano", 2),
        ("nano", "nan", 1),
        ("ab", "ba", 1),
        ("abc", "ca", 3),
        ("radeon", "adreno", 3),
    ],
)
def test_edit_distances(one: str, other: str, slips: int) -> None:
    assert edit_distance(one, other) == edit_distance(other, one) == slips


short = st.text("abc", max_size=6)


@given(short, short)
def test_the_distance_is_the_minimum_number_of_edits(one: str, other: str) -> None:
    assert (edit_distance(one, other) == 0) == (one == other)
    assert abs(len(one) - len(other)) <= edit_distance(one, other) <= max(len(one), len(other))
    assert edit_distance("x" + one, "x" + other) == edit_distance(one, other)
    assert edit_distance(one + "x", other + "x") == edit_distance(one, other)


@given(short, short)
def test_no_distance_is_less_than_what_the_characters_allow(one: str, other: str) -> None:
    assert 0 <= least_distance(one, other) <= edit_distance(one, other)
    assert least_distance(one, one[::-1]) == 0
