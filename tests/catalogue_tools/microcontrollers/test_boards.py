"""Boards inherit from their microcontroller and state what the board adds."""

import random

import pytest

from catalogue_tools.facts import read_table
from catalogue_tools.microcontrollers import boards, others, stm32
from catalogue_tools.microcontrollers.memory import (
    FLASH,
    FLASH_OPTIONS,
    PARTS,
    RAM,
    RAM_OPTIONS,
    STM32_PARTS,
    chip_memory,
)
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json

SET_CLOCK = "configured_clock_hz"
NO_OPTIONS = {RAM_OPTIONS: None, FLASH_OPTIONS: None}
ROWS = read_table(boards.BOARDS).rows
TAGS = {tag.name: tag for tag in boards.tags() if isinstance(tag, GeneratedTag)}
CHIPS = {tag.name for generator in (stm32.tags, others.tags) for tag in generator()}


def hardware(tag: str) -> dict[str, Json]:
    """Return the hardware facts that the tag of a board states."""
    facts = TAGS[tag].body["hardware"]
    assert isinstance(facts, dict)
    return facts


@pytest.mark.parametrize(
    ("tag", "chip", "facts"),
    [
        (
            "st/nucleo-f446re",
            "st/stm32f446@1",
            {SET_CLOCK: 180_000_000, RAM: 131072, FLASH: 524288},
        ),
        ("st/stm32f4discovery", "st/stm32f407@1", {SET_CLOCK: 168_000_000}),
        ("st/nucleo-n657x0-q", "st/stm32n657@1", {"vendor": "ST"}),
        ("arduino/nano-33-ble", "nordic/nrf52840@1", {SET_CLOCK: 64_000_000}),
        ("arduino/giga-r1:m4", "st/stm32h747:m4@1", {RAM: 1081344, FLASH: 2097152}),
        ("st/b-u585i-iot02a-discovery", "st/stm32u585@1", {RAM: 802816}),
        ("st/nucleo-u575zi-q", "st/stm32u575@1", {RAM: 802816}),
        ("arduino/zero", "microchip/samd21@1", {RAM: 32768, FLASH: 262144} | NO_OPTIONS),
        ("arduino/portenta-c33", "renesas/ra6m5@1", {FLASH: 2097152}),
        ("weact-studio/ministm32h750vbtx", "st/stm32h750@1", {FLASH: 131072}),
        ("m5stack/core2", "espressif/esp32@1", {"vendor": "M5Stack", SET_CLOCK: 240_000_000}),
        ("boards/bbc-micro-bit-v1", "nordic/nrf51822@1", {SET_CLOCK: 16_000_000}),
        ("raspberry-pi/pico", "raspberry-pi/rp2040@1", {SET_CLOCK: 133_000_000}),
        ("raspberry-pi/pico-2", "raspberry-pi/rp2350@1", {"model": "Raspberry Pi Pico 2"}),
        ("teensy/teensy-4.1", "nxp/imx-rt1062@1", {"vendor": "PJRC"}),
        ("boards/bbc-micro-bit-v2", "nordic/nrf52833@1", {"model": "BBC micro:bit V2"}),
        ("nxp/mimxrt1170-evk:m4", "nxp/imx-rt1176:m4@1", {"vendor": "NXP"}),
    ],
)
def test_boards_have_the_facts_of_their_source(
    tag: str, chip: str, facts: dict[str, object]
) -> None:
    assert TAGS[tag].body["tag"] == chip
    stated = hardware(tag)
    assert {name: stated[name] for name in facts} == facts


def test_every_board_has_a_chip() -> None:
    assert {str(tag.body["tag"]).partition("@")[0] for tag in TAGS.values()} <= CHIPS


def test_memory_of_the_chip_has_its_own_source() -> None:
    manifest, chip = TAGS["st/nucleo-f446re"].sources
    assert manifest.endswith("/boards/nucleo_f446re.json")
    assert chip.endswith("/data/chips/STM32F446RE.json")


