"""The `tvm` importer: JSON targets of TVM 0.7 to 0.27, TVM's own output, or the format `tvm`.

TVM accepts more than the registry: numbers as booleans, targets as text inside targets, a kind next
to the tag it came from. What TVM adds by itself is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

from registry.domain.composition import devices
from registry.domain.document import Json, parse_json
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.importing import Imported, Importer, Note
from registry.domain.kinds import Kinds
from registry.domain.pointer import ROOT, child
from registry.domain.reference import Reference
from registry.domain.schema import MAX_SUGGESTIONS, unknown_option
from registry.domain.tvm import removed_options
from registry.domain.tvm.build_settings import (
    BUILD,
    DROPPED,
    ENVELOPE,
    PASS_CONFIG,
    TARGET,
    BuildMerge,
)
from registry.domain.tvm.moved_options import OptionMove
from registry.domain.tvm.type_conversion import convert_value, option_type

FEATURE = "feature."  # TVM's prefix for detected features of a CPU
INTERNAL = frozenset({"from_device", "target_device_type"})
LIKE_JSON = ("{", "[", "//", "/*", "#")  # with comments, which the parser reports as such
EXPECTED = 'an object such as {"kind": "llvm", "mcpu": "cortex-a53"}'


def read(source: Json, kinds: Kinds) -> Imported:
    """Read a TVM target. Raises `Refused` with all faults, with pointers into the source."""
    target = _parse(source)
    if TARGET in target and "kind" not in target and "tag" not in target:
        return _read_envelope(target, kinds)
    reader = _Reader(kinds)
    body = reader.root(target, ROOT)
    refuse_all(reader.faults)
    return Imported(body, tuple(reader.notes))


def _parse(source: Json) -> dict[str, Json]:
    if isinstance(source, str) and not source.lstrip().startswith(LIKE_JSON):
        _refuse(source)
    target = parse_json(source) if isinstance(source, str) else source
    if not isinstance(target, dict):
        _refuse(target)
    return target


def _refuse(source: Json) -> NoReturn:
    problem = (
        f"{echo(source) or 'an empty text'} is not a JSON object; a command line, such as "
        "llvm -mcpu=cortex-a53, is read by the importer tvm-string"
    )
    raise Refused(
        Code.JSON_INVALID,
        f"{problem}. Expected {EXPECTED}.",
        faults=[Fault(ROOT, Code.JSON_INVALID, problem, EXPECTED, echo(source))],
    )


def _read_envelope(envelope: dict[str, Json], kinds: Kinds) -> Imported:
    """Read the output of the format `tvm`: merge `build` and `pass_config` into the nodes."""
    unknown = [name for name in envelope if name not in ENVELOPE]
    faults = [
        unknown_option(
            "the format tvm", name, child(ROOT, name), ENVELOPE if index < MAX_SUGGESTIONS else ()
        )
        for index, name in enumerate(unknown)
    ]
    members = {name: envelope.get(name, {}) for name in (TARGET, BUILD, PASS_CONFIG)}
    objects: dict[str, dict[str, Any]] = {}
    for name, value in members.items():
        if isinstance(value, dict):
            objects[name] = value
        else:
            value_echo = echo(value)
            message = f"{value_echo} is not an object"
            faults.append(Fault(child(ROOT, name), "VALUE_TYPE", message, "an object", value_echo))
    refuse_all(faults)
    reader, merge = _Reader(kinds), BuildMerge(objects[BUILD])
    target = reader.root(objects[TARGET], child(ROOT, TARGET))
    body = merge.target(target, objects[PASS_CONFIG])
    refuse_all([*reader.faults, *merge.faults])
    return Imported(body, (*reader.notes, *_dropped_notes(envelope.get(DROPPED))))


def _dropped_notes(dropped: Json) -> Iterator[Note]:
    for index, loss in enumerate(dropped if isinstance(dropped, list) else ()):
        pointer = loss.get("pointer") if isinstance(loss, dict) else loss
        yield Note(
            child(child(ROOT, DROPPED), index), f"{echo(pointer)} was left out of the source"
        )


@dataclass(slots=True)
class _Reader:
    """Reads a TVM target, and collects notes and faults."""

    kinds: Kinds
    notes: list[Note] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def root(self, value: dict[str, Any], pointer: str) -> dict[str, Any]:
        """Read the whole target, which is at `pointer` in the source."""
        if "kind" not in value and not value.get("tag"):
            message = "neither a kind nor a tag is stated"
            self.faults.append(Fault(pointer, "OPTION_MISSING", message, EXPECTED))
        option_moves = OptionMove(self.notes)
        body = option_moves.node(self._node(value, pointer), pointer)
        assert isinstance(body, dict)  # noqa: S101 - moving options of an object gives an object
        return body

    def _target(self, value: Json, pointer: str) -> Json:
        """Read a host or device: an object or its JSON text, or the name of a kind or tag."""
        if isinstance(value, str):
            value = self._parse_text(value, pointer)
        return self._node(value, pointer) if isinstance(value, dict) else value

    def _parse_text(self, text: str, pointer: str) -> Json:
        if text.lstrip().startswith("{"):
            try:
                return parse_json(text)
            except Refused as refusal:
                detail = refusal.detail.removesuffix(".")
                self.faults.append(Fault(pointer, refusal.code, detail, "a JSON object"))
        elif " " in text.strip():
            message = f"{echo(text)} is a command line, which the importer tvm-string reads"
            self.faults.append(Fault(pointer, "VALUE_INVALID", message, EXPECTED, echo(text)))
        else:
            self._check_removed(text, pointer)
        return text

    def _node(self, value: dict[str, Any], pointer: str) -> dict[str, Any]:
        node = self._without_additions(value, pointer)
        self._keep_tag_or_kind(node, pointer)
        if "host" in node and node["host"] is None and "tag" not in node:
            del node["host"]
            self._note(child(pointer, "host"), "null means no host, like leaving it out")
        word = node.get("kind")
        if isinstance(word, str):
            self._check_removed(word, child(pointer, "kind"))
        for name, item in node.items():
            node[name] = self._option(word, name, item, child(pointer, name))
        return node

    def _option(self, word: Json, name: str, value: Json, pointer: str) -> Json:
        if name == "host":
            return self._target(value, pointer)
        if name == "devices" and isinstance(value, list):
            return [self._target(device, place) for place, device in devices(value, pointer)]
        if isinstance(word, str) and (fault := removed_options.option_fault(word, name, pointer)):
            self.faults.append(fault)
        converted_value = convert_value(value, option_type(word, name, self.kinds))
        if type(converted_value) is not type(value):
            self._note(pointer, f"read as {echo(converted_value)}")
        return converted_value

    def _without_additions(self, value: dict[str, Any], pointer: str) -> dict[str, Any]:
        """Return a node without the members that TVM adds by itself."""
        additions = [
            name
            for name in value
            if name in INTERNAL or (name.startswith(FEATURE) and name != FEATURE)
        ]
        if additions:
            self._note(pointer, f"left out members that TVM adds: {', '.join(additions)}")
        node = {name: item for name, item in value.items() if name not in additions}
        if node.get("tag") == "":
            del node["tag"]
            self._note(child(pointer, "tag"), "left out an empty tag")
        return node

    def _keep_tag_or_kind(self, node: dict[str, Any], pointer: str) -> None:
        """Keep either the kind or the tag that the target came from."""
        tag, tag_pointer = node.get("tag"), child(pointer, "tag")
        if "kind" not in node or not isinstance(tag, str):
            return
        if _is_reference(tag):
            del node["kind"]
            self._note(
                child(pointer, "kind"), f"the kind is that of {echo(tag)}, which is inherited"
            )
        else:
            del node["tag"]
            problem = "names a node" if "#" in tag else "is not a reference"
            self._note(
                tag_pointer, f"{echo(tag)} {problem}: the members next to it are the whole target"
            )

    def _check_removed(self, word: str, pointer: str) -> None:
        if fault := removed_options.kind_fault(word, pointer):
            self.faults.append(fault)

    def _note(self, pointer: str, message: str) -> None:
        self.notes.append(Note(pointer, message))


def _is_reference(text: str) -> bool:
    try:
        Reference.parse(text)
    except Refused:
        return False
    return True


IMPORTER = Importer(
    name="tvm",
    summary="A JSON target of TVM 0.7 to 0.27, as written by hand, by TVM or by the format tvm.",
    read=read,
)
