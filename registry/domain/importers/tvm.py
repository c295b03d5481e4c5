"""`tvm`: a JSON target of TVM 0.7 to 0.27, what TVM prints of one, or what the format `tvm` writes.

TVM takes more than the registry: numbers for true and false, targets as text inside of targets, a
kind beside the tag that it came from. What it adds by itself is not kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

from registry.domain.composition import devices
from registry.domain.document import Json, parse
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.importing import Imported, Importer, Note
from registry.domain.kinds import Kinds
from registry.domain.pointer import ROOT, child
from registry.domain.reference import Reference
from registry.domain.schema import MOST_GUESSES, unknown_option
from registry.domain.tvm import removed
from registry.domain.tvm.build import BUILD, DROPPED, ENVELOPE, PASS_CONFIG, TARGET, Rejoining
from registry.domain.tvm.lax_types import converted, option_type
from registry.domain.tvm.moved import Settling

FEATURE = "feature."  # TVM's word for what it found out about a CPU
INTERNAL = frozenset({"from_device", "target_device_type"})
LIKE_JSON = ("{", "[", "//", "/*", "#")  # comments, which parsing refuses by that name
EXPECTED = 'an object such as {"kind": "llvm", "mcpu": "cortex-a53"}'


def read(source: Json, kinds: Kinds) -> Imported:
    """The body of a TVM target. Raises `Refused` with all faults, pointing into the source."""
    found = _parsed(source)
    if TARGET in found and "kind" not in found and "tag" not in found:
        return _of_envelope(found, kinds)
    reading = _Reading(kinds)
    body = reading.root(found, ROOT)
    refuse_all(reading.faults)
    return Imported(body, tuple(reading.notes))


def _parsed(source: Json) -> dict[str, Json]:
    if isinstance(source, str) and not source.lstrip().startswith(LIKE_JSON):
        _refuse(source)
    found = parse(source) if isinstance(source, str) else source
    if not isinstance(found, dict):
        _refuse(found)
    return found


def _refuse(source: Json) -> NoReturn:
    problem = (
        f"{echo(source) or 'an empty text'} is no JSON object; a command line, such as "
        "llvm -mcpu=cortex-a53, is read by the importer tvm-string"
    )
    raise Refused(
        Code.JSON_INVALID,
        f"{problem}. Expected {EXPECTED}.",
        faults=[Fault(ROOT, Code.JSON_INVALID, problem, EXPECTED, echo(source))],
    )


def _of_envelope(found: dict[str, Json], kinds: Kinds) -> Imported:
    """What the format `tvm` wrote: what stands beside the target goes back to its nodes."""
    unknown = [name for name in found if name not in ENVELOPE]
    faults = [
        unknown_option(
            "the format tvm", name, child(ROOT, name), ENVELOPE if index < MOST_GUESSES else ()
        )
        for index, name in enumerate(unknown)
    ]
    said = {name: found.get(name, {}) for name in (TARGET, BUILD, PASS_CONFIG)}
    parts: dict[str, dict[str, Any]] = {}
    for name, value in said.items():
        if isinstance(value, dict):
            parts[name] = value
        else:
            shown = echo(value)
            message = f"{shown} is no object"
            faults.append(Fault(child(ROOT, name), "VALUE_TYPE", message, "an object", shown))
    refuse_all(faults)
    reading, rejoining = _Reading(kinds), Rejoining(parts[BUILD])
    target = reading.root(parts[TARGET], child(ROOT, TARGET))
    body = rejoining.target(target, parts[PASS_CONFIG])
    refuse_all([*reading.faults, *rejoining.faults])
    return Imported(body, (*reading.notes, *_losses(found.get(DROPPED))))


def _losses(dropped: Json) -> Iterator[Note]:
    for index, loss in enumerate(dropped if isinstance(dropped, list) else ()):
        place = loss.get("pointer") if isinstance(loss, dict) else loss
        yield Note(child(child(ROOT, DROPPED), index), f"{echo(place)} was left out of the source")


@dataclass(slots=True)
class _Reading:
    """A TVM target being read: what became of it, and what is wrong with it."""

    kinds: Kinds
    notes: list[Note] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def root(self, value: dict[str, Any], pointer: str) -> dict[str, Any]:
        """The whole target, which stands at a pointer of the source."""
        if "kind" not in value and not value.get("tag"):
            message = "it states neither a kind nor a tag"
            self.faults.append(Fault(pointer, "OPTION_MISSING", message, EXPECTED))
        settling = Settling(self.notes)
        body = settling.node(self._node(value, pointer), pointer)
        assert isinstance(body, dict)  # noqa: S101 - settling keeps an object one
        return body

    def _target(self, value: Json, pointer: str) -> Json:
        """A host or device: an object, also as text; a kind or a tag as a word."""
        if isinstance(value, str):
            value = self._word(value, pointer)
        return self._node(value, pointer) if isinstance(value, dict) else value

    def _word(self, text: str, pointer: str) -> Json:
        if text.lstrip().startswith("{"):
            try:
                return parse(text)
            except Refused as refusal:
                detail = refusal.detail.removesuffix(".")
                self.faults.append(Fault(pointer, refusal.code, detail, "a JSON object"))
        elif " " in text.strip():
            message = f"{echo(text)} is a command line, which the importer tvm-string reads"
            self.faults.append(Fault(pointer, "VALUE_INVALID", message, EXPECTED, echo(text)))
        else:
            self._refuse_removed(text, pointer)
        return text

    def _node(self, value: dict[str, Any], pointer: str) -> dict[str, Any]:
        node = self._without_own(value, pointer)
        self._settle_tag(node, pointer)
        if "host" in node and node["host"] is None and "tag" not in node:
            del node["host"]
            self._note(child(pointer, "host"), "null says that there is no host, as its absence")
        word = node.get("kind")
        if isinstance(word, str):
            self._refuse_removed(word, child(pointer, "kind"))
        for name, item in node.items():
            node[name] = self._option(word, name, item, child(pointer, name))
        return node

    def _option(self, word: Json, name: str, value: Json, pointer: str) -> Json:
        if name == "host":
            return self._target(value, pointer)
        if name == "devices" and isinstance(value, list):
            return [self._target(device, place) for place, device in devices(value, pointer)]
        if isinstance(word, str) and (fault := removed.option_fault(word, name, pointer)):
            self.faults.append(fault)
        read = converted(value, option_type(word, name, self.kinds))
        if type(read) is not type(value):
            self._note(pointer, f"read as {echo(read)}")
        return read

    def _without_own(self, value: dict[str, Any], pointer: str) -> dict[str, Any]:
        """A node without what TVM writes into it by itself."""
        own = [
            name
            for name in value
            if name in INTERNAL or (name.startswith(FEATURE) and name != FEATURE)
        ]
        if own:
            self._note(pointer, f"left out what TVM adds by itself: {', '.join(own)}")
        node = {name: item for name, item in value.items() if name not in own}
        if node.get("tag") == "":
            del node["tag"]
            self._note(child(pointer, "tag"), "an empty tag names nothing")
        return node

    def _settle_tag(self, node: dict[str, Any], pointer: str) -> None:
        """Of a kind and the tag that the target came from, one stays."""
        tag, place = node.get("tag"), child(pointer, "tag")
        if "kind" not in node or not isinstance(tag, str):
            return
        if _is_reference(tag):
            del node["kind"]
            self._note(
                child(pointer, "kind"), f"the kind is that of {echo(tag)}, which is inherited"
            )
        else:
            del node["tag"]
            what = "names a node" if "#" in tag else "is no reference"
            self._note(place, f"{echo(tag)} {what}: what stands beside it is the whole target")

    def _refuse_removed(self, word: str, pointer: str) -> None:
        if fault := removed.kind_fault(word, pointer):
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
    summary="A JSON target of TVM 0.7 to 0.27, what TVM prints of it, or what the format tvm says.",
    read=read,
)
