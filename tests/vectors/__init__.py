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


@dataclass(frozen=True)
class AcceptedReference:
    """A text that is a reference, the name in it and its selector, which may be empty."""

    reference: str
    name: str
    selector: str

    def __str__(self) -> str:
        return self.reference


@dataclass(frozen=True)
class RefusedReference:
    """A text that is no reference, and the rule that it breaks."""

    rule: str
    reference: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.reference!r}"


def accepted_references() -> list[AcceptedReference]:
    return [AcceptedReference(**case) for case in _read("references.json")["accepted"]]


def refused_references() -> list[RefusedReference]:
    return [RefusedReference(**case) for case in _read("references.json")["refused"]]


def mirror_names() -> list[tuple[str, str]]:
    """Return names, and how files of a mirror are named after them."""
    return [(name, escaped) for name, escaped in _read("mirror_names.json")]


def log() -> Any:
    """Return trees, proofs, notes and keys of logs; bytes are base64 unless the name says hex.

    `malformed_checkpoints` are no checkpoints, whatever the key; `unsigned_checkpoints` are some
    that the key of `checkpoint` has not signed.
    """
    return _read("log.json")


Change = tuple[str, str]


@dataclass(frozen=True)
class TextVector:
    """A text of the registry for a body, what it drops, and changes that a client refuses."""

    format: str
    body: str
    text: str
    dropped: tuple[str, ...]
    refused: tuple[Change, ...]

    def __str__(self) -> str:
        return f"{self.format}-{self.body}"


@dataclass(frozen=True)
class TextVectors:
    """Bodies by name, and texts for them."""

    bodies: dict[str, dict[str, Any]]
    texts: tuple[TextVector, ...]


def texts() -> TextVectors:
    """Return the texts, and how they must not be changed."""
    document = _read("texts.json")
    return TextVectors(
        document["bodies"],
        tuple(
            TextVector(
                each["format"],
                each["body"],
                each["text"],
                tuple(each["dropped"]),
                tuple((old, new) for old, new in each["refused"]),
            )
            for each in document["texts"]
        ),
    )


def _read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))
