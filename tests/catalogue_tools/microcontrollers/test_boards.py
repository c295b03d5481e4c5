"""Boards inherit from their microcontroller and state what the board adds."""

import pytest

from catalogue_tools.microcontrollers import boards, others, stm32

TAGS = {tag.name: tag for tag in boards.tags()}
CHIPS = {tag.name for generator in (stm32.tags, others.tags) for tag in generator()}


@pytest.mark.parametrize(
    ("tag", "chip", "facts"),
    [
        (
            "st/nucleo-f446re",
            "st/stm32f446@1",
            {"boost_clock_hz": 180_000_000, "memory_bytes": 131072},
        ),
        ("st/stm32f4discovery", "st/stm32f407@1", {"boost_clock_hz": 168_000_000}),
        ("st/nucleo-n657x0-q", "st/stm32n657@1", {"vendor": "ST"}),
        ("arduino/nano-33-ble", "nordic/nrf52840@1", {"boost_clock_hz": 64_000_000}),
        ("arduino/giga-r1:m4", "st/stm32h747:m4@1", {"model": "Arduino Giga R1"}),
        ("raspberry-pi/pico", "raspberry-pi/rp2040@1", {"boost_clock_hz": 133_000_000}),
        ("raspberry-pi/pico-2", "raspberry-pi/rp2350@1", {"model": "Raspberry Pi Pico 2"}),
        ("teensy/teensy-4.1", "nxp/imx-rt1062@1", {"vendor": "PJRC"}),
        ("boards/bbc-micro-bit-v2", "nordic/nrf52833@1", {"model": "BBC micro:bit V2"}),
        ("nxp/mimxrt1170-evk:m4", "nxp/imx-rt1176:m4@1", {"vendor": "NXP"}),
    ],
)
def test_boards_have_the_facts_of_their_source(
    tag: str, chip: str, facts: dict[str, object]
) -> None:
    body = TAGS[tag].body
    assert body["tag"] == chip
    hardware = body["hardware"]
    assert isinstance(hardware, dict)
    assert {name: hardware[name] for name in facts} == facts


def test_every_board_has_a_chip() -> None:
    assert {str(tag.body["tag"]).partition("@")[0] for tag in TAGS.values()} <= CHIPS


def test_memory_of_the_chip_has_its_own_source() -> None:
    manifest, chip = TAGS["st/nucleo-f446re"].sources
    assert manifest.endswith("/boards/nucleo_f446re.json")
    assert chip.endswith("/data/chips/STM32F446RE.json")


def test_boards_are_found_by_their_id_in_platformio() -> None:
    assert TAGS["st/stm32f4discovery"].aliases == ("st/disco-f407vg",)


def test_a_clock_that_the_manifest_states_for_another_revision_is_left_out() -> None:
    hardware = TAGS["st/nucleo-h743zi"].body["hardware"]
    assert isinstance(hardware, dict)
    assert "boost_clock_hz" not in hardware
