"""Lists the subjects, which yield tags from tables of facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from registry.generator.cpus import (
    apple_chips,
    arm_servers,
    cores,
    desktops,
    generic,
    servers,
    x86_families,
)
from registry.generator.gpus import jetson, nvidia
from registry.generator.tags import Disagreement, GeneratedTag, Missing

Subject = Callable[[], Iterator[GeneratedTag | Disagreement | Missing]]

SUBJECTS: tuple[Subject, ...] = (
    apple_chips.tags,
    arm_servers.tags,
    cores.tags,
    desktops.tags,
    generic.tags,
    servers.tags,
    x86_families.tags,
    jetson.tags,
    nvidia.tags,
)
