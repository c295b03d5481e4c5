"""RAM and flash are those of the chip or the part, as sources state them soundly; else none."""

from itertools import chain

import pytest

from catalogue_tools.facts import read_table
from catalogue_tools.microcontrollers import others, stm32
from catalogue_tools.microcontrollers.memory import (
    CHIPS,
    FLASH,
    FLASH_OPTIONS,
    JUDGED,
    LINES,
    PARTS,
    RAM,
    RAM_OPTIONS,
    STM32_PARTS,
    chip_memory,
    part_memory,
)
from registry.domain.document import Json

KIB, MIB = 1 << 10, 1 << 20
TAGS = {tag.name: tag for tag in chain(stm32.tags(), others.tags())}
CHIPS_ALONE = [
    name for name, tag in TAGS.items() if ":" not in name and "hardware" in tag.body
]  # without cores and variants ahead of time


def hardware(tag: str) -> dict[str, Json]:
    """Return the hardware facts of a microcontroller."""
    facts = TAGS[tag].body["hardware"]
    assert isinstance(facts, dict)
    return facts


@pytest.mark.parametrize(
    ("chip", "ram", "flash"),
    [
        ("st/stm32c031", 12 * KIB, None),  # flash of two sizes, which are options
        ("st/stm32f750", 320 * KIB, 64 * KIB),
        ("st/stm32g474", 128 * KIB, None),  # not 160: another bus shows CCM again
        ("st/stm32h743", 1056 * KIB, None),
        ("st/stm32h7a3", 1376 * KIB, None),
        ("st/stm32h753", 1056 * KIB, 2 * MIB),
        ("st/stm32l486", 128 * KIB, MIB),
        ("st/stm32n657", 4224 * KIB, None),  # no flash on the chip
        ("st/stm32u585", 784 * KIB, 2 * MIB),
        ("st/stm32u5a5", 2512 * KIB, None),
        ("espressif/esp32", 520 * KIB, None),
        ("espressif/esp32-c2", 272 * KIB, None),
        ("nordic/nrf52805", 24 * KIB, 192 * KIB),
        ("nordic/nrf52820", 32 * KIB, 256 * KIB),
        ("nordic/nrf52840", 256 * KIB, MIB),
        ("nordic/nrf5340", 512 * KIB, MIB),
        ("nordic/nrf5340:network", 64 * KIB, 256 * KIB),
        ("raspberry-pi/rp2040", 264 * KIB, None),
        ("raspberry-pi/rp2350:riscv", 520 * KIB, None),
        ("microchip/sam3x8e", 96 * KIB, 512 * KIB),
        ("nxp/mcxn947:cpu1", 512 * KIB, 2 * MIB),
        ("renesas/ra4m1", 32 * KIB, 256 * KIB),
        ("renesas/ra6m5", 512 * KIB, None),
        ("renesas/ra8d1", MIB, None),
        ("adi/max78002", 384 * KIB, 2560 * KIB),
        ("wch/ch32v003", 2 * KIB, 16 * KIB),
    ],
)
def test_a_chip_states_the_sizes_that_all_its_parts_have(
    chip: str, ram: int, flash: int | None
) -> None:
    facts = hardware(chip)
    assert (facts.get(RAM), facts.get(FLASH)) == (ram, flash)


@pytest.mark.parametrize(
    ("chip", "sizes"),
    [
        ("st/stm32f103", [6, 10, 20, 48, 64, 96]),
        ("st/stm32wb55", [128, 256]),
        ("nordic/nrf52832", [32, 64]),
        ("microchip/samd21", [4, 8, 16, 32]),
    ],
)
def test_a_line_lists_the_ram_of_its_parts_where_it_differs(chip: str, sizes: list[int]) -> None:
    facts = hardware(chip)
    assert facts[RAM_OPTIONS] == [size * KIB for size in sizes]
    assert RAM not in facts


