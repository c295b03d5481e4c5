"""Names by which people and tools call devices."""

from collections import Counter

import pytest

from catalogue_tools.devices import apple_devices, chip_gpus, macbooks, machines, phones, socs
from catalogue_tools.devices.names import AMBIGUOUS, TABLES, meanings, tag_of
from catalogue_tools.facts import read_table
from catalogue_tools.generate import generated_entries
from catalogue_tools.tags import GeneratedTag
from registry.services.core import shipped_facts

GENERATORS = (apple_devices, chip_gpus, machines, macbooks, phones, socs)


def known_tags() -> set[str]:
    """Return the tags of the files, and those that the generators of devices give."""
    given = {
        item.name
        for module in GENERATORS
        for item in module.tags()
        if isinstance(item, GeneratedTag)
    }
    written = {tag.name for tag in shipped_facts.written_tags()}
    return given | written | {entry["tag"] for _, entry in generated_entries()}


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("rpi5", "raspberry-pi/5"),
        ("Raspberry  Pi 4", "raspberry-pi/4-model-b"),
        ("iPhone16,1", "apple/iphone-15-pro"),
        ("iPad Pro (11-inch) (M4)", "apple/ipad-pro-11-inch-m4"),
        ("Mac15,3", "apple/macbook-pro-14-inch-m3-nov-2023"),
        ("MacBookAir10,1", "apple/macbook-air-m1-2020"),
        ("SM-T870", "samsung/galaxy-tab-s7"),
        ("GM1915", "oneplus/7-pro"),  # a model of one region
        ("panther", "google/pixel-7"),
        ("snapdragon 8 gen 3", "qcom/sm8650"),
        ("rock-5b", "radxa/rock-5b"),
        ("rb3 gen 2", "qcom/robotics-rb3-gen2"),
    ],
)
def test_name_stands_for_a_tag(name: str, tag: str) -> None:
    assert tag_of(name) == tag


@pytest.mark.parametrize(
    "name",
    [
        "rpi",
        "jetson",
        "ipad pro",
        "mac mini",
        "s24",  # sold with two chips
        "s10",
        "galaxy s20 fe",
        "alioth",  # three phones
        "mars",  # a board and a phone
        "thor",
        "m2012k11c",
        "mac15,4",  # a list gives it to two products
        "appletv14,1",
        "tesla hw3",  # no source links the name to a chip
        "tda4vm",
        "t5000",
        "",
    ],
)
def test_ambiguous_or_unsourced_name_stands_for_nothing(name: str) -> None:
    assert tag_of(name) is None


def test_every_name_is_of_a_tag() -> None:
    rows = [row for table in TABLES for row in read_table(table).rows]
    tags = {row["tag"] for row in rows}
    tags |= {tag for row in read_table(AMBIGUOUS).rows for tag in row["tags"]}
    assert tags <= known_tags()


def test_names_are_written_in_one_form_and_once() -> None:
    rows = read_table("names/devices").rows
    names = [name for row in rows for key in ("names", "technical") for name in row.get(key, ())]
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert names == [" ".join(name.casefold().split()) for name in names]
    assert not {row["name"] for row in read_table(AMBIGUOUS).rows} & set(names)


def test_every_ambiguous_name_has_a_reason() -> None:
    assert all(row["reason"] for row in read_table(AMBIGUOUS).rows)


def test_names_of_the_wiki_stand_in_its_own_table() -> None:
    own = {
        name
        for row in read_table("lineageos/names").rows
        for name in (*row.get("names", ()), *row["technical"])
    }
    assert "sm-t870" in own
    others = read_table("names/devices").rows
    assert own & {name for row in others for name in row.get("names", ())} == {"fp5"}  # by hand


def test_every_apple_identifier_is_a_name() -> None:
    for table in apple_devices.TABLES:
        for row in read_table(table).rows:
            assert [tag_of(name) for name in row["identifiers"]] == [row["tag"]] * len(
                row["identifiers"]
            )
            assert tag_of(row["model"]) == row["tag"]


def test_there_are_as_many_as_were_recorded() -> None:
    assert len(meanings()) > 2700
    assert sum(len(tags) == 1 for tags in meanings().values()) > 2600
