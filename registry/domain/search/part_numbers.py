"""Part numbers that name a line of chips, then what makers pack it in: `STM32H743ZIT6`."""

from __future__ import annotations

import re

# ST: stm32, the line, then pins, size of the flash, package and temperature range.
STM32 = re.compile(r"(?P<line>stm32(?:mp[0-9]{3}|[a-z][a-z0-9]{3}))[a-z][0-9a-z]{1,5}")


def line_of(part_number: str) -> str:
    """Return the line that a part number is of, in lower case; empty if it names none."""
    match = STM32.fullmatch(part_number)
    return match["line"] if match else ""
