"""The formats in which a resolution is handed out, by name and media type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from registry.services.resolving import Answer


@dataclass(frozen=True, slots=True)
class Format:
    """One format. `is_closed`: nothing but the version itself can change what it says."""

    name: str
    media_type: str
    render: Callable[[Answer], str]
    is_closed: bool = False

    @property
    def is_json(self) -> bool:
        """Whether it can stand in another JSON document as it is."""
        return self.media_type.endswith("json")


def _target(answer: Answer) -> str:
    """Exactly the digested text."""
    return answer.target


FORMATS = {
    found.name: found
    for found in (
        Format("json", "application/json", lambda answer: answer.text),
        Format(
            "target", "application/vnd.target-tag-registry.target+json", _target, is_closed=True
        ),
    )
}
