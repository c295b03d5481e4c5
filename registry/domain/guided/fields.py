"""What a guided form is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from registry.domain.document import Json
from registry.domain.pointer import ROOT


class Widget(StrEnum):
    """How a value is written as text. An empty text states nothing."""

    TEXT = "text"  # one line
    INTEGER = "integer"  # digits
    NUMBER = "number"  # as JSON has it
    SWITCH = "switch"  # true or false
    CHOICE = "choice"  # one of an enum
    LIST = "list"  # texts, at commas and at ends of lines
    LINES = "lines"  # texts that may hold commas: one a line
    PARENTS = "parents"  # references at blanks; of several, a list
    COMPONENT = "component"  # the word of an executor or runtime; its options are fields beside it
    TARGET = "target"  # a reference or a kind's name; overrides and options are fields beside it
    NODE = "node"  # a reference, a kind's name, or a JSON object
    DEVICES = "devices"  # rows of a label and a node; see `devices`
    JSON = "json"  # any value


class Role(StrEnum):
    """What makes a body one of its kind."""

    KIND = "kind"  # it states a kind
    HEIR = "heir"  # it states parents; an empty field is inherited
    MIXIN = "mixin"  # it states neither


@dataclass(frozen=True, slots=True)
class Field:
    """One field: where its value goes in the body, and what is known of that.

    `label` is the option's own spelling; `of` names the executors or runtimes that have it, where
    not all do.
    """

    pointer: str
    label: str
    widget: Widget
    schema: Mapping[str, Any] = field(default_factory=dict)
    consumers: tuple[str, ...] = ()
    affects_tuning: bool = False
    is_required: bool = False
    of: tuple[str, ...] = ()

    @property
    def help(self) -> str:
        """The schema's own words."""
        return str(self.schema.get("description", ""))

    @property
    def unit(self) -> str:
        """The unit of its numbers; empty where they have none."""
        return str(self.schema.get("x-unit", ""))

    @property
    def default(self) -> Json:
        """What a compiler assumes where nothing is stated; None: nothing is known."""
        value: Json = self.schema.get("default")
        return value

    @property
    def choices(self) -> tuple[Json, ...]:
        """The values of an enum; empty for a field that has none."""
        if "const" in self.schema:
            return (self.schema["const"],)
        return tuple(self.schema.get("enum", ()))


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that stand together. A folded one is rare: it opens where it holds something."""

    name: str
    title: str
    fields: tuple[Field, ...]
    help: str = ""
    is_folded: bool = False


@dataclass(frozen=True)
class Start:
    """What a form begins with: the body's role, the kind that its fields are of, and these.

    `kind` is empty where none is known; then the fields are those that every target has.
    """

    role: Role
    kind: str
    groups: tuple[Group, ...]

    @cached_property
    def fields(self) -> dict[str, Field]:
        """Every field by its pointer, in order."""
        return {field.pointer: field for group in self.groups for field in group.fields}


REST = Field(ROOT, "JSON", Widget.JSON)  # of what no field can hold