@pytest.mark.parametrize(
    ("chip", "sizes"),
    [
        ("st/stm32c031", [16, 32]),
        ("st/stm32h743", [1024, 2048]),
        ("st/stm32wb55", [256, 512, 640, 1024]),
        ("nordic/nrf52832", [256, 512]),
    ],
)
def test_a_line_lists_the_flash_of_its_parts_where_it_differs(chip: str, sizes: list[int]) -> None:
    facts = hardware(chip)
    assert facts[FLASH_OPTIONS] == [size * KIB for size in sizes]
    assert FLASH not in facts


@pytest.mark.parametrize("chip", ["st/stm32n657", "raspberry-pi/rp2040", "espressif/esp32"])
def test_a_chip_without_flash_lists_none(chip: str) -> None:
    assert not {FLASH, FLASH_OPTIONS} & hardware(chip).keys()


WRONG_SERIES = ("stm32h7r", "stm32h7s", "stm32h7a", "stm32h7b", "stm32u5", "stm32wb0")
# A linker script states what the parts list leaves out.
CORRECTED = {"st/stm32h7a3", "st/stm32u575", "st/stm32u585", "st/stm32u5a5"}


@pytest.mark.parametrize(
    "chip",
    [
        *(
            f"st/{row['line']}"
            for row in read_table(LINES).rows
            if row["line"].startswith(WRONG_SERIES) and f"st/{row['line']}" not in CORRECTED
        ),
        # one source states it
        *("microchip/samc21", "microchip/samr21", "adi/max32690", "infineon/psoc6-cy8c62xa"),
        *("nxp/imx-rt1042", "nxp/imx-rt1189", "nxp/imx-rt595", "nxp/rw612"),
        *("nxp/mcxn236", "nxp/mcxw71", "nxp/mcxc444", "wch/ch32v103", "wch/ch32v203"),
        *("ambiq/apollo3-blue", "ambiq/apollo3-blue-plus"),
        *("ambiq/apollo4-plus", "ambiq/apollo4-blue-plus"),
        # by part, which one source lists
        "silabs/efr32mg24",
        # sources differ, or repeat another chip's, or state a part of it, or none
        *("nxp/mk64fx512", "nxp/mcxa156", "wch/ch32v307", "nxp/imx-rt1166"),
        *("alif/ensemble-e7", "alif/ensemble-e8", "nordic/nrf54h20"),
        *("nxp/imx-rt1010", "nxp/imx-rt1015", "nxp/imx-rt1021"),
        *("arm/corstone-300", "arm/corstone-310", "alif/ensemble-e4"),
    ],
)
def test_ram_that_no_sound_source_states_is_not_shipped(chip: str) -> None:
    assert not {RAM, RAM_OPTIONS} & hardware(chip).keys()


@pytest.mark.parametrize(
    ("chip", "reason"),
    [
        ("nordic/nrf54l15", "Zephyr and probe-rs differ"),
        ("wch/ch32v307", "option bytes divide it"),
        ("nxp/imx-rt1062", "outside the chip"),
        ("raspberry-pi/rp2350", "outside the chip"),
        ("espressif/esp32-s3", "outside the chip"),
        ("st/stm32n657", "none"),
        ("renesas/ra8m1", "of two sizes"),
        ("renesas/ra8t1", "of two sizes"),
    ],
)
def test_flash_that_is_disputed_or_not_on_the_chip_is_not_shipped(chip: str, reason: str) -> None:
    assert FLASH not in hardware(chip), reason


@pytest.mark.parametrize(
    "chip",
    [
        *("nordic/nrf51822", "nordic/nrf52840", "microchip/samd21", "microchip/sam3x8e"),
        *("nxp/mk20dx128", "nxp/mk66fx1m0", "renesas/ra6m5", "st/stm32f446", "st/stm32h743"),
        *("nxp/imx-rt1166:m4", "wch/ch32v307", "microchip/same70"),
    ],
)
def test_a_clock_that_only_manifests_state_is_none_of_the_chip(chip: str) -> None:
    assert "boost_clock_hz" not in hardware(chip)


@pytest.mark.parametrize(
    ("chip", "mhz"),
    [
        ("espressif/esp32", 240),
        ("espressif/esp32-h2", 96),
        ("nordic/nrf5340:network", 64),
        ("raspberry-pi/rp2040", 133),
        ("nxp/imx-rt1062", 600),
        ("renesas/ra4m1", 48),
    ],
)
def test_the_highest_clock_of_a_chip_is_that_of_a_page(chip: str, mhz: int) -> None:
    assert hardware(chip)["boost_clock_hz"] == mhz * 10**6


