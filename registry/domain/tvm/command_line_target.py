"""Read a command line as a JSON target of TVM.

A target is a tag, JSON, or a kind, with options after a tag or kind; a host is a target with one
more level of quotes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from registry.domain.document import Json
from registry.domain.errors import Fault, TextPosition, echo
from registry.domain.importing import Note
from registry.domain.kinds.kinds import EXECUTOR, FLOW, HARDWARE, RUNTIME, Kind, Kinds
from registry.domain.kinds.schema import MAX_SUGGESTIONS, resolve_ref, unknown_option
from registry.domain.names.near_names import nearest_names
from registry.domain.tvm import option_text, removed_options
from registry.domain.tvm.command_line import (
    COMMA,
    EXPECTED,
    NO_ITEM,
    SPACE,
    SPECIAL,
    Option,
    Text,
    Unreadable,
    parse_options,
)
from registry.domain.tvm.internal_options import DEVICE_TYPE, FROM_DEVICE, from_device_fault
from registry.domain.tvm.moved_options import NEW_OWNERS
from registry.domain.tvm.name_hints import add_option_hints, unknown_kind
from registry.domain.tvm.source_locations import Findings, Location
from ttag_rules.nodes import COMPOSITES, HOST
from ttag_rules.pointer import ROOT, child

TAG = re.compile(r"[^-/][^/]*/")  # kinds have no slash, and tags do not start with a dash
PLAIN = re.compile(r" *(?:[+-]?[0-9]+|true|false) *", re.IGNORECASE)
KIND, TAG_OPTION, DEVICES, KEYS = "kind", "tag", "devices", "keys"
TVM_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    TAG_OPTION: {"type": "string"},
    DEVICE_TYPE: {"type": "integer"},
}  # options that every kind has in TVM and no kind has in the registry

Schema = Mapping[str, Any]


def is_json(text: str) -> bool:
    """Return whether a text is a JSON object instead of a command line."""
    return text.lstrip().startswith("{")


@dataclass(frozen=True, slots=True)
class Owner:
    """The target whose options are read: one of a known kind, or one that inherits from a tag."""

    kinds: Kinds
    kind: Kind | None

    @property
    def word(self) -> str:
        """The kind's name; empty if a tag determines it."""
        return self.kind.word if self.kind else ""

    def schema(self, name: str) -> Schema | None:
        """Return the schema of an option under its old or new name; None if it is unknown."""
        new = removed_options.new_name(self.word, name)
        candidates = [self.kind] if self.kind else self.kinds.targets.values()
        schemas = (option_text.option_schema(new, kind, self.kinds) for kind in candidates)
        return TVM_OPTIONS.get(name) or next((schema for schema in schemas if schema), None)

    def unknown_option_fault(self, name: str, with_suggestions: bool) -> Fault:
        """Return the fault for an option that the target does not have."""
        if name == FROM_DEVICE:
            return from_device_fault(ROOT)
        if name in (FLOW, HARDWARE):
            message = f"{name} is an object, which a command line cannot express"
            return Fault(ROOT, "VALUE_TYPE", message, "a body")
        candidates = [self.kind] if self.kind else self.kinds.targets.values()
        known = {option for kind in candidates for option in kind.options} - {KIND}
        names = [*sorted(known), HOST, EXECUTOR, RUNTIME, *NEW_OWNERS] if with_suggestions else ()
        fault = unknown_option(self.word, name, ROOT, names)
        (fault,) = add_option_hints([fault], known)
        return fault if self.kind else replace(fault, message=f"no kind has an option {echo(name)}")


