"""Targets and flags that the importers read: of TVM, of IREE, of compilers, split layouts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice

from registry.domain.detection import CLANG, DESCRIPTIONS, IREE, detect_importer
from registry.domain.document import MAX_BYTES
from registry.domain.errors import Refused
from registry.domain.identify.places import facts_of_span
from registry.domain.identify.reading_builder import matches_in
from registry.domain.identify.readings import Fact, Reader, Reading, Recognised
from registry.domain.importers import IMPORTERS
from registry.domain.kinds.kinds import Kinds
from registry.domain.tvm.factories import NAMES, UNKNOWN
from registry.domain.tvm.python_target import CONSTRUCTORS

# A target in quotes: "llvm -mcpu=skylake-avx512"; the kind is checked.
QUOTED = re.compile(
    r"(?P<quote>[\"'])(?P<target>[a-z]{1,12}(?: -{1,2}[a-z][^\"'\n]{1,400})+)(?P=quote)"
)
IREE_FLAGS = re.compile(r"(?:--iree-[\w-]{3,60}(?:[= ][^\s\\]{1,200})?[\s\\]{0,80}){1,40}")
IREE_ATTRIBUTE = re.compile(r"#(?:hal\.executable\.target|iree_gpu\.target)<[^\n]{1,4000}")
IREE_BACKEND = re.compile(r"#hal\.executable\.target<\"(?P<backend>[a-z-]{4,12})\"[^\n]{0,200}")
BACKENDS = {"cuda": "cuda", "rocm": "rocm", "vulkan-spirv": "vulkan", "metal-spirv": "metal"}
BRACE = re.compile(r"\"(?:[^\"\\\n]|\\.){0,4000}\"|'[^'\n]{0,4000}'|[{}]")
KIND = re.compile(r"[\"']kind[\"']\s{0,9}:")
MAX_CALL = 16 * 1024  # characters of a call; the longest of TVM's tests has 2,000
# `tvm.cuda(0)` is a device, and `topi.cuda` a package: only what follows `target.` is a target.
CALL = re.compile(
    r"(?<![\w.])(?:(?:tvm\s?\.\s?)?target\s?\.\s?"
    rf"(?:{'|'.join((*CONSTRUCTORS, *NAMES))})|Target|arm_cpu)\("
)
TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?P<open>\()|(?P<close>\))"""
)
MAX_OBJECT = 16_384  # characters; an object is searched once for each that is around it
MAX_PARTS = 64


def reader(kinds: Kinds) -> Reader:
    """Return the reader of what the importers know, under the kinds in force."""
    return partial(_read, kinds=kinds)


def _read(text: str, kinds: Kinds) -> Iterator[Reading]:
    if whole := _import(text, 0, len(text), kinds):
        yield whole
        return
    parts: list[Reading] = []
    for part in _parts(text, kinds):
        if not any(map(part.overlaps, parts)):
            parts.append(part)
    yield from parts


def _parts(text: str, kinds: Kinds) -> Iterator[Reading]:
    """Yield the targets within other text; of those that overlap, the first is right."""
    for call in _calls(text):
        if reading := _import(text, *call, kinds):
            yield reading
    for match in [*QUOTED.finditer(text)][:MAX_PARTS]:
        if match["target"].split(" ")[0] in kinds.targets and (
            reading := _import(text, *match.span("target"), kinds)
        ):
            yield reading
    for pattern in (IREE_FLAGS, IREE_ATTRIBUTE):
        for match in [*pattern.finditer(text)][:MAX_PARTS]:
            if reading := _import(text, *match.span(), kinds):
                yield reading
    yield from _backends(text)
    if '"kind"' in text or "'kind'" in text:
        yield from _objects(text, kinds)


def _calls(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the outer calls that construct targets of TVM, of any release."""
    end = 0
    for match in matches_in(text, CALL):
        if match.start() >= end and (call_end := _end_of_call(text, match.end())):
            end = call_end
            yield match.start(), end


def _end_of_call(text: str, start: int) -> int:
    """Return where the call ends whose arguments begin at a place; 0 if it does not end."""
    depth = 1
    for token in TOKEN.finditer(text, start, start + MAX_CALL):
        depth += (token["open"] is not None) - (token["close"] is not None)
        if not depth:
            return token.end()
    return 0


def _backends(text: str) -> Iterator[Reading]:
    """Yield the kinds of attributes of IREE, which state the architecture elsewhere if at all.

    An attribute that the importer reads comes earlier and counts.
    """
    for match in [*IREE_BACKEND.finditer(text)][:MAX_PARTS]:
        if kind := BACKENDS.get(match["backend"]):
            form = Recognised("an attribute of IREE", *match.span())
            fact = Fact("/kind", *match.span("backend"))
            note = "the architecture: the attribute does not state it"
            yield Reading({"kind": kind}, (fact,), (note,), (form,))


def _objects(text: str, kinds: Kinds) -> Iterator[Reading]:
    """Yield the targets of JSON or Python within other code: the outermost that can be read."""
    braces = (place for place in _braces(text) if KIND.search(text, *place))
    end = 0
    for start, stop in sorted(islice(braces, MAX_PARTS)):
        is_inside = start < end
        if not is_inside and (reading := _import(text, start, stop, kinds)):
            yield reading
            end = stop


def _braces(text: str) -> Iterator[tuple[int, int]]:
    """Yield where small objects begin and end. Quotes hide braces."""
    open_braces: list[int] = []
    for match in BRACE.finditer(text):
        if match[0] == "{":
            open_braces.append(match.start())
        elif match[0] == "}" and open_braces:
            start = open_braces.pop()
            if match.end() - start <= MAX_OBJECT:
                yield start, match.end()


def _import(text: str, start: int, end: int, kinds: Kinds) -> Reading | None:
    """Return what an importer reads of a part of a text; nothing if it refuses, or says nothing."""
    source = text[start:end].strip()
    if not source or len(source) > MAX_BYTES:
        return None
    name = detect_importer(source, kinds)
    if not name or (name == CLANG and "\n" in source):
        return None  # flags of several lines belong together, which `compiler_flags` reads
    try:
        imported = IMPORTERS[name].read(source, kinds)
    except Refused:
        return None
    body = imported.body
    form = Recognised(DESCRIPTIONS[name], start, end)
    notes = tuple(note.message for note in imported.notes)
    if isinstance(tag := body.get("tag"), str) and body.keys() == {"tag"}:
        return Reading({}, (), notes, (form,), (tag.partition("@")[0],))
    kind = body.get("kind")
    if not isinstance(kind, str) or kind not in kinds.targets:
        return None  # another object
    model = body.get("model")
    stated = body.keys() - ({"model"} if model == UNKNOWN else set())
    if stated == {"kind"} and name != IREE:
        return None  # a word such as `c` or `cuda`
    names = (model,) if isinstance(model, str) and model != UNKNOWN else ()
    return Reading(body, facts_of_span(body, text, form), notes, (form,), names)
