"""NVIDIA's names of compute capabilities: sm_90, sm_90a, compute_80."""

from __future__ import annotations

import re
from dataclasses import dataclass

ARCH = re.compile(r"(?:sm|compute)_([0-9]{2,3})([af]?)")
OPTIONS = ("arch", "mcpu")  # that state one: of cuda, and of nvptx
RENAMED = {101: 110}  # the GPU of Thor, since CUDA 13
TEGRA = frozenset({53, 62, 72, 87, 88, 110})  # of Jetson, DRIVE and consoles


@dataclass(frozen=True, slots=True)
class Architecture:
    """A compute capability, as the number of its name, and what its code is specific to.

    Code for `a` runs on this capability alone, for `f` on its family.
    """

    number: int
    suffix: str = ""

    @classmethod
    def parse(cls, text: str) -> Architecture | None:
        """Return the architecture of `sm_90a` or `compute_90`; None for another text."""
        match = ARCH.fullmatch(text)
        if not match:
            return None
        number = int(match[1])
        return cls(RENAMED.get(number, number), match[2])

    @property
    def major(self) -> int:
        """The major version of the capability: 9 of sm_90, 12 of sm_121."""
        return self.number // 10

    @property
    def is_tegra(self) -> bool:
        """True for GPUs of Tegra, whose cubins no other GPU of their major version runs."""
        return self.number in TEGRA

    def __str__(self) -> str:
        """Return the name of the toolkit for it."""
        return f"sm_{self.number}{self.suffix}"
