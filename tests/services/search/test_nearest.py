"""Other machines than the one that was searched for, and what differs."""

import pytest

from registry.models import User
from registry.services.search.search_query import SearchQuery, SearchResults
from registry.services.search.searching import search
from tests.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

GIB = 2**30


def card(name: str, *, family: str = "Old", **facts: object) -> None:
    hardware = {"category": "gpu", "vendor": "Acme", "family": family, **facts}
    publish(f"acme/{name}", {"kind": "cuda", "arch": "sm_89", "hardware": hardware})


def ask(text: str) -> SearchResults:
    return search(SearchQuery(text))


def differences(results: SearchResults) -> dict[str, tuple[str, ...]]:
    return {entry.text: entry.differs for entry in results.nearest}


def names(results: SearchResults) -> list[str]:
    return [entry.text for entry in results.entries]


def test_a_fact_that_contradicts_makes_another_machine() -> None:
    card("zap-9000", memory_bytes=24 * GIB)
    results = ask("zap 9000 16gb")
    assert names(results) == []
    assert differences(results) == {"acme/zap-9000": ("memory: 24 GiB, not 16 GiB",)}
    assert names(ask("zap 9000 24gb")) == ["acme/zap-9000"]


def test_a_number_that_is_not_stated_is_marked_and_comes_last() -> None:
    card("zap-9000")
    card("zap-9000-hello", memory_bytes=24 * GIB)
    results = ask("zap 9000 24gb")
    assert [(entry.text, entry.unstated) for entry in results.entries] == [
        ("acme/zap-9000-hello", ()),
        ("acme/zap-9000", ("24gb",)),
    ]


def test_a_number_in_the_name_needs_no_fact() -> None:
    card("zap-9000-24gb")
    (entry,) = ask("zap 9000 24 gb").entries
    assert entry.unstated == ()


def test_a_number_in_the_name_contradicts_another_however_near() -> None:
    card("zap-9000-256gb", memory_bytes=256 * GIB)
    results = ask("zap 9000 258gb")
    assert names(results) == []
    assert differences(results) == {"acme/zap-9000-256gb": ("memory: 256 GiB, not 258 GiB",)}


def test_a_gpu_that_is_searched_for_is_no_cpu() -> None:
    publish("acme/zap-9000.large", {"kind": "llvm", "mcpu": "haswell"})
    assert names(ask("zap 9000 gpu")) == []
    assert differences(ask("zap 9000 gpu")) == {"acme/zap-9000.large": ("builds for a CPU",)}
    assert names(ask("zap 9000")) == ["acme/zap-9000.large"]
    card("zap-9000.cuda")
    assert names(ask("zap 9000 gpu")) == ["acme/zap-9000.cuda", "acme/zap-9000.large"]


def test_a_suffix_follows_the_machine_or_is_another() -> None:
    card("zap-9000-ti")
    assert differences(ask("zap 9000")) == {"acme/zap-9000-ti": ("“ti” in its name",)}
    card("zap-9000")
    assert names(ask("zap 9000")) == ["acme/zap-9000", "acme/zap-9000-ti"]
    assert names(ask("zap 9000 ti")) == ["acme/zap-9000-ti"]


def test_a_machine_that_has_it_as_a_part_is_another() -> None:
    host = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "hardware": {"model": "Zorro 9000"}}
    publish("acme/box", {"kind": "cuda", "arch": "sm_89", "host": host})
    assert differences(ask("zorro 9000")) == {"acme/box": ("has it as a part",)}


def test_a_beginning_of_one_name_is_no_group() -> None:
    card("zap-9000x")
    results = ask("zap 9000")
    assert (names(results), results.beginning) == ([], "")
    assert differences(results) == {"acme/zap-9000x": ("its name only begins with “zap 9000”",)}
    card("zap-9000k")
    assert ask("zap 9000").beginning == "zap 9000"


def test_names_near_an_absent_one_say_which_words_and_facts_differ() -> None:
    for number in (9010, 9020, 9030):
        card(f"zap-{number}", family="New")
    card("zap-8020")
    results = ask("zap 9021")
    assert names(results) == []
    differs = differences(results)
    assert next(iter(differs)) == "acme/zap-9020"
    assert differs["acme/zap-9020"] == ("9020, not 9021",)
    assert differs["acme/zap-8020"] == ("8020, not 9021", "Old, not New")
    (missing,) = results.missing
    assert missing.reason == (
        "3 machines have names that begin with “zap 90” and 2 more digits, none is “zap 9021”"
    )


def test_nothing_is_near_a_brand_that_no_tag_has(alice: User) -> None:
    card("phone-12")
    results = ask("iphone 12")
    assert (results.entries, results.nearest) == ((), ())


def test_what_a_name_is_known_to_stand_for_is_answered() -> None:
    (missing,) = ask("steam deck").missing
    assert missing.product == "Steam Deck"


def test_series_whose_members_disagree_say_nothing_of_one_more() -> None:
    for number, family in ((9010, "New"), (9020, "New"), (9030, "Renamed")):
        card(f"zap-{number}", family=family)
    card("zap-8020")
    assert differences(ask("zap 9021"))["acme/zap-8020"] == ("8020, not 9021",)


def test_another_product_with_the_same_number_says_nothing() -> None:
    for number in (9010, 9020, 9030):
        card(f"zorro-zap-{number}", family="New")
    card("quux-zap-8020")
    differs = differences(ask("quux zap 9021"))
    assert differs["acme/quux-zap-8020"] == ("8020, not 9021",)


