"""Test vectors, for this repository and for other clients: JSON files with cases and results."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class SelectionCase:
    """The versions of a tag, and which one each selector chooses; None if there is none.

    With an `alias`, the selectors follow the name of an alias that has this selector itself;
    `refused` are those that it does not take.
    """

    rule: str
    versions: list[dict[str, Any]]
    choices: dict[str, str | None]
    alias: str | None = None
    refused: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.rule


def selection_cases() -> list[SelectionCase]:
    return [SelectionCase(**case) for case in _read("version_selection.json")]


def mirror_names() -> list[tuple[str, str]]:
    """Return names, and how files of a mirror are named after them."""
    return [(name, escaped) for name, escaped in _read("mirror_names.json")]


def log() -> Any:
    """Return trees, proofs, notes and keys of logs; bytes are base64 unless the name says hex.

    `malformed_checkpoints` are no checkpoints, whatever the key; `unsigned_checkpoints` are some
    that the key of `checkpoint` has not signed.
    """
    return _read("log.json")


def _read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))