@dataclass(slots=True)
class LineReader:
    """Reads one command line, which is at `origin` in the source."""

    kinds: Kinds
    findings: Findings
    origin: Location

    def target(self, text: Text, pointer: str) -> Json:
        """Return a tag or JSON as text, or the object for a kind or tag and its options.

        Returns None if the target is invalid; all faults are among the findings. `pointer` is the
        place of the target in the JSON target.
        """
        faults_before = len(self.findings.faults)
        try:
            target = self._target(text, pointer)
        except Unreadable as problem:
            self.report(problem.fault)
            return None
        return target if len(self.findings.faults) == faults_before else None

    def report(self, fault: Fault) -> None:
        """Add a fault of the line."""
        self.findings.faults.append(self.origin.fault(fault))

    def note(self, message: str) -> None:
        """Add a note on the line."""
        self.findings.notes.append(self.origin.note(Note(ROOT, message)))

    def _target(self, text: Text, pointer: str) -> Json:
        """Return a target as `target` does. Raises `Unreadable`."""
        text = text.stripped()
        if is_json(text.characters):
            return text.characters
        words = text.split(SPACE)
        if not words:
            raise Unreadable("OPTION_MISSING", "a target is missing", "a kind and its options")
        first, is_tag = words[0].characters, bool(TAG.match(words[0].characters))
        if is_tag and len(words) == 1:
            return first
        if is_tag:
            self.note(f"the options at character {words[1].place} override those of {echo(first)}")
            owner: Owner | None = Owner(self.kinds, None)
        else:
            kind = self._kind(words[0])
            owner = Owner(self.kinds, kind) if kind else None
        return self._node({TAG_OPTION if is_tag else KIND: first}, words, owner, pointer)

    def _kind(self, word: Text) -> Kind | None:
        name = word.characters
        if name in self.kinds.targets:
            return self.kinds.targets[name]
        fault = unknown_kind("kind", name, ROOT, self.kinds.targets)
        if name in removed_options.EXTERNAL:
            expected = f"{fault.expected}, or a command line such as {name}, llvm"
            fault = replace(fault, expected=expected)
        elif not fault.suggestions:
            near = nearest_names(name, removed_options.EXTERNAL)
            fault = replace(fault, suggestions=near)
        self.report(_with_place(fault, f"at character {word.place}", word.position()))
        return None

    def _node(
        self, start: dict[str, Json], words: Sequence[Text], owner: Owner | None, pointer: str
    ) -> dict[str, Json]:
        """Return the object of a target and its options; without an owner, only report faults."""
        node = dict(start)
        offsets = dict.fromkeys(start, words[0].place)
        for option in parse_options(words[1:], self.report):
            if option.name in offsets:
                self._report_duplicate(option, offsets[option.name])
                continue
            offsets[option.name] = option.place
            option_pointer = child(pointer, option.name)
            self.findings.locations[option_pointer] = self.origin.within(
                str(option), option.position
            )
            if option.is_in_double_quotes:
                self.note(f"{option}: the double quotes are left out")
            if owner and option.value.characters:
                node[option.name] = self._value(option, owner, option_pointer)
            elif owner:
                self._handle_empty(option, owner)
        return node

    def _report_duplicate(self, option: Option, first_offset: int) -> None:
        message = f"{option} is a duplicate of the one at character {first_offset}"
        self.report(Fault(ROOT, "OPTION_TWICE", message, "each option once", place=option.position))

    def _handle_empty(self, option: Option, owner: Owner) -> None:
        """Leave out an empty list, which states nothing except for keys; report other options."""
        schema = owner.schema(option.name)
        if schema and resolve_ref(schema).get("type") == "array" and option.name != KEYS:
            self.note(f"{option} is left out, as its list is empty")
            return
        word = f"-{echo(option.name)}="
        message = f"{word} at character {option.place} has no value after the ="
        self.report(Fault(ROOT, "OPTION_INVALID", message, EXPECTED, word, place=option.position))

    def _value(self, option: Option, owner: Owner, pointer: str) -> Json:
        """Return the value of an option; None if it is invalid."""
        try:
            return self._read(option, owner, pointer)
        except Unreadable as problem:
            self.report(_with_place(problem.fault, option, option.position))
            return None

    def _read(self, option: Option, owner: Owner, pointer: str) -> Json:
        if removed_options.new_name(owner.word, option.name) == HOST:
            return self._target(option.value.unquoted(), pointer)
        if option.name == DEVICES and owner.word in COMPOSITES:
            items = option.value.unquoted().split(COMMA)
            return [
                self._target(item.unquoted(), child(pointer, index))
                for index, item in enumerate(items)
            ]
        schema = owner.schema(option.name)
        if schema is None:
            with_suggestions = len(self.findings.faults) < MAX_SUGGESTIONS
            fault = owner.unknown_option_fault(option.name, with_suggestions)
            self.report(_with_place(fault, option, option.position))
            return None
        if option.is_bare and resolve_ref(schema).get("type") == "array":
            raise Unreadable("OPTION_INVALID", "a list has no value", EXPECTED)
        value = option_text.parse_option(option.value, schema)
        if isinstance(value, list) and _has_empty_items(option.value.characters, value):
            self.note(f"{option}: left out the empty items of the list")
        if _is_guess(option, value):
            self.note(f"{option}: read as {echo(value)}")
        return value


def _is_guess(option: Option, value: Json) -> bool:
    """Return whether TVM reads the value differently from how it is written."""
    if isinstance(value, int):
        return not PLAIN.fullmatch(option.value.unquoted().characters)
    return option.is_bare and isinstance(value, str)


def _has_empty_items(text: str, items: Sequence[Json]) -> bool:
    """Return whether commas of a list without quotes have nothing between them."""
    return not SPECIAL.search(text) and text != NO_ITEM and text.count(COMMA) >= max(len(items), 1)


def _with_place(fault: Fault, where: object, place: TextPosition | None) -> Fault:
    """Return a fault of a line that names its location."""
    return replace(fault, message=f"{where}: {fault.message}", place=fault.place or place)
