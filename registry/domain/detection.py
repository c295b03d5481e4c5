"""Tell from a text which importer reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from registry.domain.compile_commands.command import is_compile_command
from registry.domain.document import Json
from registry.domain.errors import Refused
from registry.domain.importing import Imported, Importer, parse_relaxed
from registry.domain.iree_text.attributes import is_attribute
from registry.domain.iree_text.flags import PREFIX
from registry.domain.kinds.kinds import Kinds
from registry.domain.split_layout import EXECUTORS, TARGETS
from registry.domain.tvm.command_line_target import TAG
from registry.domain.tvm.python_text import is_python
from registry.domain.tvm.removed_options import EXTERNAL
from ttag_rules.notations.archspec import is_entry

ARCHSPEC, CLANG, CONFIG, IREE = "archspec", "clang", "config", "iree"
TVM, TVM_STRING = "tvm", "tvm-string"
DESCRIPTIONS: Mapping[str, str] = {
    ARCHSPEC: "a microarchitecture of archspec",
    CLANG: "a command line of a compiler such as clang or nvcc",
    CONFIG: "a split configuration",
    IREE: "flags or attributes of IREE",
    TVM: "a target of TVM in JSON or Python",
    TVM_STRING: "a command line of TVM",
}
ALSO_READ: Mapping[str, tuple[str, ...]] = {TVM: (TVM_STRING,)}  # as TVM's own Target() does
JSON_STARTS = ("{", "[", '"', "//", "/*")


# Decision 134: a format that the text does not have is told, never corrected in silence.
def detect_importer(source: Json, kinds: Kinds) -> str:
    """Return the name of the importer for a description; empty if it looks like none."""
    if is_entry(source):
        return ARCHSPEC
    if not isinstance(source, str):
        return CONFIG if isinstance(source, dict) and {TARGETS, EXECUTORS} & source.keys() else TVM
    text = source.strip()
    if is_attribute(text) or PREFIX in text:
        return IREE
    if text.startswith(JSON_STARTS):
        return _detect_json(text, kinds)
    if is_compile_command(text):
        return CLANG
    if is_python(text):
        return TVM
    first = text.replace(",", " ").split(maxsplit=1)[:1]
    is_target = any(word in kinds.targets or word in EXTERNAL or TAG.match(word) for word in first)
    return TVM_STRING if is_target else ""


def _detect_json(text: str, kinds: Kinds) -> str:
    try:
        value, _ = parse_relaxed(text)
    except Refused:
        return CONFIG if all(f'"{name}"' in text for name in (TARGETS, EXECUTORS)) else TVM
    return TVM if isinstance(value, str) else detect_importer(value, kinds)


def read_source(importer: Importer, source: Json, kinds: Kinds) -> Imported:
    """Return what an importer reads. Raises `Refused`, which names the importer to choose instead.

    The other importer is named only for a source that looks like its own.
    """
    try:
        return importer.read(source, kinds)
    except Refused as refusal:
        name = detect_importer(source, kinds)
        if name in ("", importer.name, *ALSO_READ.get(importer.name, ())):
            raise
        hint = f"This looks like {DESCRIPTIONS[name]}: import it as {name}."
        other = f"the format {name}: this looks like {DESCRIPTIONS[name]}"
        faults = [
            replace(fault, expected=f"{fault.expected}, or {other}" if fault.expected else other)
            for fault in refusal.faults
        ]
        raise Refused(
            refusal.code,
            f"{refusal.detail} {hint}",
            faults=faults,
            suggestions=(name,),
            place=refusal.place,
        ) from None
