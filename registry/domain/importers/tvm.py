"""The `tvm` importer: targets of TVM 0.7 to 0.27, as JSON, as Python or by name.

A JSON target can be written by hand, by TVM or by the format `tvm`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NoReturn

from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.importing import Imported, Importer, Note, parse_relaxed
from registry.domain.kinds.kinds import Kinds
from registry.domain.kinds.schema import MAX_SUGGESTIONS, unknown_option
from registry.domain.tvm.build_settings import (
    BUILD,
    DROPPED,
    ENVELOPE,
    PASS_CONFIG,
    TARGET,
    BuildMerge,
)
from registry.domain.tvm.command_line_targets import read_line
from registry.domain.tvm.json_target import EXPECTED, TargetReader, import_body
from registry.domain.tvm.python_target import PythonReader
from registry.domain.tvm.python_text import is_python
from ttag_rules.pointer import ROOT, child

LIKE_JSON = ("{", "[", "//", "/*", "#")  # with comments


def read(source: Json, kinds: Kinds) -> Imported:
    """Read a target, or text for one. Raises `Refused` with pointers into the source."""
    if isinstance(source, str):
        return _read_text(source, kinds)
    if not isinstance(source, dict):
        _refuse(source)
    if TARGET in source and "kind" not in source and "tag" not in source:
        return _read_envelope(source, kinds)
    return import_body(source, kinds)


def _read_text(source: str, kinds: Kinds) -> Imported:
    if not source.strip():
        _refuse(source)
    if is_python(source):
        return read_python(source, kinds)
    if not source.lstrip().startswith(LIKE_JSON):
        return read_line(source, kinds)
    try:
        target, notes = parse_relaxed(source)
    except Refused as refusal:
        if refusal.code is not Code.JSON_INVALID:
            raise
        return _read_literal(source, kinds, refusal)
    if isinstance(target, str):
        _refuse(target)
    imported = read(target, kinds)
    return replace(imported, notes=(*notes, *imported.notes))


def _read_literal(source: str, kinds: Kinds, json_refusal: Refused) -> Imported:
    """Read a literal of Python that is not JSON.

    A text that is neither is reported as Python if all its quotes are single.
    """
    try:
        return read_python(source, kinds)
    except Refused as refusal:
        is_python = source.find("'") >= 0 > source.find('"')
        is_unreadable = any(fault.code == "PYTHON_INVALID" for fault in refusal.faults)
        raise (json_refusal if is_unreadable and not is_python else refusal) from None


def read_python(source: str, kinds: Kinds) -> Imported:
    """Read a literal or call of Python. Raises `Refused` with positions in the text."""
    reader = TargetReader(kinds)
    value = PythonReader(source, reader).read()
    refuse_all(reader.findings.faults)
    if isinstance(value, str):
        imported = read(value, kinds)
        return replace(imported, notes=(Note(ROOT, "read as Python"), *imported.notes))
    assert isinstance(value, dict)  # noqa: S101 - without faults, it is a target
    body = reader.root(value, ROOT)
    refuse_all(reader.findings.faults)
    return Imported(body, (Note(ROOT, "read as Python"), *reader.findings.notes))


def _refuse(source: Json) -> NoReturn:
    problem = f"{echo(source) or 'an empty text'} is not a target"
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
    reader, merge = TargetReader(kinds), BuildMerge(objects[BUILD])
    target = reader.root(objects[TARGET], child(ROOT, TARGET))
    body = merge.target(target, objects[PASS_CONFIG])
    findings = reader.findings
    refuse_all([*findings.faults, *merge.faults])
    return Imported(body, (*findings.notes, *_dropped_notes(envelope.get(DROPPED))))


def _dropped_notes(dropped: Json) -> Iterator[Note]:
    for index, loss in enumerate(dropped if isinstance(dropped, list) else ()):
        pointer = loss.get("pointer") if isinstance(loss, dict) else loss
        yield Note(
            child(child(ROOT, DROPPED), index), f"{echo(pointer)} was left out of the source"
        )


IMPORTER = Importer(
    name="tvm",
    summary="A target of TVM 0.7 to 0.27: JSON, Python such as Target(…), or the name of a kind "
    "or tag.",
    read=read,
)
