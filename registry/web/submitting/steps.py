"""The steps from a first word to a submission, in their order."""

from __future__ import annotations

from dataclasses import dataclass

FILL, CHECK, PREVIEW, SUBMIT = "Fill in", "Check", "Preview", "Submit"
STEPS = (FILL, CHECK, PREVIEW, SUBMIT)


@dataclass(frozen=True, slots=True)
class Step:
    """One of them, and whether it is at hand."""

    name: str
    is_current: bool


def listed(current: str) -> list[Step]:
    """All of them, in order."""
    return [Step(name, name == current) for name in STEPS]
