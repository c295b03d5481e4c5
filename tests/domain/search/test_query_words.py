"""Searches are read into words that decide, words that rank, and numbers."""

import pytest
from hypothesis import given, strategies as st

from registry.domain.search.query_words import WordRole, plain_query, query_words, read_words


def roles(text: str) -> dict[str, WordRole]:
    return {word.text: word.role for word in read_words(text).words}


@pytest.mark.parametrize("word", ["5995wx", "r7iz", "12700h", "4090", "m1", "stm32h7"])
def test_words_with_digits_decide(word: str) -> None:
    assert roles(f"some {word}")[word] is WordRole.DECIDES


@pytest.mark.parametrize("word", ["gpu", "price", "graphics", "my", "tvm", "msi"])
def test_words_beside_names_only_rank(word: str) -> None:
    assert roles(f"{word} rtx")[word] is WordRole.RANKS
    assert roles(f"{word} rtx")["rtx"] is WordRole.NAMES


@pytest.mark.parametrize(
    ("text", "ignored"),
    [
        ("rtx 4090 cuda 12.4", ("cuda 12.4",)),
        ("orin jetpack 6 ubuntu 22.04", ("jetpack 6", "ubuntu 22.04")),
        ("7950x ddr5 pcie 4.0", ("ddr5", "pcie 4.0")),
        ("12th Gen Intel Core i7-12700H", ("12th Gen",)),
        ("Raspberry Pi 4 Model B Rev 1.4", ("Rev 1.4",)),
        ("2x a100", ("2x",)),
        ("7800x3d am5", ("am5",)),
        ("galaxy s23 sm-s911b", ("sm-s911b",)),
        ("galaxy s23 ultra sm-s918b", ("sm-s918b",)),
        ("samsung sm-g9198", ()),
        ("sm-g9198", ()),
        ("gtx 1080 1080p 256-bit", ("1080p", "256-bit")),
        ("gaudi 3", ()),
        ("am5", ()),
        ("am8 sk", ()),
        ("epyc 7773p", ()),
        ("snapdragon 8 gen5", ()),
        ("poco x5", ()),
        ("raspberry pi zero 2 w", ()),
        ("hailo-8l", ()),
        ("x86-64-v2", ()),
    ],
)
def test_versions_and_interfaces_are_ignored(text: str, ignored: tuple[str, ...]) -> None:
    assert read_words(text).ignored == ignored


@pytest.mark.parametrize("text", ['"rtx 4095"', 'nvidia "rtx 4095"', '"rtx 4095', 'rtx 4095"'])
def test_a_number_between_quotes_decides(text: str) -> None:
    assert roles(text)["4095"] is WordRole.DECIDES


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("rtx 4090 24gb", ["24gb"]),
        ("macbook pro 14 inch", ["14 inch"]),
        ("macbook air 13-inch m2", ["13-inch"]),
        ('14" macbook pro, 16" macbook pro', ['14"', '16"']),
        ('"iphone 13"', []),
        ('"rtx 4090" "epyc 7742"', []),
        ('rtx 4090"', []),
        ("rtx 4090 24 GB", ["24 GB"]),
        ("v100-sxm2-16gb", ["16gb"]),
        ("epyc 7763 64-Core Processor", ["64-Core"]),
        ("macbook 2021", ["2021"]),
        ("l40s 350w", ["350w"]),
        ("mi300x 1200w", ["1200w"]),
        ("xeon gold 6245w", []),
        ("threadripper 5995w", []),
        ("zero 2 w", []),
        ("rtx 4090", []),
        ("512gb ssd", []),
        ("rtx 3060 gpu 12g", ["12gb"]),
        ("a3 ultragpu 8g", []),  # eight of them
    ],
)
def test_numbers_with_a_unit_are_conditions(text: str, numbers: list[str]) -> None:
    assert [number.text for number in read_words(text).numbers] == numbers


@pytest.mark.parametrize(
    "text",
    [
        *("rpi4", "rpi 4", "raspberry 4", "RaspberryPi4", "raspi 4", "RasPi4", "raspi-4"),
        *("rasp pi 4", "rasp-pi 4", "rasppi4"),
    ],
)
def test_short_names_of_the_raspberry_pi_are_spelt_out(text: str) -> None:
    assert [word.text for word in read_words(text).words] == ["raspberry", "pi", "4"]


@pytest.mark.parametrize("text", ["mbp 14", "MBP14", "mbp-14"])
def test_short_name_of_the_macbook_pro_is_spelt_out(text: str) -> None:
    assert [word.text for word in read_words(text).words] == ["macbook", "pro", "14"]


@pytest.mark.parametrize(
    "text",
    [
        "raspicam",
        "raspios",
        "grasp pi",
        "rasp 4",
        "graspi 4",
        "mbps",
        "100mbp",
        "xmbp 14",
        "mba 13",
    ],
)
def test_what_looks_like_a_short_name_stays_as_it_is(text: str) -> None:
    words = {word.text for word in read_words(text).words}
    assert words.isdisjoint({"raspberry", "macbook"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("m4f", ["cortex", "m4"]),
        ("Cortex-M4F", ["cortex", "m4"]),
        ("cortex-m9f", ["cortex", "m9f"]),
        ("am4f", ["am4f"]),
        ("m4fx", ["m4fx"]),
    ],
)
def test_the_f_of_a_cortex_m4_is_its_floating_point_unit(text: str, words: list[str]) -> None:
    assert [word.text for word in read_words(text).words] == words


