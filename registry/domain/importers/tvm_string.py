"""The `tvm-string` importer: the command line that TVM accepted for targets until 0.23.

A target is a tag, JSON, or a kind and its options; a host is a target with one more level of
quotes. The line is read as a JSON target of TVM, which the importer `tvm` turns into a body.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from registry.domain.closed_nodes import HOST
from registry.domain.composition import COMPOSITES
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, TextPosition, echo, refuse_all
from registry.domain.importers import tvm
from registry.domain.importing import Imported, Importer, Note
from registry.domain.kinds import EXECUTOR, FLOW, HARDWARE, RUNTIME, Kind, Kinds
from registry.domain.near_names import nearest_names
from registry.domain.pointer import ROOT, child
from registry.domain.schema import MAX_SUGGESTIONS, unknown_option
from registry.domain.tvm import option_text, removed_options
from registry.domain.tvm.command_line import BLANK, COMMA, Option, Text, Unreadable, parse_options
from registry.domain.tvm.moved_options import NEW_OWNERS

Message = TypeVar("Message", Fault, Note)

TAG = re.compile(r"[^-/][^/]*/")  # kinds have no slash, and tags do not start with a dash
PLAIN = re.compile(r" *(?:[+-]?[0-9]+|true|false) *", re.IGNORECASE)
KIND, DEVICES = "kind", "devices"
TVM_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "tag": {"type": "string"},
    "from_device": {"type": "integer"},
    "target_device_type": {"type": "integer"},
}  # options that every kind has in TVM and no kind has in the registry


def read(source: Json, kinds: Kinds) -> Imported:
    """Read a command line; JSON is passed to the importer `tvm`.

    Raises `Refused` with all faults, which point to the root and name the character, counted from
    0.
    """
    if not isinstance(source, str):
        message = f"{echo(source)} is not text; JSON is read by the importer tvm"
        fault = Fault(ROOT, "VALUE_TYPE", message, "a command line", echo(source))
        raise Refused(Code.BODY_INVALID, f"Not accepted: {message}.", faults=[fault])
    if _is_json(source):
        imported = tvm.read(source, kinds)
        return replace(
            imported, notes=(Note(ROOT, "read as JSON, by the importer tvm"), *imported.notes)
        )
    reader = _Reader(kinds)
    target = reader.root(Text.of(source))
    refuse_all(reader.faults)
    return reader.to_body(target if isinstance(target, dict) else {"tag": target})


def _is_json(text: str) -> bool:
    return text.lstrip().startswith("{")


@dataclass(slots=True)
class _Reader:
    """Reads a command line.

    `options` is filled with the option at each JSON pointer into the target.
    """

    kinds: Kinds
    faults: list[Fault] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    options: dict[str, Option] = field(default_factory=dict)

    def root(self, line: Text) -> Json:
        """Read the target of a whole line; None if it is invalid."""
        try:
            return self._target(line, ROOT)
        except Unreadable as problem:
            self.faults.append(problem.fault)
            return None

    def _target(self, text: Text, pointer: str) -> Json:
        """Return a tag or JSON as text, or the object for a kind and its options.

        Raises `Unreadable`.
        """
        text = text.stripped()
        if _is_json(text.characters):
            return text.characters
        words = text.split(BLANK)
        if not words:
            raise Unreadable("OPTION_MISSING", "a target is missing", "a kind and its options")
        if TAG.match(words[0].characters):
            self._check_tag_is_alone(words)
            return words[0].characters
        return self._node(words, pointer)

    def _check_tag_is_alone(self, words: list[Text]) -> None:
        if len(words) > 1:
            tag = echo(words[0].characters)
            message = f"{tag} is a tag, but options follow it at character {words[1].place}"
            expected = "only the tag; a body can override what it inherits"
            place = words[1].position()
            self.faults.append(Fault(ROOT, "OPTION_INVALID", message, expected, place=place))

    def _node(self, words: list[Text], pointer: str) -> dict[str, Json]:
        kind = self._kind(words[0])
        node: dict[str, Json] = {KIND: words[0].characters}
        offsets = {KIND: words[0].place}
        for option in parse_options(words[1:], self.faults.append):
            if option.name in offsets:
                self._report_duplicate(option, offsets[option.name])
                continue
            offsets[option.name] = option.place
            option_pointer = child(pointer, option.name)
            self.options[option_pointer] = option
            if kind:
                node[option.name] = self._value(option, kind, option_pointer)
        return node

    def _kind(self, word: Text) -> Kind | None:
        name = word.characters
        if name in self.kinds.targets:
            return self.kinds.targets[name]
        fault = removed_options.kind_fault(name, ROOT) or Fault(
            ROOT,
            Code.KIND_UNKNOWN,
            f"{echo(name)} is not a known kind",
            "one of " + ", ".join(sorted(self.kinds.targets)),
            echo(name),
            nearest_names(name, self.kinds.targets),
        )
        self.faults.append(_with_place(fault, f"at character {word.place}", word.position()))
        return None

    def _report_duplicate(self, option: Option, first_offset: int) -> None:
        message = f"{option} is a duplicate of the one at character {first_offset}"
        self.faults.append(
            Fault(ROOT, "OPTION_TWICE", message, "each option once", place=option.position)
        )

    def _value(self, option: Option, kind: Kind, pointer: str) -> Json:
        """Return the value of an option; None if it is invalid."""
        try:
            return self._read(option, kind, pointer)
        except Unreadable as problem:
            self.faults.append(_with_place(problem.fault, option, option.position))
            return None

    def _read(self, option: Option, kind: Kind, pointer: str) -> Json:
        if option.name == HOST:
            return self._target(option.value.unquoted(), pointer)
        if option.name == DEVICES and kind.word in COMPOSITES:
            items = option.value.unquoted().split(COMMA)
            return [
                self._target(item.unquoted(), child(pointer, index))
                for index, item in enumerate(items)
            ]
        schema = TVM_OPTIONS.get(option.name) or option_text.option_schema(
            option.name, kind, self.kinds
        )
        if schema is None:
            fault = self._unknown_option_fault(option.name, kind)
            self.faults.append(_with_place(fault, option, option.position))
            return None
        value = option_text.parse_option(option.value, schema)
        if _is_guess(option, value):
            self.notes.append(_with_location(Note(ROOT, f"read as {echo(value)}"), option))
        return value

    def _unknown_option_fault(self, name: str, kind: Kind) -> Fault:
        if name in (FLOW, HARDWARE):
            message = f"{name} is an object, which a command line cannot express"
            return Fault(ROOT, "VALUE_TYPE", message, "a body")
        names = [*kind.options.keys() - {KIND}, HOST, EXECUTOR, RUNTIME, *NEW_OWNERS]
        guesses = names if len(self.faults) < MAX_SUGGESTIONS else ()
        return removed_options.option_fault(kind.word, name, ROOT) or unknown_option(
            kind.word, name, ROOT, guesses
        )

    def to_body(self, target: dict[str, Json]) -> Imported:
        """Turn a JSON target of TVM into a body; notes and faults name options of the line."""
        try:
            imported = tvm.read(target, self.kinds)
        except Refused as refusal:
            refuse_all(map(self._at_option, refusal.faults))
            raise
        notes = [_with_location(note, self._option(note.pointer)) for note in imported.notes]
        return replace(imported, notes=(*self.notes, *notes))

    def _at_option(self, fault: Fault) -> Fault:
        """Convert a fault of the target to one of the option on the line."""
        option = self._option(fault.pointer)
        return _with_place(fault, option, option.position if option else None)

    def _option(self, pointer: str) -> Option | None:
        """Return the option for a pointer into the target."""
        while pointer and pointer not in self.options:
            pointer = pointer.rpartition("/")[0]
        return self.options.get(pointer)


def _is_guess(option: Option, value: Json) -> bool:
    """Return whether TVM reads the value differently from how it is written."""
    if isinstance(value, int):
        return not PLAIN.fullmatch(option.value.unquoted().characters)
    return option.is_bare and isinstance(value, str)


def _with_place(fault: Fault, where: object, place: TextPosition | None) -> Fault:
    """Return a fault of the whole line with its position on the line."""
    return replace(_with_location(fault, where), place=fault.place or place)


def _with_location(original: Message, where: object) -> Message:
    """Return a fault or note of the whole line that names its location."""
    message = f"{where}: {original.message}" if where else original.message
    return replace(original, pointer=ROOT, message=message)


IMPORTER = Importer(
    name="tvm-string",
    summary="The command line that TVM accepted until 0.23, such as llvm -mcpu=cortex-a53.",
    read=read,
)
