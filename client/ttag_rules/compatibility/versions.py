"""Versions of drivers, toolkits, systems and libraries: numbers with dots."""

from __future__ import annotations

import re

VERSION = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,5}){0,3}")
NUMBER = re.compile(r"[0-9]{1,9}")  # files say what they like, and int() raises for some digits


def version_key(version: str) -> tuple[int, ...]:
    """Return numbers that compare as versions do: 12.10 is later than 12.9, and 14 is 14.0."""
    numbers = [int(part) for part in version.split(".") if NUMBER.fullmatch(part)]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
