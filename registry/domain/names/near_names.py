"""Suggest similar names in errors about unknown names."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MAX_LENGTH = 64  # difflib is quadratic; longer names are not typing errors
MAX_NAMES = 3


def nearest_names(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Return up to three candidates that resemble a name, most similar first."""
    if len(name) > MAX_LENGTH:
        return ()
    by_fold = {_fold(candidate): candidate for candidate in candidates}
    return tuple(by_fold[fold] for fold in get_close_matches(_fold(name), by_fold, MAX_NAMES))


def nearest_first(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Return all candidates: first those that resemble a name, then the others in their order."""
    known = tuple(candidates)
    return tuple(dict.fromkeys((*nearest_names(name, known), *known)))


def _fold(name: str) -> str:
    return name.lower().replace("_", "-")
