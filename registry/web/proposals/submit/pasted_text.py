"""Pasted text read as a body: of which description it is is said, or found out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from registry.domain import document
from registry.domain.document import Json
from registry.domain.errors import Fault, Refused
from registry.domain.importers import IMPORTERS
from registry.domain.importing import Note
from registry.domain.reference import Tag as TagName
from registry.domain.split_layout import EXECUTORS, TARGETS
from registry.services.versions import checking

GUESS, OWN = "", "body"  # find out; the registry's own JSON
TVM, TVM_STRING, CONFIG = "tvm", "tvm-string", "config"
OWN_SUMMARY = "The registry's own JSON."
MOST_NOTES = 40  # of an import, that a page lists


@dataclass(frozen=True, slots=True)
class Pasted:
    """The body that a text stands for; None where it is one itself, right or wrong."""

    body: str | None
    notes: Sequence[str] = ()


def read(source: str, name: str, tag: TagName) -> Pasted:
    """The body of a description. Raises `Refused` with pointers that begin with `/source`."""
    notes = []
    if name == GUESS:
        name = _guessed(source, tag)
        notes.append(
            f"Found out what it is: {_words(name)} Where it is not, paste it again and say so."
        )
    if name == OWN:
        return Pasted(None, notes)
    try:
        imported = checking.import_source(checking.find_importer(name), source)
    except Refused as refusal:
        raise _in_source(refusal) from refusal
    said = [_said(note) for note in imported.notes]
    more = [f"… and {len(said) - MOST_NOTES} more notes."] if len(said) > MOST_NOTES else []
    return Pasted(imported.text, [*notes, *said[:MOST_NOTES], *more])


def _guessed(source: str, tag: TagName) -> str:
    """What a text seems to be: the registry's own JSON where that would be accepted as it is."""
    if not source.lstrip().startswith(("{", "[", '"')):
        return TVM_STRING
    try:
        value = document.parse_json(source)
    except Refused:
        return OWN  # the editor then says at which line
    if isinstance(value, dict) and {TARGETS, EXECUTORS} & value.keys():
        return CONFIG
    return OWN if _is_accepted(source, tag) or not _is_tvm(value) else TVM


def _is_accepted(source: str, tag: TagName) -> bool:
    try:
        checking.check(tag, source)
    except Refused:
        return False
    return True


def _is_tvm(value: Json) -> bool:
    try:
        checking.import_source(IMPORTERS[TVM], value)
    except Refused:
        return False
    return True


def _words(name: str) -> str:
    return OWN_SUMMARY if name == OWN else IMPORTERS[name].summary


def _said(note: Note) -> str:
    return f"{note.pointer}: {note.message}" if note.pointer else note.message


def _in_source(refusal: Refused) -> Refused:
    """The same with its places in the pasted text."""
    whole = Fault(
        "", refusal.code, refusal.detail, suggestions=refusal.suggestions, place=refusal.place
    )
    faults = [replace(f, pointer=f"/source{f.pointer}") for f in refusal.faults or (whole,)]
    return Refused(refusal.code, refusal.detail, faults=faults, suggestions=refusal.suggestions)
