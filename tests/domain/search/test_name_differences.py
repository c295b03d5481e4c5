"""The words of a search that a name lacks, and those in their place."""

import pytest

from registry.domain.search.name_differences import NameWords, name_differences
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


@pytest.mark.parametrize(
    ("text", "tag", "words"),
    [
        ("rtx 3080", "nvidia/geforce-rtx-3080-ti", ["ti"]),
        ("rtx 3080 ti", "nvidia/geforce-rtx-3080-ti-laptop-gpu", ["laptop"]),
        ("rtx 2080", "nvidia/geforce-rtx-2080-with-max-q-design", ["max"]),
        ("iphone 15 pro", "apple/iphone-15-pro-max", ["max"]),
        ("xperia 10", "sony/xperia-10-ii", ["ii"]),
        ("rtx 3080 ti", "nvidia/geforce-rtx-3080-ti", []),
        ("rtx 3080 laptop", "nvidia/geforce-rtx-3080-laptop-gpu", []),
        ("rtx 3080 mobile", "nvidia/geforce-rtx-3080-laptop-gpu", []),
        ("rtx 2080 max-q", "nvidia/geforce-rtx-2080-with-max-q-design", []),
        ("raspberry pi 4", "raspberry-pi/4-model-b", []),
        ("macbook m1", "apple/macbook-pro-13-inch-m1", []),
    ],
)
def test_words_after_a_number_or_its_suffix_make_another_machine(
    text: str, tag: str, words: list[str]
) -> None:
    assert list(NameWords.of(tag, split_words(text)).suffixes) == words


@pytest.mark.parametrize(
    ("text", "tag", "words"),
    [
        ("ipad 5th generation", "apple/ipad-air-5th-generation", ["air"]),
        ("ipad 6th generation", "apple/ipad-mini-6th-generation", ["mini"]),
        ("iphone 3rd generation", "apple/iphone-se-3rd-generation", ["se"]),
        ("ipad pro", "apple/ipad-mini-a17-pro", ["mini"]),
        ("quadro 6000", "nvidia/quadro-rtx-6000", ["rtx"]),
        ("quadro 5000", "nvidia/rtx-5000", ["rtx"]),
        ("ipad air 5th generation", "apple/ipad-air-5th-generation", []),
        ("ipad pro 5th generation", "apple/ipad-pro-12.9-inch-5th-generation", []),
        ("ipad pro", "apple/ipad-pro-11-inch-m4", []),
        ("iphone pro", "apple/iphone-15-pro", []),
        ("macbook m1", "apple/macbook-air-13-inch-m1", []),
        ("quadro rtx 6000", "nvidia/quadro-rtx-6000", []),
        ("geforce 4090", "nvidia/geforce-rtx-4090", []),
        ("radeon 7900 xtx", "amd/radeon-rx-7900-xtx", []),
    ],
)
def test_words_between_neighbours_of_a_search_make_another_machine(
    text: str, tag: str, words: list[str]
) -> None:
    assert list(NameWords.of(tag, split_words(text)).between) == words


@pytest.mark.parametrize(
    ("text", "tag", "words"),
    [
        ("i2.xlarge", "alibaba/ecs.i2.xlarge", ("ecs",)),
        ("ecs.i2.xlarge", "alibaba/ecs.i2.xlarge", ()),
        ("alibaba i2 xlarge", "alibaba/ecs.i2.xlarge", ()),
        ("xeon platinum 8269cy", "alibaba/ecs.c6.large", ()),  # which has that processor
        ("i2.xlarge", "aws/i2.xlarge", ()),
        ("ecs i2", "aws/i2.xlarge", ()),
    ],
)
def test_a_type_of_a_cloud_has_its_first_word_or_the_cloud_beside_it(
    text: str, tag: str, words: tuple[str, ...]
) -> None:
    assert NameWords.of(tag, split_words(text)).prefixes == words


@pytest.mark.parametrize(
    ("text", "tag", "words"),
    [
        ("ls1021a qds", "nxp/ls1021a-iot", ("iot",)),
        ("samd21 xplained pro", "sparkfun/samd21-pro-rf", ("rf",)),
        ("ls1021a iot", "nxp/ls1021a-iot", ()),
        ("pumpkin mt8183", "mediatek/mt8183", ()),
        ("jetson nano", "nvidia/jetson-orin-nano", ()),
    ],
)
def test_words_after_the_last_number_stand_in_the_place_of_others(
    text: str, tag: str, words: tuple[str, ...]
) -> None:
    assert NameWords.of(tag, split_words(text)).after_numbers == words
