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


@dataclass(frozen=True)
class TuningCase:
    """Leaves of targets whose tuning keys are all the `same`, all `different`, or which have none.

    `stored_only` if a body can no longer say this, but an older version may.
    """

    rule: str
    keys: str
    leaves: list[dict[str, Any]]
    stored_only: bool = False

    def __str__(self) -> str:
        return self.rule


@dataclass(frozen=True)
class BuildCase:
    """Targets whose build digests are all the `same` or all `different`."""

    rule: str
    digests: str
    targets: list[dict[str, Any]]

    def __str__(self) -> str:
        return self.rule


@dataclass(frozen=True)
class NodeCase:
    """A node of a target, closed, with its tuning keys by pointer and its build."""

    rule: str
    target: dict[str, Any]
    pointer: str
    node: dict[str, Any]
    codegens: list[str]
    tuning_keys: dict[str, str]
    build_digest: str
    build_key: str | None

    def __str__(self) -> str:
        return self.rule


def tuning_cases() -> list[TuningCase]:
    return [TuningCase(**case) for case in _read("tuning_keys.json")]


def build_cases() -> list[BuildCase]:
    return [BuildCase(**case) for case in _read("build_keys.json")]


def node_cases() -> list[NodeCase]:
    return [NodeCase(**case) for case in _read("closed_nodes.json")]


def kind_facts() -> dict[str, Any]:
    """Return what the rules about keys need to know of each kind in the cases."""
    facts: dict[str, Any] = _read("kind_facts.json")
    return facts


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
