"""Microcontrollers have the floating point of their chip, not what LLVM assumes of the core."""

import pytest

from catalogue_tools.cpus import cores
from catalogue_tools.microcontrollers import others, stm32
from catalogue_tools.microcontrollers.chips import option_mcpu
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json

TAGS = {tag.name: tag for generator in (cores.tags, stm32.tags, others.tags) for tag in generator()}


def mcpu(tag: GeneratedTag) -> Json:
    """Return the processor that a tag states, or that its first parent does."""
    if "mcpu" in tag.body or "tag" not in tag.body:
        return tag.body.get("mcpu")
    parents = tag.body["tag"]
    parent = parents[0] if isinstance(parents, list) else parents
    return mcpu(TAGS[str(parent).partition("@")[0]])


@pytest.mark.parametrize(
    ("core", "floating_point", "option"),
    [
        ("cortex-m4", "single", "cortex-m4"),
        ("cortex-m4", "none", "cortex-m4+nofp"),
        ("cortex-m7", "single", "cortex-m7+nofp.dp"),
        ("cortex-m7", "double", "cortex-m7"),
        ("cortex-m33", "single", "cortex-m33"),
        ("cortex-m0plus", "", "cortex-m0plus"),
    ],
)
def test_option_takes_away_what_the_chip_lacks(core: str, floating_point: str, option: str) -> None:
    assert option_mcpu(core, floating_point) == option


@pytest.mark.parametrize(
    ("tag", "processor"),
    [
        ("st/stm32f103", "cortex-m3"),
        ("st/stm32f446", "cortex-m4"),
        ("st/stm32f746", "cortex-m7+nofp.dp"),
        ("st/stm32f767", "cortex-m7"),
        ("st/stm32h743", "cortex-m7"),
        ("st/stm32h747", "cortex-m7"),
        ("st/stm32h747:m4", "cortex-m4"),
        ("st/stm32l476", "cortex-m4"),
        ("st/stm32n657", "cortex-m55"),
        ("st/stm32u575", "cortex-m33"),
        ("st/stm32wl55", "cortex-m4+nofp"),
        ("st/stm32wl55:m0plus", "cortex-m0plus"),
        ("nordic/nrf52840", "cortex-m4"),
        ("nordic/nrf5340:network", "cortex-m33+nodsp+nofp"),
        ("nxp/mk20dx256", "cortex-m4+nofp"),
        ("nxp/imx-rt1062", "cortex-m7"),
        ("raspberry-pi/rp2040", "cortex-m0plus"),
        ("raspberry-pi/rp2350:riscv", "rp2350-hazard3"),
        ("renesas/ra4m1", "cortex-m4"),
        ("renesas/ra4m1:aot", "cortex-m4"),
        ("renesas/ra8m1", "cortex-m85"),
        ("nordic/nrf51822", "cortex-m0"),
        ("nordic/nrf52810", "cortex-m4+nofp"),
        ("nxp/imx-rt1010", "cortex-m7+nofp.dp"),
        ("nxp/imx-rt1052", "cortex-m7"),
        ("nxp/imx-rt1166:m4", "cortex-m4"),
        ("nxp/mcxn947", "cortex-m33"),
        ("nxp/mcxn947:cpu1", "cortex-m33+nodsp+nofp"),
        ("nxp/rw612", "cortex-m33+nodsp"),
        ("ambiq/apollo4-plus", "cortex-m4"),
        ("infineon/psoc6-cy8c62xa:m0plus", "cortex-m0plus"),
        # no compiler that people have here knows an Xtensa processor
        ("espressif/esp32", None),
        ("espressif/esp32-s2", None),
        ("espressif/esp32-s3", None),
    ],
)
def test_chips_name_their_processor(tag: str, processor: str | None) -> None:
    assert mcpu(TAGS[tag]) == processor


def test_every_chip_in_c_has_a_variant_ahead_of_time() -> None:
    assert TAGS["st/stm32f446:aot"].body == {"tag": ["st/stm32f446@1", "micro/aot@1"]}
    assert "st/stm32h747:m4-aot" in TAGS
    assert "espressif/esp32-c3:aot" not in TAGS


@pytest.mark.parametrize(
    ("tag", "features"),
    [
        ("espressif/esp32-c3", ["+m", "+c", "+zicsr"]),
        ("espressif/esp32-c6", ["+m", "+a", "+c", "+zicsr"]),
        ("espressif/esp32-c2", ["+m", "+c", "+zicsr"]),
        ("espressif/esp32-h2", ["+m", "+a", "+c", "+zicsr", "+zifencei"]),
        ("espressif/esp32-p4", ["+m", "+a", "+f", "+c", "+zicsr", "+zifencei"]),
        ("wch/ch32v003", ["+e", "+c", "+zicsr", "+zifencei"]),
        ("wch/ch32v307", ["+m", "+a", "+f", "+c", "+zicsr", "+zifencei"]),
    ],
)
def test_risc_v_chips_have_the_extensions_of_their_device_tree(
    tag: str, features: list[str]
) -> None:
    body = TAGS[tag].body
    assert (body["kind"], body["mattr"]) == ("llvm", features)


@pytest.mark.parametrize(
    ("line", "core", "unit"),
    [
        ("stm32f746", "cortex-m7", "single"),
        ("stm32f769", "cortex-m7", "double"),
        ("stm32h747", "cortex-m4", "single"),
        ("stm32wl55", "cortex-m0plus", None),
    ],
)
def test_the_longest_beginning_of_a_line_counts(line: str, core: str, unit: str | None) -> None:
    row = stm32.floating_point(line, core)
    assert (row["fpu"] if row else None) == unit