def test_memory_and_clock_are_sourced_by_the_pages_that_state_them() -> None:
    sources = hardware("espressif/esp32")["sources"]
    assert isinstance(sources, dict)
    for group, files in (
        ("memory", ("soc.h", "index.md")),
        ("clocks", ("Kconfig.cpu", "index.md")),
    ):
        urls = sources[group]
        assert isinstance(urls, list)
        assert tuple(str(url).rpartition("/")[2] for url in urls) == files


def test_every_chip_without_ram_has_a_reason_and_no_other_has() -> None:
    unknown = {chip for chip in CHIPS_ALONE if not {RAM, RAM_OPTIONS} & hardware(chip).keys()}
    assert unknown == {row["chip"] for row in read_table(JUDGED).rows if "ram" not in row}


def test_most_microcontrollers_state_ram() -> None:
    stated = [chip for chip in CHIPS_ALONE if {RAM, RAM_OPTIONS} & hardware(chip).keys()]
    assert len(stated) >= 140
    flash = [chip for chip in CHIPS_ALONE if {FLASH, FLASH_OPTIONS} & hardware(chip).keys()]
    assert len(flash) >= 140


def test_a_source_that_may_only_confirm_supplies_nothing() -> None:
    for table in (CHIPS, PARTS, STM32_PARTS, LINES):
        licences = {origin["licence"] for origin in read_table(table).header["sources"]}
        assert not [name for name in licences if "GPL" in name]


def test_every_size_is_a_whole_number_of_kib_and_plausible() -> None:
    for row in (*read_table(LINES).rows, *read_table(CHIPS).rows):
        sizes = [*row.get("ram", ()), *row.get("flash", ())]
        assert all(size % KIB == 0 and size <= 8 * MIB for size in sizes), row
        assert row.get("ram", [1]) == sorted(set(row.get("ram", [1])))


@pytest.mark.parametrize(
    ("part", "chip", "facts"),
    [
        ("STM32F103RB", "st/stm32f103", {RAM: 20 * KIB, FLASH: 128 * KIB}),
        ("STM32H750VB", "st/stm32h750", {RAM: 1056 * KIB, FLASH: 128 * KIB}),
        ("STM32U585AI", "st/stm32u585", {RAM: 784 * KIB, FLASH: 2 * MIB}),
        ("SAMD21G18A", "microchip/samd21", {RAM: 32 * KIB, FLASH: 256 * KIB}),
        ("SAMD51P20A", "microchip/samd51", {RAM: 256 * KIB, FLASH: MIB}),
        ("SAMR21G18A", "microchip/samr21", {RAM: 32 * KIB, FLASH: 256 * KIB}),
        ("NRF52832-XXAA", "nordic/nrf52832", {RAM: 64 * KIB, FLASH: 512 * KIB}),
    ],
)
def test_a_part_has_its_own_sizes(part: str, chip: str, facts: dict[str, int]) -> None:
    assert part_memory(part, chip).facts == facts


@pytest.mark.parametrize("part", ["STM32F103C9", "samd21g18a", ""])
def test_an_unknown_part_is_refused(part: str) -> None:
    with pytest.raises(KeyError):
        part_memory(part, "st/stm32f103")


def test_parts_have_sizes_that_their_line_has() -> None:
    lines = read_table(LINES).by("line")
    for row in read_table(STM32_PARTS).rows:
        line = lines[row["part"][:9].lower()]
        assert row["ram"] in line["ram"]
        assert row["flash"] in line["flash"]


def test_facts_that_two_pages_state_are_sourced_by_those_pages() -> None:
    assert [url.rpartition("/")[2] for url in chip_memory("st/stm32u585").urls] == [
        "STM32U585AI.json",
        "stm32u585xi.ld",
    ]
    assert chip_memory("st/stm32h7r3").facts == {FLASH: 64 * KIB}
    assert next(iter(chip_memory("st/stm32h573").urls)).endswith("/data/chips/STM32H573AI.json")
