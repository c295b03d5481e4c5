"""Converts pasted text into a body; detects its format if none is given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from registry.domain import detection
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.importers import IMPORTERS
from registry.domain.importing import Note, parse_relaxed
from registry.domain.reference import Tag as TagName
from registry.domain.relaxed_json import strict_json
from registry.domain.split_layout import EXECUTORS, TARGETS
from registry.domain.unwrapping import Unwrapped, unwrap
from registry.services.kinds import kinds
from registry.services.versions import checking

DETECT, REGISTRY_JSON = "", "body"
TVM, CONFIG = detection.TVM, detection.CONFIG
REGISTRY_SUMMARY = "The registry's own JSON."
MAX_NOTES = 40  # of an import, on a page
YAML_LINE = re.compile(r"\s*(- )?[\w.-]+:(\s.*)?|\s*- .*|\s*#.*|---|\s*")


@dataclass(frozen=True, slots=True)
class Pasted:
    """The imported body; None if the text is in the registry's own JSON, valid or not.

    `text` is what was pasted, without quotes and the like around it.
    """

    body: str | None
    text: str
    notes: Sequence[str] = ()


def read_pasted(source: str, name: str, tag: TagName) -> Pasted:
    """Convert a text. Raises `Refused` with pointers that begin with `/source`."""
    notes = []
    try:
        unwrapped = Unwrapped(source) if _is_json(source) else unwrap(source)
    except Refused as refusal:
        raise _move_to_source(refusal) from refusal
    source = unwrapped.text
    if unwrapped.left_out:
        notes.append(f"Only the target was read. Left out: {echo(unwrapped.left_out)}")
    if name == DETECT:
        _refuse_other_texts(source)
        name = _detect_format(source, tag)
        notes.append(
            f"Detected format: {_summary(name)} If this is wrong, paste the text again and choose "
            "its format."
        )
    if name == REGISTRY_JSON:
        strict, left_out = strict_json(source) if _is_json(source) else (source, ())
        notes += [f"Left out {' and '.join(left_out)}."] if left_out else []
        return Pasted(None, strict, notes)
    try:
        imported = checking.import_source(checking.find_importer(name), source)
    except Refused as refusal:
        raise _move_to_source(refusal) from refusal
    texts = [_note_text(note) for note in imported.notes]
    rest = [f"… and {len(texts) - MAX_NOTES} more notes."] if len(texts) > MAX_NOTES else []
    return Pasted(imported.text, source, [*notes, *texts[:MAX_NOTES], *rest])


def _refuse_other_texts(source: str) -> None:
    """Raise `Refused` with one sentence for YAML and for prose."""
    message = expected = ""
    if all(map(YAML_LINE.fullmatch, source.splitlines())):
        message, expected = "this is YAML", 'JSON, such as {"kind": "llvm", "mcpu": "cortex-a76"}'
    elif _is_prose(source):
        message = "this is prose, not a target"
        expected = "JSON or a command line; or choose a kind, and describe the hardware in fields"
    if message:
        refuse_all([Fault("/source", Code.REQUEST_INVALID, message, expected)])


def _is_prose(source: str) -> bool:
    """Return whether a text is several words, none of them an option, and begins with no kind."""
    words = source.split()
    is_words = len(words) > 1 and not any(word.startswith("-") for word in words)
    is_plain = not set(source) & set('{}[]="')
    is_plain = is_plain and checking.detect_importer(source).name == detection.TVM_STRING
    return is_words and is_plain and words[0] not in kinds.current_kinds().kinds.targets


def _is_json(source: str) -> bool:
    try:
        parse_relaxed(source)
    except Refused:
        return False
    return True


def _detect_format(source: str, tag: TagName) -> str:
    """Return the likely format; the registry's own JSON if that would be accepted."""
    if not source.lstrip().startswith(detection.JSON_STARTS):
        return checking.detect_importer(source).name
    try:
        value, _ = parse_relaxed(source)
    except Refused:
        # For other texts than Python, the editor shows the line of the error.
        if checking.detect_importer(source).name == CONFIG:
            return CONFIG
        return TVM if _is_tvm(source) else REGISTRY_JSON
    if isinstance(value, dict) and {TARGETS, EXECUTORS} & value.keys():
        return CONFIG
    return REGISTRY_JSON if _is_accepted(source, tag) or not _is_tvm(value) else TVM


def _is_accepted(source: str, tag: TagName) -> bool:
    try:
        checking.check(tag, strict_json(source)[0])
    except Refused:
        return False
    return True


def _is_tvm(value: Json) -> bool:
    try:
        checking.import_source(IMPORTERS[TVM], value)
    except Refused:
        return False
    return True


def _summary(name: str) -> str:
    return REGISTRY_SUMMARY if name == REGISTRY_JSON else IMPORTERS[name].summary


def _note_text(note: Note) -> str:
    return f"{note.pointer}: {note.message}" if note.pointer else note.message


def _move_to_source(refusal: Refused) -> Refused:
    """Return the refusal with its pointers moved below `/source`."""
    fault = Fault(
        "", refusal.code, refusal.detail, suggestions=refusal.suggestions, place=refusal.place
    )
    faults = [replace(f, pointer=f"/source{f.pointer}") for f in refusal.faults or (fault,)]
    return Refused(refusal.code, refusal.detail, faults=faults, suggestions=refusal.suggestions)