@pytest.mark.parametrize(
    ("tag", "message"),
    [
        ("nxp/mimxrt1050-evk", "NXP MIMXRT1050-EVK: a board with i.MX RT1052"),
        ("st/nucleo-f446re", "ST Nucleo F446RE: a board with STM32F446"),
        ("arduino/giga-r1:m4", "Arduino Giga R1: a board with STM32H747, its core m4"),
    ],
)
def test_a_board_names_its_chip_as_its_maker_does(tag: str, message: str) -> None:
    assert TAGS[tag].message == message


def test_boards_are_found_by_their_id_in_platformio() -> None:
    assert TAGS["st/stm32f4discovery"].aliases == ("st/disco-f407vg",)


@pytest.mark.parametrize(
    "tag", ["st/nucleo-h743zi", "nordic/nrf51-dk", "nordic/nrf51-dongle", "waveshare/ble400"]
)
def test_a_clock_of_another_revision_or_of_the_crystal_is_left_out(tag: str) -> None:
    assert SET_CLOCK not in hardware(tag)


def test_no_board_states_the_highest_clock_of_its_chip() -> None:
    assert not [name for name in TAGS if "boost_clock_hz" in hardware(name)]


@pytest.mark.parametrize("options", [RAM_OPTIONS, FLASH_OPTIONS])
def test_no_board_has_the_memory_options_of_its_line(options: str) -> None:
    for row in ROWS:
        inherited = chip_memory(row["chip"]).facts
        assert hardware(row["tag"]).get(options) is None
        assert (options in hardware(row["tag"])) == (options in inherited)


def test_boards_state_the_sizes_of_their_part() -> None:
    sizes = {row["part"]: row for name in (PARTS, STM32_PARTS) for row in read_table(name).rows}
    with_part = [row for row in ROWS if row.get("part") and "stm32u5" not in row["chip"]]
    assert len(with_part) > 200
    for row in random.Random(31).sample(with_part, 40):  # noqa: S311 - a fixed choice of rows
        part, facts = sizes[row["part"]], hardware(row["tag"])
        assert (facts[RAM], facts.get(FLASH, 0)) == (part["ram"], part["flash"]), row["tag"]


@pytest.mark.parametrize(
    ("tag", "refused"),
    [
        ("boards/bbc-micro-bit-v1", RAM),  # two sizes, and the manifest does not say which
        ("nordic/nrf51-dk", RAM),
        ("raspberry-pi/pico", FLASH),  # outside the chip
        ("raspberry-pi/pico", RAM),  # the manifest leaves out two banks; the chip states RAM
        ("arduino/nano-33-ble", RAM),  # less a program's share; the chip states RAM
        ("m5stack/core2", RAM),  # 320 KiB in every manifest; the chip states RAM
        ("m5stack/core2", FLASH),
        ("teensy/teensy-4.1", FLASH),
        ("teensy/teensy-3.5", RAM),  # sources differ
        ("nxp/mimxrt1050-evk", RAM),  # 32 MiB in the manifest is SDRAM
    ],
)
def test_sizes_that_manifests_state_are_not_taken(tag: str, refused: str) -> None:
    assert refused not in hardware(tag)


def test_most_boards_have_ram_and_those_with_flash_on_the_chip_have_flash() -> None:
    ram, flash = 0, 0
    for row in ROWS:
        facts = {**chip_memory(row["chip"]).facts, **hardware(row["tag"])}
        ram += RAM in facts
        flash += FLASH in facts
    assert ram >= 460
    assert flash >= 240


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        ("arduino/uno-r4-wifi", "The chip has a floating-point unit. A framework sets"),
        ("st/nucleo-u575zi-q", "The parts list leaves out 16 KiB of SRAM4. A framework"),
        ("st/nucleo-f446re", "A framework sets this clock"),
        ("st/nucleo-h743zi", ""),
    ],
)
def test_a_correction_says_what_was_wrong(tag: str, reason: str) -> None:
    assert TAGS[tag].correction.startswith(reason)
    assert bool(TAGS[tag].correction) == bool(reason)