def test_one_and_two_digits_alone_name_nothing() -> None:
    weak = {word.text: word.is_weak for word in read_words("pi 5 rtx 40 4090 m1").words}
    assert weak == {
        "pi": False,
        "5": True,
        "rtx": False,
        "40": True,
        "4090": False,
        "m1": False,
    }


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    query = read_words(text)
    assert all(word.text for word in query.words)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("rtx \uff14\uff10\uff19\uff10", "rtx 4090"),
        ("\uff32\uff34\uff38 4090", "RTX 4090"),
        ("rtx ٤٠٩٠", "rtx 4090"),
        ("rtx ४०९०", "rtx 4090"),
        ("Intel® Core™ i7", "Intel  Core  i7"),
        ("天玑9600", "天玑9600"),
        ("h100", "h100"),
    ],
)
def test_digits_and_wide_letters_are_those_of_names(text: str, plain: str) -> None:
    assert plain_query(text) == plain


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("天玑9600", ["天玑9600"]),
        ("rtx 4090\u041e", ["rtx", "4090\u043e"]),  # a Cyrillic O
        ("显卡 rtx 4090", ["显卡", "rtx", "4090"]),
        ("Škoda 9600", ["koda", "9600"]),  # letters with marks part words, as in terms
        ("xeon 8480+", ["xeon", "8480", "plus"]),
    ],
)
def test_letters_of_other_scripts_belong_to_the_word(text: str, words: list[str]) -> None:
    assert query_words(text) == words


@pytest.mark.parametrize(
    ("text", "decides"),
    [
        ("iphone se 3rd generation", True),
        ("ipad 10th gen", True),
        ("12th Gen Intel Core i7-12700H", False),
        ("i7-12700H 12th gen", False),
    ],
)
def test_a_generation_decides_where_no_number_says_it(text: str, decides: bool) -> None:
    ordinal = next(word for word in text.lower().split() if word.endswith(("rd", "th")))
    assert (roles(text).get(ordinal) is WordRole.DECIDES) is decides


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ml.g5.2xlarge", ["g5", "2xlarge"]),
        ("db.r5.large", ["r5", "large"]),
        ("i9-7980XE Extreme Edition", ["i9", "7980xe"]),
        ("Ryzen AI 9 HX 370 w/ Radeon 890M", ["ryzen", "ai", "9", "hx", "370"]),
        ("Mali-G78 MP14", ["mali", "g78"]),
        ("Mali-T860 MP4", ["mali", "t860"]),
        ("stm32 mp1", ["stm32", "mp1"]),
        ("snapdragon x2 elite extreme", ["snapdragon", "x2", "elite", "extreme"]),
    ],
)
def test_what_programs_and_shops_add_is_left_out(text: str, words: list[str]) -> None:
    assert [word.text for word in read_words(text).words] == words


@pytest.mark.parametrize(
    ("text", "ignored"),
    [
        ("8x h100", ("8x",)),
        ("server 8x h100", ("8x",)),
        ("2 x rtx 4090", ("2 x",)),
        ("mi 13x pro", ()),
        ("gt 730 128bit", ("128bit",)),
        ("gt 730 1628bit", ()),
    ],
)
def test_a_count_or_width_is_ignored_where_it_is_none_of_a_name(
    text: str, ignored: tuple[str, ...]
) -> None:
    assert read_words(text).ignored == ignored


@pytest.mark.parametrize(
    ("text", "count", "unread"),
    [
        ("x" * 200, 1, ()),
        (f"{'x ' * 97}4090 7", 99, ()),
        (f"{'x ' * 98}4090 7", 99, ("7",)),
        (f"{'x ' * 99}4090 7", 99, ("4090", "7")),  # no word is cut: that of a 4090 is no 40
        ("-".join(map(str, range(20))), 20, ()),
    ],
)
def test_words_beyond_the_limit_are_named(text: str, count: int, unread: tuple[str, ...]) -> None:
    query = read_words(text)
    assert (len(query.words), query.unread) == (count, unread)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("radeon instinct mi100", ["instinct", "mi100"]),
        ("geforce gtx 1060 opengl engine", ["geforce", "gtx", "1060"]),
        ("pine h64 model a", ["pine", "h64", "model", "a"]),
        ("radeon vii", ["radeon", "vii"]),
        ("opengl engine 5", ["opengl", "engine", "5"]),
        ("raspberry pi 3 model a+", ["raspberry", "pi", "3", "model", "a", "plus"]),
    ],
)
def test_what_programs_print_beside_a_name_is_left_out(text: str, words: list[str]) -> None:
    assert [word.text for word in read_words(text).words] == words
