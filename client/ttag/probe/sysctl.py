"""`sysctl` of macOS: `hw`, `machdep.cpu` and whether a hypervisor is below."""

from __future__ import annotations

from collections.abc import Mapping


def parse(text: str) -> Mapping[str, str]:
    """Return the values by name."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        name, separator, value = line.partition(":")
        if separator:
            values.setdefault(name.strip(), value.strip())
    return values
