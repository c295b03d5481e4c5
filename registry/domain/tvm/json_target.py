"""Read a JSON target of TVM as a body.

TVM accepts more than the registry: numbers as booleans, targets as text inside targets, a kind next
to the tag it came from. What TVM adds by itself is left out, and old names are replaced.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from registry.domain.document import Json, is_same_json, parse_json
from registry.domain.errors import Fault, Refused, echo, refuse_all
from registry.domain.importing import Imported, Note
from registry.domain.kinds.kinds import Kinds
from registry.domain.reference import Reference
from registry.domain.tvm import removed_options
from registry.domain.tvm.command_line import Text
from registry.domain.tvm.command_line_target import LineReader, is_json
from registry.domain.tvm.feature_repairs import FEATURES, correct_features, split_target_id
from registry.domain.tvm.internal_options import FROM_DEVICE, from_device_fault, is_addition
from registry.domain.tvm.moved_options import OptionMove, states_runtime
from registry.domain.tvm.source_locations import Findings, Location
from registry.domain.tvm.type_conversion import convert_value, option_type
from ttag_rules.nodes import HOST, devices
from ttag_rules.pointer import ROOT, child

FEATURES_SCHEMA = "#/$defs/features"
EXPECTED = 'an object such as {"kind": "llvm", "mcpu": "cortex-a53"}'


def import_body(target: dict[str, Any], kinds: Kinds, messages: Iterable[str] = ()) -> Imported:
    """Return the body that a JSON target describes, with notes of these messages ahead of its own.

    Raises `Refused` with every fault of the target.
    """
    reader = TargetReader(kinds)
    body = reader.root(target, ROOT)
    refuse_all(reader.findings.faults)
    notes = (Note(ROOT, message) for message in messages)
    return Imported(body, (*notes, *reader.findings.notes))


@dataclass(slots=True)
class TargetReader:
    """Reads JSON targets of TVM; notes and faults are among the findings."""

    kinds: Kinds
    findings: Findings = field(default_factory=Findings)

    def root(self, value: dict[str, Any], pointer: str) -> dict[str, Any]:
        """Read the whole target, which is at `pointer` in the source."""
        if "kind" not in value and not value.get("tag"):
            message = "neither a kind nor a tag is stated"
            self.findings.report(Fault(pointer, "OPTION_MISSING", message, EXPECTED))
        return self.body(self._node(value, pointer), pointer)

    def body(
        self, node: dict[str, Any], pointer: str, *, has_runtime: bool = False
    ) -> dict[str, Any]:
        """Move the old options of a node that was read, including those of its host and devices.

        `has_runtime` is whether a target beside it states a runtime.
        """
        moves = OptionMove(has_runtime=has_runtime or states_runtime(node))
        body = moves.node(node, pointer)
        assert isinstance(body, dict)  # noqa: S101 - moving options of an object gives an object
        for note in moves.notes:
            self.findings.note(note.pointer, note.message)
        return body

    def target(self, value: Json, pointer: str) -> Json:
        """Read a host or device: an object, or text for one (JSON, a command line or a name)."""
        if isinstance(value, str):
            value = self.parse_text(value, pointer)
        return self._node(value, pointer) if isinstance(value, dict) else value

    def parse_text(self, text: str, pointer: str) -> Json:
        """Return the JSON target that a text describes; the text itself if it is only a name."""
        if is_json(text):
            try:
                return parse_json(text)
            except Refused as refusal:
                detail = refusal.detail.removesuffix(".")
                self.findings.report(Fault(pointer, refusal.code, detail, "a JSON object"))
        elif len(text.split()) > 1:
            location = self.findings.location(pointer) or Location(pointer)
            if not location.place:  # in Python, command lines are usual
                self.findings.note(pointer, "read as a command line, by the importer tvm-string")
            line = LineReader(self.kinds, self.findings, location)
            return line.target(Text.of_shell_line(text), pointer)
        elif fault := removed_options.kind_fault(text.strip(), pointer):
            self.findings.report(fault)
        return text.strip()

    def _node(self, value: dict[str, Any], pointer: str) -> dict[str, Any]:
        node = self._without_additions(value, pointer)
        self._keep_tag_or_kind(node, pointer)
        word = node.get("kind")
        if isinstance(word, str):
            node = self._with_new_names(word, node, pointer)
            if fault := removed_options.kind_fault(word, child(pointer, "kind")):
                self.findings.report(fault)
        if HOST in node and node[HOST] is None and "tag" not in node:
            del node[HOST]
            self.findings.note(child(pointer, HOST), "null means no host, like leaving it out")
        for name, item in node.items():
            node[name] = self._option(word, name, item, child(pointer, name))
        if self._has_features(value.get("kind")):
            if FEATURES in node:
                place = child(pointer, FEATURES)
                node[FEATURES] = correct_features(node[FEATURES], place, self.findings)
            split_target_id(node, pointer, self.findings)
        return node

    def _has_features(self, word: Json) -> bool:
        """Return whether `mattr` is a list of features: in kinds of CPUs, and without a kind."""
        kind = self.kinds.targets.get(word) if isinstance(word, str) else None
        schema = kind.schema["properties"].get(FEATURES, {}) if kind else {"$ref": FEATURES_SCHEMA}
        return bool(schema.get("$ref") == FEATURES_SCHEMA)

    def _option(self, word: Json, name: str, value: Json, pointer: str) -> Json:
        if name == HOST:
            return self.target(value, pointer)
        if name == "devices" and isinstance(value, list):
            return [self.target(device, place) for place, device in devices(value, pointer)]
        converted_value = convert_value(value, option_type(word, name, self.kinds))
        if type(converted_value) is not type(value):
            self.findings.note(pointer, f"read as {echo(converted_value)}")
        return converted_value

    def _without_additions(self, value: dict[str, Any], pointer: str) -> dict[str, Any]:
        """Return a node without the members that TVM adds by itself."""
        if FROM_DEVICE in value:
            self.findings.report(from_device_fault(child(pointer, FROM_DEVICE)))
        additions = [name for name in value if is_addition(name)]
        if additions:
            message = f"left out members that TVM adds: {', '.join(additions)}"
            self.findings.note(pointer, message)
        left_out = {*additions, FROM_DEVICE}
        node = {name: item for name, item in value.items() if name not in left_out}
        if node.get("tag") == "":
            del node["tag"]
            self.findings.note(child(pointer, "tag"), "left out an empty tag")
        return node

    def _keep_tag_or_kind(self, node: dict[str, Any], pointer: str) -> None:
        """Keep either the kind or the tag that the target came from."""
        tag, tag_pointer = node.get("tag"), child(pointer, "tag")
        if "kind" not in node or not isinstance(tag, str):
            return
        if _is_reference(tag):
            del node["kind"]
            message = f"the kind is that of {echo(tag)}, which is inherited"
            self.findings.note(child(pointer, "kind"), message)
        else:
            del node["tag"]
            problem = "names a node" if "#" in tag else "is not a reference"
            message = f"{echo(tag)} {problem}: the members next to it are the whole target"
            self.findings.note(tag_pointer, message)

    def _with_new_names(self, word: str, node: dict[str, Any], pointer: str) -> dict[str, Any]:
        """Return a node with the new names of renamed options."""
        renamed: dict[str, Any] = {}
        for name, value in node.items():
            new, place = removed_options.new_name(word, name), child(pointer, name)
            if new == name:
                renamed[name] = value
                continue
            if new in node and not is_same_json(node[new], value):
                message = f"{name} is an old name of {new}, which is also stated"
                self.findings.report(Fault(place, "OPTION_TWICE", message, "only one of them"))
                continue
            self.findings.note(place, f"{name} is named {new} now")
            self.findings.move(place, child(pointer, new))
            renamed[new] = value
        return renamed


def _is_reference(text: str) -> bool:
    try:
        Reference.parse(text)
    except Refused:
        return False
    return True
