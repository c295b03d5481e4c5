"""Lists the subjects, which yield tags from tables of facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from registry.generator.gpus import jetson, nvidia
from registry.generator.tags import Disagreement, GeneratedTag, Missing

Subject = Callable[[], Iterator[GeneratedTag | Disagreement | Missing]]

SUBJECTS: tuple[Subject, ...] = (
    jetson.tags,
    nvidia.tags,
)
