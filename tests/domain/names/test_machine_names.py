"""Names of machines stand for one tag, for several, for a product that is absent, or for none."""

import pytest
from hypothesis import given, strategies as st

from registry.domain.names.machine_names import (
    SEVERAL,
    UNKNOWN,
    Absent,
    Ambiguous,
    MachineNames,
    NamedTags,
    OneTag,
    fold_machine_name,
    is_own_name,
    tags_named,
    tags_named_after,
    tags_named_like,
)

NAMES = MachineNames.of(
    {
        "names": [
            {"tag": "acme/h100-sxm", "names": ["ACME H100 80GB HBM3", "10de:2330"]},
            {"tag": "acme/m1", "names": ["ACME M1", "deck"]},
            {"tag": "acme/m1:metal", "names": ["ACME M1"]},
            {"tag": "acme/m2", "names": ["ACME M2"]},
            {"tag": "acme/m2-gpu", "names": ["ACME M2"]},
            {"tag": "acme/core-7", "names": ["ACME Core i7-12700H"]},
            {"tag": "acme/n2", "names": ["N2", "twin"]},
            {"tag": "acme/n2-plus", "names": ["N2+", "twin"]},
        ],
        "ambiguous": [{"name": "acme h100", "tags": ["acme/h100-sxm"], "reason": "two cards"}],
        "absent": [{"name": "Deck", "product": "The Deck", "reason": "no source"}],
    }
)
H100, CORE = OneTag("acme/h100-sxm"), OneTag("acme/core-7")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("ACME H100 80GB HBM3", H100),
        ("acme_h100_80gb_hbm3", H100),
        ("  ACME-H100-80GB  HBM3 ", H100),
        ("ACME(R) H100(TM) 80GB® HBM3™", H100),
        ("E=8,N=14336,device_name=ACME_H100_80GB_HBM3,dtype=fp8_w8a8.json", H100),
        ("device_name=ACME_H100_80GB_HBM3.json", H100),
        ("10DE:2330", H100),
        ("[10de:2330]", H100),
        ("0x10de:0x2330", H100),
        ("0x233010DE", H100),
        ("pci:v000010DEd00002330sv000010DEsd000016C1bc03sc02i00", H100),
        ("PCI\\VEN_10DE&DEV_2330&SUBSYS_16C110DE", H100),
        ("ACME Core i7-12700H", CORE),
        ("acme core i7 12700h", CORE),
        ("12th Gen ACME(R) Core(TM) i7-12700H", CORE),
        ("ACME(R) Core(TM) i7-12700H CPU @ 2.30GHz", CORE),
        ("ACME Core i7-12700H 14-Core Processor", CORE),
        ("ACME Core i7-12700H w/ Radeon 780M Graphics", CORE),
        ("ACME M1", OneTag("acme/m1", ("acme/m1:metal",))),
        ("acme m2", OneTag("acme/m2", ("acme/m2-gpu",))),
        ("n2", OneTag("acme/n2")),
        ("N2+", OneTag("acme/n2-plus")),
        ("n2 plus", OneTag("acme/n2-plus")),
        ("twin", Ambiguous(("acme/n2", "acme/n2-plus"), SEVERAL)),
        ("ACME H100", Ambiguous(("acme/h100-sxm",), "two cards")),
        ("deck", Absent("The Deck", "no source")),
    ],
)
def test_name_has_its_meaning_however_it_is_written(text: str, meaning: NamedTags) -> None:
    assert tags_named(text, NAMES) == meaning


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "h100", "acme h100 80gb", "acme h100 80gb hbm3 x", "acme h100 80gb hbm2"),
        *("acme h10080gb hbm3", "acme h100 8 0gb hbm3", "10de:2331", "10de2330", "1002:2330"),
        *("acme core i7-12700", "acme core i71 2700h", "acme core i7-12700hx", "m1", "n", "n2++"),
        *("d\u0435ck", "\uff2e2", "device_name=", "w/ radeon graphics"),
        "acme m1 " * 100,
    ],
)
def test_anything_else_stands_for_nothing(text: str) -> None:
    assert tags_named(text, NAMES) is UNKNOWN


def test_names_of_a_tag_are_those_that_stand_for_it_alone() -> None:
    assert NAMES.names["acme/m1"] == ("ACME M1",)
    assert NAMES.names["acme/n2"] == ("N2",)
    assert "acme/m2-gpu" not in NAMES.names


@given(st.text(max_size=60))
def test_folding_again_changes_nothing_and_case_does_not_count(text: str) -> None:
    folded = fold_machine_name(text)
    assert fold_machine_name(folded) == folded
    ascii_text = text.encode("ascii", "ignore").decode()
    assert fold_machine_name(ascii_text.upper()) == fold_machine_name(ascii_text.lower())


@given(st.text(max_size=300))
def test_any_text_has_a_meaning(text: str) -> None:
    tags_named(text, NAMES)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("core ACME Core i7-12700H", "acme/core-7"),  # the tag's name has the word
        ("acme core acme core i7-12700h", "acme/core-7"),
        ("ACME M1", "acme/m1"),
    ],
)
def test_first_words_that_the_tag_has_may_stand_before_a_name(text: str, tag: str) -> None:
    meaning = tags_named_after(text, NAMES)
    assert isinstance(meaning, OneTag)
    assert meaning.tag == tag


@pytest.mark.parametrize(
    "text", ["other n2", "acme other n2", "n2 other", "other", "acme acme a n2"]
)
def test_other_words_before_a_name_make_another_name(text: str) -> None:
    assert tags_named_after(text, NAMES) is UNKNOWN


def test_an_ambiguous_name_stays_so_after_a_maker() -> None:
    assert isinstance(tags_named_after("acme h100", NAMES), Ambiguous)
    assert tags_named_after("other acme h100", NAMES) is UNKNOWN


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("acme/m1", "acme/m1"),
        ("acme/acme-m1", "acme/m1"),
        ("x/n2", "acme/n2"),
    ],
)
def test_a_tags_name_may_stand_for_a_machine_without_its_namespace(name: str, tag: str) -> None:
    assert tags_named_like(name, NAMES) in (OneTag(tag), OneTag(tag, (f"{tag}:metal",)))


@pytest.mark.parametrize("name", ["acme/other", "deck/other", "acme/", "acme/acme m1 x", "/"])
def test_another_tags_name_stands_for_none(name: str) -> None:
    assert tags_named_like(name, NAMES) is UNKNOWN


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("m3", "apple/m3"),
        ("Apple M3", "apple/m3"),
        ("apple/m3", "apple/m3"),
        ("mi 8", "xiaomi/mi-8"),
        ("trn1.2xlarge", "aws/trn1/trn1.2xlarge"),
        ("jetson nano cuda", "nvidia/jetson-nano:cuda"),
    ],
)
def test_a_tags_own_name_is_what_follows_a_slash(text: str, tag: str) -> None:
    assert is_own_name(text, tag)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("m3", "apple/m3-max"),
        ("m3", "apple/m3:metal"),
        ("m 31", "arm/m3.1"),
        ("2xlarge", "aws/trn1/trn1.2xlarge"),
        ("apple", "apple/m3"),
        ("", "apple/m3"),
    ],
)
def test_a_part_of_a_name_or_more_than_it_is_none(text: str, tag: str) -> None:
    assert not is_own_name(text, tag)
