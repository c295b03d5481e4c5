"""The answer of a registry about a pasted text: machines, their tags, and where it says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ttag.responses.values import text, texts


@dataclass(frozen=True, slots=True)
class Fact:
    """A value of a body, with the characters of the text that say it.

    `stated` is `text`, `inferred` from it, or `ambiguous`: one of several that it may mean.
    """

    pointer: str
    start: int
    end: int
    stated: str

    @classmethod
    def from_json(cls, answer: Any) -> Fact:
        """Read an item of `facts`."""
        return cls(
            text(answer["pointer"]), int(answer["from"]), int(answer["to"]), text(answer["stated"])
        )


@dataclass(frozen=True, slots=True)
class TextDifference:
    """A value that a tag and the text state differently; None where the tag states none."""

    pointer: str
    tag: Any
    text: Any


@dataclass(frozen=True, slots=True)
class RelatedTag:
    """A tag of a reading. It is the `same`, `contains` it as a part, or is `near`."""

    reference: str
    relation: str
    differences: tuple[TextDifference, ...]

    @classmethod
    def from_json(cls, answer: Any) -> RelatedTag:
        """Read an item of `tags`."""
        differences = tuple(
            TextDifference(text(each["pointer"]), each["tag"], each["text"])
            for each in answer["differences"]
        )
        return cls(text(answer["reference"]), text(answer["relation"]), differences)


@dataclass(frozen=True, slots=True)
class Reading:
    """A machine or target that the text describes; `search` is the query of a list of tags."""

    body: dict[str, Any]
    facts: tuple[Fact, ...]
    tags: tuple[RelatedTag, ...]
    notes: tuple[str, ...]
    search: str

    @classmethod
    def from_json(cls, answer: Any) -> Reading:
        """Read an item of `readings`."""
        return cls(
            dict(answer["body"]),
            tuple(map(Fact.from_json, answer["facts"])),
            tuple(map(RelatedTag.from_json, answer["tags"])),
            texts(answer["notes"]),
            text(answer.get("search")),
        )


@dataclass(frozen=True, slots=True)
class Recognised:
    """A form of text that the registry knows, with its characters."""

    form: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Ignored:
    """A part of the text that says nothing about a machine, and why."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Identification:
    """The machines that a text describes: none, one, or several, of which none is chosen."""

    readings: tuple[Reading, ...]
    recognised: tuple[Recognised, ...]
    ignored: tuple[Ignored, ...]

    @classmethod
    def from_json(cls, answer: Any) -> Identification:
        """Read the response of `POST identify`."""
        return cls(
            tuple(map(Reading.from_json, answer["readings"])),
            tuple(
                Recognised(text(each["as"]), int(each["from"]), int(each["to"]))
                for each in answer["recognised"]
            ),
            tuple(Ignored(text(each["text"]), text(each["reason"])) for each in answer["ignored"]),
        )
