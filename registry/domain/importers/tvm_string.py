"""`tvm-string`: the command line that TVM took as a target to 0.23 (section 11).

A target on it is a tag, JSON, or a kind and its options; a host is one, a level of quotes deeper.
What is read is a JSON target of TVM's, of which the importer `tvm` makes a body.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from registry.domain.composition import COMPOSITES
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Place, Refused, echo, refuse_all
from registry.domain.importers import tvm
from registry.domain.importing import Imported, Importer, Note
from registry.domain.kinds import EXECUTOR, FLOW, HARDWARE, RUNTIME, Kind, Kinds
from registry.domain.near import nearest
from registry.domain.parts import HOST
from registry.domain.pointer import ROOT, child
from registry.domain.schema import MOST_GUESSES, unknown_option
from registry.domain.tvm import option_text, removed
from registry.domain.tvm.command_line import BLANK, COMMA, Option, Text, Unreadable, options
from registry.domain.tvm.moved import HOMES

Said = TypeVar("Said", Fault, Note)

TAG = re.compile(r"[^-/][^/]*/")  # no kind has a slash, no tag a dash before it
PLAIN = re.compile(r" *(?:[+-]?[0-9]+|true|false) *", re.IGNORECASE)
KIND, DEVICES = "kind", "devices"
OF_TVM: Mapping[str, Mapping[str, Any]] = {
    "tag": {"type": "string"},
    "from_device": {"type": "integer"},
    "target_device_type": {"type": "integer"},
}  # the options that every kind has in TVM and none here


def read(source: Json, kinds: Kinds) -> Imported:
    """The body of a command line; one that is JSON is read as by the importer `tvm`.

    Raises `Refused` with all faults: they point to the root and say at which character, from 0.
    """
    if not isinstance(source, str):
        message = f"{echo(source)} is no text; JSON is read by the importer tvm"
        fault = Fault(ROOT, "VALUE_TYPE", message, "a command line", echo(source))
        raise Refused(Code.BODY_INVALID, f"Not accepted: {message}.", faults=[fault])
    if _is_json(source):
        found = tvm.read(source, kinds)
        return replace(found, notes=(Note(ROOT, "read as JSON, by the importer tvm"), *found.notes))
    reading = _Reading(kinds)
    target = reading.root(Text.of(source))
    refuse_all(reading.faults)
    return reading.normalised(target if isinstance(target, dict) else {"tag": target})


def _is_json(text: str) -> bool:
    return text.lstrip().startswith("{")


@dataclass(slots=True)
class _Reading:
    """A command line being read.

    `options` fills with what stands at each JSON pointer into the target that the line says.
    """

    kinds: Kinds
    faults: list[Fault] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    options: dict[str, Option] = field(default_factory=dict)

    def root(self, line: Text) -> Json:
        """The target that a whole line says; None where it cannot be read."""
        try:
            return self._target(line, ROOT)
        except Unreadable as problem:
            self.faults.append(problem.fault)
            return None

    def _target(self, text: Text, pointer: str) -> Json:
        """A tag or JSON as text, or the object that a kind and its options say.

        Raises `Unreadable`.
        """
        text = text.stripped()
        if _is_json(text.characters):
            return text.characters
        words = text.split(BLANK)
        if not words:
            raise Unreadable("OPTION_MISSING", "a target is missing", "a kind and its options")
        if TAG.match(words[0].characters):
            self._stands_alone(words)
            return words[0].characters
        return self._node(words, pointer)

    def _stands_alone(self, words: list[Text]) -> None:
        if len(words) > 1:
            tag = echo(words[0].characters)
            message = f"{tag} is a tag: nothing follows it, as at character {words[1].place}"
            expected = "the tag alone; a body can override what it inherits"
            place = words[1].position()
            self.faults.append(Fault(ROOT, "OPTION_INVALID", message, expected, place=place))

    def _node(self, words: list[Text], pointer: str) -> dict[str, Json]:
        kind = self._kind(words[0])
        node: dict[str, Json] = {KIND: words[0].characters}
        met = {KIND: words[0].place}
        for option in options(words[1:], self.faults.append):
            if option.name in met:
                self._twice(option, met[option.name])
                continue
            met[option.name] = option.place
            place = child(pointer, option.name)
            self.options[place] = option
            if kind:
                node[option.name] = self._value(option, kind, place)
        return node

    def _kind(self, word: Text) -> Kind | None:
        name = word.characters
        if name in self.kinds.targets:
            return self.kinds.targets[name]
        fault = removed.kind_fault(name, ROOT) or Fault(
            ROOT,
            Code.KIND_UNKNOWN,
            f"{echo(name)} is no known kind",
            "one of " + ", ".join(sorted(self.kinds.targets)),
            echo(name),
            nearest(name, self.kinds.targets),
        )
        self.faults.append(_placed(fault, f"at character {word.place}", word.position()))
        return None

    def _twice(self, option: Option, place: int) -> None:
        message = f"{option} was said before, at character {place}"
        self.faults.append(
            Fault(ROOT, "OPTION_TWICE", message, "each option once", place=option.position)
        )

    def _value(self, option: Option, kind: Kind, pointer: str) -> Json:
        """What an option says; None where it says nothing that it can."""
        try:
            return self._read(option, kind, pointer)
        except Unreadable as problem:
            self.faults.append(_placed(problem.fault, option, option.position))
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
        schema = OF_TVM.get(option.name) or option_text.schema_of(option.name, kind, self.kinds)
        if schema is None:
            fault = self._unknown(option.name, kind)
            self.faults.append(_placed(fault, option, option.position))
            return None
        value = option_text.read(option.value, schema)
        if _is_guess(option, value):
            self.notes.append(_said(Note(ROOT, f"read as {echo(value)}"), option))
        return value

    def _unknown(self, name: str, kind: Kind) -> Fault:
        if name in (FLOW, HARDWARE):
            message = f"{name} is an object, which no command line can say"
            return Fault(ROOT, "VALUE_TYPE", message, "a body")
        known = [*kind.options.keys() - {KIND}, HOST, EXECUTOR, RUNTIME, *HOMES]
        guesses = known if len(self.faults) < MOST_GUESSES else ()
        return removed.option_fault(kind.word, name, ROOT) or unknown_option(
            kind.word, name, ROOT, guesses
        )

    def normalised(self, target: dict[str, Json]) -> Imported:
        """The body of a target of TVM's, with notes and faults that name options of the line."""
        try:
            found = tvm.read(target, self.kinds)
        except Refused as refusal:
            refuse_all(map(self._of_option, refusal.faults))
            raise
        notes = [_said(note, self._option(note.pointer)) for note in found.notes]
        return replace(found, notes=(*self.notes, *notes))

    def _of_option(self, fault: Fault) -> Fault:
        """A fault of the target, as one of the option on the line."""
        option = self._option(fault.pointer)
        return _placed(fault, option, option.position if option else None)

    def _option(self, pointer: str) -> Option | None:
        """The option that says what stands at a pointer into the target."""
        while pointer and pointer not in self.options:
            pointer = pointer.rpartition("/")[0]
        return self.options.get(pointer)


def _is_guess(option: Option, value: Json) -> bool:
    """Whether the line says something else than the value that TVM makes of it."""
    if isinstance(value, int):
        return not PLAIN.fullmatch(option.value.unquoted().characters)
    return option.is_bare and isinstance(value, str)


def _placed(fault: Fault, where: object, place: Place | None) -> Fault:
    """A fault of the whole line, with its place on the line."""
    return replace(_said(fault, where), place=fault.place or place)


def _said(found: Said, where: object) -> Said:
    """A fault or a note of the whole line, that says of what on it."""
    message = f"{where}: {found.message}" if where else found.message
    return replace(found, pointer=ROOT, message=message)


IMPORTER = Importer(
    name="tvm-string",
    summary="The command line that TVM took to 0.23, such as llvm -mcpu=cortex-a53.",
    read=read,
)
