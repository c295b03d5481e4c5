"""Aliases: which tag one stands for, only its registry knows, and that registry must have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ttag.errors import SettingsError, TtagError
from ttag.references import Reference
from ttag.resolution import Export, Resolution
from ttag.settings import Settings

R = TypeVar("R")


def refuse_foreign(settings: Settings, address: str, answer: R | TtagError) -> R | TtagError:
    """Return an answer, or the error that another registry has the tag of an alias."""
    if not (isinstance(answer, Resolution) and answer.is_of_alias):
        return answer
    owner = settings.find_registry(Reference.parse(answer.tag))
    if owner == address:
        return answer
    return SettingsError(
        f"{answer.reference} is an alias of {answer.tag}, whose namespace belongs to "
        f"{owner or 'no registry'}, and not to {address}: use {answer.tag} itself."
    )


def mention_alias(answer: Resolution | Export | TtagError, warn: Callable[[str], None]) -> None:
    """Warn if an answer is of an alias, which can stand for another tag until it is locked."""
    if not isinstance(answer, TtagError) and answer.is_of_alias:
        warn(
            f"{answer.reference} is an alias, which its registry can point at another tag; now it "
            f"stands for {answer.tag}."
        )
