"""Says in one line what a tag of a list is."""

from __future__ import annotations

from collections.abc import Mapping

from registry.domain.descriptions.descriptions import CATEGORIES
from registry.domain.descriptions.machines import FamilyText, machine_name

PATCH = "a patch for other targets"


def one_line(facts: Mapping[str, str], kind: str, *, is_family: bool = False) -> str:
    """Return the machine and what it is: `NVIDIA GeForce RTX 4090: a GPU, Ada Lovelace`.

    `facts` are hardware facts by name. Says only what they and the kind state.
    """
    name = machine_name(facts)
    one, several = CATEGORIES.get(facts.get("category", ""), ("", "machines"))
    if not kind:
        return PATCH
    if is_family:
        return _with_name(name, f"a family of {several}")
    if not one:
        return _with_name(name, "a target")
    return _with_name(name, f"{one}{_family(facts, name)}")


def _with_name(name: str, noun: str) -> str:
    return f"{name}: {noun}" if name else noun


def _family(facts: Mapping[str, str], name: str) -> str:
    """Return what the family adds: an accelerator, a processor, or its title if that is new."""
    family = FamilyText.of(facts)
    if family.accelerator:
        return f" with {family.accelerator}"
    words = family.processor or family.title
    is_new = words and words.casefold() not in name.casefold()
    return f", {words}" if is_new else ""
