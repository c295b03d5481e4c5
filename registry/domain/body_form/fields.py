"""The parts of a form: fields, groups and starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from registry.domain.document import Json
from ttag_rules.pointer import ROOT


class Widget(StrEnum):
    """The way in which a value is entered as text. An empty text states nothing."""

    TEXT = "text"  # one line
    INTEGER = "integer"  # digits
    NUMBER = "number"  # as JSON has it
    SWITCH = "switch"  # true or false
    CHOICE = "choice"  # one of an enum
    LIST = "list"  # texts separated by commas or line breaks
    INTEGERS = "integers"  # digits or quantities, one per line: a comma may separate thousands
    LINES = "lines"  # texts that may contain commas, one per line
    NAMED_LINES = "named-lines"  # `name: text`, one per line; without a name it stands for all
    PARENTS = "parents"  # references separated by white space; several make a list
    COMPONENT = "component"  # the kind of an executor or runtime; its options have their own fields
    TARGET = "target"  # a reference or a kind's name; overrides and options have their own fields
    NODE = "node"  # a reference, a kind's name, or a JSON object
    DEVICES = "devices"  # rows of a label and a node; see `devices`
    JSON = "json"  # any value


class BodyRole(StrEnum):
    """The role of a body, which depends on its `kind` and `tag`."""

    KIND = "kind"  # it states a kind
    HEIR = "heir"  # it states parents; an empty field is inherited
    MIXIN = "mixin"  # it states neither


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the form, with the pointer of its value and facts about the option.

    `label` is the option's name; `only_in` lists the executors or runtimes that have it, unless all
    do.
    """

    pointer: str
    label: str
    widget: Widget
    schema: Mapping[str, Any] = field(default_factory=dict)
    consumers: tuple[str, ...] = ()
    affects_tuning: bool = False
    is_required: bool = False
    only_in: tuple[str, ...] = ()
    members: tuple[Field, ...] = ()  # of an object with named members; it has no text of its own

    @property
    def help(self) -> str:
        """The description in the schema."""
        return str(self.schema.get("description", ""))

    @property
    def unit(self) -> str:
        """The unit of a number; empty if it has none."""
        return str(self.schema.get("x-unit", ""))

    @property
    def default(self) -> Json:
        """The value that a compiler assumes if none is stated; None if it is unknown."""
        value: Json = self.schema.get("default")
        return value

    @property
    def choices(self) -> tuple[Json, ...]:
        """The values of an enum; empty for other fields."""
        if "const" in self.schema:
            return (self.schema["const"],)
        return tuple(self.schema.get("enum", ()))


@dataclass(frozen=True, slots=True)
class Group:
    """A group of fields. What is rarely used is folded."""

    name: str
    title: str
    fields: tuple[Field, ...]
    folded: tuple[Field, ...] = ()
    help: str = ""


def no_fields(target: str) -> Start | None:
    """Return None: devices are targets without fields of their own."""
    return None


@dataclass(frozen=True)
class Start:
    """The starting point of a form: the body's role, its kind, and the fields.

    `kind` is empty if it is unknown; then the fields are those that every target has.
    `device_start` returns the fields of a device, given its kind or tag; None if it has none.
    """

    role: BodyRole
    kind: str
    groups: tuple[Group, ...]
    device_start: Callable[[str], Start | None] = field(default=no_fields, compare=False)

    @cached_property
    def fields(self) -> dict[str, Field]:
        """All fields by pointer, in order."""
        return {
            field.pointer: field
            for group in self.groups
            for field in (*group.fields, *group.folded)
        }


REST = Field(ROOT, "JSON", Widget.JSON)  # for whatever no field can contain
