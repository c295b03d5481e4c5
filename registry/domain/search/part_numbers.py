"""Part numbers, which name a chip or a line of chips, then what makers pack it in.

`STM32H743ZIT6` is an STM32H743, and the module `ESP32-S3-WROOM-1 N16R8` holds an ESP32-S3.
"""

from __future__ import annotations

import re

# ST: stm32, the line, then pins, size of the flash, package and temperature range.
STM32 = re.compile(r"(?P<line>stm32(?:mp[0-9]{3}|[a-z][a-z0-9]{3}))[a-z][0-9a-z]{1,5}")

# Espressif: modules by form, antenna, flash and PSRAM; chips by flash and PSRAM inside.
ESPRESSIF = (
    (
        r"(?P<name>ESP32(?>-[A-Z]\d{1,2}|))[ -](?:WROOM|WROVER|MINI|SOLO|PICO)"
        r"(?>[ -]?\d{1,2}[A-Z]{0,2}|-[A-Z]|)(?>[ -]H?N\d{1,2}(?:R\d{1,2}V?)?|)"
    ),
    r"(?P<name>ESP32-[A-Z]\d)(?:F[HN]\d{1,2}(?:R\d{1,2}V?)?|R\d{1,2}V?)(?:-V\d)?",
    r"(?P<name>ESP32)-(?:D0WDR?\d?(?:Q\d)?|U4WDH|PICO-[DV]\d(?:-\d\d)?)(?:-V\d)?",
)
FIRST_MODULE = re.compile(r"ESP-?(?=WROOM-?32)", re.IGNORECASE)  # the same as ESP32-WROOM-32
_PART_NUMBERS = tuple(
    re.compile(rf"(?:{pattern})", re.IGNORECASE | re.ASCII)
    for pattern in (
        *ESPRESSIF,
        r"(?P<name>nRF(?:5\d{3,4}|9\d{3}))-?[A-Z]{4}(?:-[A-Z\d]{1,6}){0,2}",
        r"AT(?P<name>SAM[A-Z]\d\d)[A-Z]\d{2}[A-Z]?(?:-[A-Z\d]{1,6})?",
        r"M(?P<name>IMXRT\d{4})[A-Z]{3}\d[A-Z]{1,2}",
        r"(?P<name>EFR32[A-Z]{2}\d\d)[A-Z]\d{3}F\d{3,4}[A-Z]{2}\d\d(?:-[A-Z]{1,2})?",
        r"(?P<name>MAX(?:78|32)\d{3})[EG][A-Z]{2}(?:\+T?)?",
        r"(?P<name>MK\d\d[A-Z]{2}\d[M\d]\d)V[A-Z]{2}\d\d[A-Z]?",
        r"(?P<name>CH32V\d{3})[A-Z][\dA-Z][A-Z]\d",
        r"(?P<name>RP2350)[AB]",
        r"BXC?80\d{3}(?P<name>(?:i[3579])?\d{4,5}[A-Z]{0,2})",  # Intel's boxed processors
    )
)


def line_of(part_number: str) -> str:
    """Return the line that a part number is of, in lower case; empty if it names none."""
    match = STM32.fullmatch(part_number)
    return match["line"] if match else ""


def chip_of(text: str) -> str:
    """Return the chip that a whole text is a part number of, or a module with it; else nothing."""
    part_number = FIRST_MODULE.sub("ESP32-", text.strip())
    for pattern in _PART_NUMBERS:
        if match := pattern.fullmatch(part_number):
            return match["name"]
    return ""
