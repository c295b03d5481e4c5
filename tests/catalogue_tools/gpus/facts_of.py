"""Reads the hardware facts of a generated tag."""

from typing import Any

from catalogue_tools.tags import GeneratedTag


def hardware(tag: GeneratedTag) -> dict[str, Any]:
    """Return the hardware facts that the tag's own body states."""
    facts = tag.body["hardware"]
    assert isinstance(facts, dict)
    return facts
