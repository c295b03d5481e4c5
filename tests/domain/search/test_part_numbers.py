"""Part numbers name a line of chips."""

import pytest

from registry.domain.search.part_numbers import line_of


@pytest.mark.parametrize(
    ("part_number", "line"),
    [
        ("stm32h743zi", "stm32h743"),
        ("stm32f103c8t6", "stm32f103"),
        ("stm32wb55rg", "stm32wb55"),
        ("stm32mp157caa3", "stm32mp157"),
        ("stm32h743", ""),
        ("12700h", ""),
        ("rtx4090ti", ""),
    ],
)
def test_only_part_numbers_of_st_are_shortened(part_number: str, line: str) -> None:
    assert line_of(part_number) == line