def test_features_of_processors_differ() -> None:
    def processor(name: str, mcpu: str) -> None:
        target = {"kind": "llvm", "mcpu": mcpu, "mtriple": "x86_64-unknown-linux-gnu"}
        publish(f"acme/{name}", target)

    for number in (5910, 5920, 5930):
        processor(f"zorro-{number}", "znver3")
    processor("zorro-7920", "znver4")
    differs = differences(ask("zorro 5921"))
    assert differs["acme/zorro-7920"] == ("7920, not 5921", "has AVX-512")
    assert differs["acme/zorro-5920"] == ("5920, not 5921",)


def test_a_number_differs_from_facts_of_near_names_too() -> None:
    card("zorro-zap-9010-gold", memory_bytes=24 * GIB)
    assert differences(ask("zorro zap 9011 gold 16gb")) == {
        "acme/zorro-zap-9010-gold": ("9010, not 9011", "memory: 24 GiB, not 16 GiB")
    }


def test_a_year_stands_at_the_end_of_a_name() -> None:
    card("zap-2000-gold")
    card("zap-gold-m1-2021")
    assert differences(ask("zap 2007 gold")) == {"acme/zap-2000-gold": ("2000, not 2007",)}
    assert differences(ask("zap gold m1 2011")) == {
        "acme/zap-gold-m1-2021": ("year: 2021, not 2011",)
    }


def test_letters_that_no_name_has_differ() -> None:
    card("zap-nano-x1")
    assert differences(ask("zap nano x1 mini")) == {"acme/zap-nano-x1": ("not mini",)}


@pytest.mark.parametrize(
    "text", ["zap 9021", "zap 9010 nano", "zap9021", "zap 9010 8gb", "zap 901"]
)
def test_no_other_machine_is_without_a_difference(text: str) -> None:
    card("zap-9010", memory_bytes=24 * GIB)
    card("zap-9020-ti", memory_bytes=24 * GIB)
    assert all(differences(ask(text)).values())


@pytest.mark.parametrize("text", ["kaggle 9010", "qqqq 9010"])
def test_a_machine_is_near_without_the_letters_that_no_tag_has(text: str) -> None:
    for number in (9010, 9020):
        card(f"zap-{number}")
    results = ask(text)
    first, *_ = results.nearest
    assert (names(results), first.text) == ([], "acme/zap-9010")
    assert first.differs == (f"not {text.partition(' ')[0]}",)


@pytest.mark.parametrize("text", ["kaggle 9510", "qqqq 9510", "kaggle qqqq"])
def test_nothing_is_near_if_the_number_is_lacking_too(text: str) -> None:
    card("zap-7010")
    assert (names(ask(text)), ask(text).nearest) == ([], ())


def test_a_series_of_a_maker_of_cards_is_left_out() -> None:
    card("zap-9010")
    for text in ("asus tuf zap 9010", "asus tuf 9010", "palit 9010"):
        assert names(ask(text)) == ["acme/zap-9010"], text
    assert names(ask("acer tuf 9010")) == []


def test_a_line_without_the_number_is_said_to_lack_it() -> None:
    for number in (1, 2):
        card(f"zorro-{number}-gold")
    (missing,) = ask("acme zorro 3").missing
    assert (missing.product, missing.reason) == (
        "acme zorro 3",
        "2 machines have names that begin with “acme zorro” and a number, none is “acme zorro 3”",
    )
    assert ask("zorro 2 mini").missing == ()


def test_a_module_leads_to_its_chip_and_to_no_other() -> None:
    for chip in ("esp32-s3", "zorro-esp32-c3-wroom"):
        publish(f"acme/{chip}", {"kind": "c", "mcpu": "generic"})
    assert names(ask("ESP32-S3-WROOM-1 N16R8")) == ["acme/esp32-s3"]
    assert names(ask("ESP32-S9-WROOM-1")) == []
    assert differences(ask("zorro esp32-wroom")) == {
        "acme/zorro-esp32-c3-wroom": ("“c3” in its name",)
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("zap se 3", ["acme/zap-se-3rd-generation"]),
        ("zap se 3rd generation", ["acme/zap-se-3rd-generation"]),
        ("zap se 2", ["acme/zap-se-2nd-generation"]),
        ("zap se 4", []),
        ("zap se 4th generation", []),
        ("zap se 33", []),
    ],
)
def test_generations_are_counted_in_words_or_digits(text: str, expected: list[str]) -> None:
    for ordinal in ("2nd", "3rd"):
        card(f"zap-se-{ordinal}-generation")
    card("zap-air-4th-generation")
    assert names(ask(text)) == expected


@pytest.mark.parametrize("text", ["天玑9600", "zap \uff19\uff16\uff10\uff19", "zap 9600\u041e"])
def test_a_number_of_another_alphabet_is_no_other_machine(text: str) -> None:
    card("zap-9600")
    assert names(ask(text)) == []
    assert names(ask("zap \uff19\uff16\uff10\uff10")) == ["acme/zap-9600"]
    assert names(ask("显卡 zap 9600")) == ["acme/zap-9600"]


def test_words_beside_a_name_do_not_hide_it() -> None:
    card("zorro-zap-large")
    assert names(ask("zorro zap developer kit")) == ["acme/zorro-zap-large"]
