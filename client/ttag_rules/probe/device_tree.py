"""The device tree: the board's name, and the chips that it is compatible with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Board:
    """A board by its name, and names of board and chip, the most specific first."""

    model: str = ""
    compatible: tuple[str, ...] = ()

    @property
    def chip(self) -> str:
        """The chip, such as `brcm,bcm2711`: the last and least specific name."""
        return self.compatible[-1] if self.compatible else ""


def parse(model: str, compatible: str) -> Board:
    """Return the board from `model` and `compatible`, whose strings end at ends of lines."""
    names = tuple(line.strip() for line in compatible.splitlines() if line.strip())
    lines = model.strip().splitlines()
    return Board(lines[0].strip() if lines else "", names)
