"""The series that a machine without a tag would belong to, by its name."""

import pytest

from registry.domain.search.series import Series, series_of


def titles(text: str, word: str) -> list[str]:
    return [series.title for series in series_of(text, word)]


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("rtx 5095", "5095", ["rtx 50"]),
        ("NVIDIA GeForce RTX 5095", "5095", ["geforce rtx 50", "rtx 50"]),
        ("rtx5095", "rtx5095", ["rtx50"]),
        ("threadripper 5995wx", "5995wx", ["threadripper 59"]),
        ("ryzen 7 7845x", "7845x", ["ryzen 7 78"]),
        ("i7 12705h", "12705h", ["i7 127"]),
        ("i7-12705h", "12705h", ["i7-127"]),
        ("stm32h799", "stm32h799", ["stm32h7"]),
        ("Raspberry Pi 6", "6", ["raspberry pi"]),
        ("cortex-a79", "a79", ["cortex-a"]),
    ],
)
def test_a_series_is_what_comes_before_the_last_digits(
    text: str, word: str, expected: list[str]
) -> None:
    assert titles(text, word) == expected


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("5095", "5095"),  # a number of anything
        ("b150", "b150"),  # B100 and Pentium B150
        ("m7", "m7"),
        ("pro 1234", "1234"),  # Ryzen PRO and Milk-V Pro
        ("c3 320", "320"),  # an Atom C3320
        ("rtx 5095", "4090"),
    ],
)
def test_beginnings_that_are_shared_by_chance_are_no_series(text: str, word: str) -> None:
    assert titles(text, word) == []


def test_fewer_words_name_another_line() -> None:
    assert titles("jetson nano 3", "3") == ["jetson nano"]


def test_the_missing_member_is_named_as_it_was_written() -> None:
    series = series_of("NVIDIA RTX-5095 card", "5095")
    assert [each.name for each in series] == ["nvidia rtx-5095", "rtx-5095"]


def test_the_missing_member_is_named_without_brackets() -> None:
    assert [each.name for each in series_of("iPad (5th generation)", "5th")] == ["ipad 5th"]


@pytest.mark.parametrize(
    ("term", "is_member"),
    [
        ("rtx5090", True),
        ("rtx5090d", True),
        ("rtx5090laptop", True),
        ("rtx50900", False),  # another number of digits
        ("rtx500", False),
        ("rtx50laptop", False),
        ("gtx5090", False),
    ],
)
def test_members_have_as_many_digits(term: str, is_member: bool) -> None:
    assert Series("rtx 50", "rtx50", "rtx 5095", 2).has(term) is is_member


def test_members_of_a_line_have_any_number() -> None:
    line = Series("raspberry pi", "raspberrypi", "raspberry pi 6", 0)
    assert [line.has(f"raspberrypi{rest}") for rest in ("5", "400", "pico")] == [True, True, False]
