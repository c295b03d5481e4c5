"""What is not known of microcontrollers is listed, with the reason, and what sources dispute."""

import pytest

from catalogue_tools.microcontrollers import gaps, others, stm32
from catalogue_tools.tags import Disagreement, Missing

LISTED = list(gaps.tags())
MISSING = {entry.product: entry.reason for entry in LISTED if isinstance(entry, Missing)}
DISAGREEMENTS = {
    (entry.tag, entry.fact): entry for entry in LISTED if isinstance(entry, Disagreement)
}


def test_chips_without_ram_for_one_reason_are_listed_together() -> None:
    (products,) = [product for product in MISSING if "st/stm32h7r3" in product]
    assert products == "RAM of st/stm32h7r3, st/stm32h7r7, st/stm32h7s3, st/stm32h7s7"
    assert MISSING[products].startswith("the parts list counts memory twice")
    assert len(set(MISSING.values())) == len(MISSING)


def test_a_chip_whose_ram_is_corrected_is_not_missing() -> None:
    assert not [product for product in MISSING if "stm32u585" in product]


@pytest.mark.parametrize(
    ("tag", "fact"),
    [
        ("nordic/nrf54l15", "flash_bytes"),
        ("nordic/nrf51822", "boost_clock_hz"),
        ("nxp/mk64fx512", "memory_bytes"),
        ("nxp/mcxa156", "memory_bytes"),
        ("wch/ch32v307", "memory_bytes"),
        ("wch/ch32v307", "flash_bytes"),
    ],
)
def test_a_disputed_fact_without_a_choice_is_left_out(tag: str, fact: str) -> None:
    assert not DISAGREEMENTS[tag, fact].choice
    assert len(set(DISAGREEMENTS[tag, fact].values.values())) == 2
    bodies = {tag.name: tag.body for tags in (stm32.tags(), others.tags()) for tag in tags}
    hardware = bodies[tag]["hardware"]
    assert isinstance(hardware, dict)
    assert fact not in hardware


def test_a_choice_says_what_the_tag_has() -> None:
    chosen = DISAGREEMENTS["raspberry-pi/rp2040", "memory_bytes"]
    assert chosen.choice.startswith("264 KiB")
    assert 264 << 10 in chosen.values.values()
