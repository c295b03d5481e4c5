"""The words of a search that a name lacks, and those in their place."""

import pytest

from registry.domain.search.name_differences import name_differences
from registry.domain.search.search_terms import split_words


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("rtx 4095", "nvidia/geforce-rtx-4090", ("4090, not 4095",)),
        ("rtx4095", "nvidia/geforce-rtx-4090", ("rtx4090, not rtx4095",)),
        ("ryzen 7 7845x", "amd/ryzen-9-7845hx", ("9, not 7", "7845hx, not 7845x")),
        ("raspberry pi 6", "raspberry-pi/400", ("400, not 6",)),
        ("c7i.7xlarge", "aws/c7i.xlarge", ("not 7xlarge",)),  # no c7ixlarge
        ("radeon r9 390", "amd/radeon-vii", ("not r9", "not 390")),
        ("snapdragon 9 gen 1", "qcom/snapdragon-8-gen-1", ("8, not 9",)),
    ],
)
def test_numbers_stand_beside_those_in_their_place(
    text: str, name: str, expected: tuple[str, ...]
) -> None:
    words = split_words(text)
    numbers = {word for word in words if any(map(str.isdigit, word))}
    assert name_differences(words, numbers, name) == expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("galaxy s24 nano", "samsung/galaxy-s24-sm8650", ("not nano",)),
        ("jetson xavier nz", "nvidia/jetson-xavier-nx", ("nx, not nz",)),
    ],
)
def test_letters_are_never_replaced_by_numbers(
    text: str, name: str, expected: tuple[str, ...]
) -> None:
    words = split_words(text)
    assert name_differences(words, {words[-1]}, name) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("rtx 4090", "nvidia/geforce-rtx-4090"),
        ("rtx4090", "nvidia/geforce-rtx-4090"),
        ("cortex m7", "arm/cortexm7"),
        ("zero 2 w", "raspberry-pi/zero2w"),
    ],
)
def test_words_that_a_name_has_joined_or_not_do_not_differ(text: str, name: str) -> None:
    words = split_words(text)
    assert name_differences(words, words, name) == ()
