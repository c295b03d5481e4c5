"""Targets and flags that the importers read: of TVM, of IREE, of compilers, split layouts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from registry.domain.detection import DESCRIPTIONS, IREE, detect_importer
from registry.domain.document import MAX_BYTES
from registry.domain.errors import Refused
from registry.domain.identify.readings import Reader, Reading, Recognised
from registry.domain.identify.target_readings import target_reading
from registry.domain.importers import IMPORTERS
from registry.domain.kinds.kinds import Kinds

# A target in quotes: "llvm -mcpu=skylake-avx512"; the kind is checked.
QUOTED = re.compile(
    r"(?P<quote>[\"'])(?P<target>[a-z]{1,12}(?: -{1,2}[a-z][^\"'\n]{1,400})+)(?P=quote)"
)
IREE_FLAGS = re.compile(r"(?:--iree-[\w-]{3,60}(?:[= ][^\s\\]{1,200})?[\s\\]{0,80}){1,40}")
IREE_ATTRIBUTE = re.compile(r"#(?:hal\.executable\.target|iree_gpu\.target)<[^\n]{1,4000}")
BRACE = re.compile(r"\"(?:[^\"\\\n]|\\.){0,4000}\"|'[^'\n]{0,4000}'|[{}]")
MAX_PARTS = 64


def whole_reader(kinds: Kinds) -> Reader:
    """Return the reader of texts that an importer reads whole, under the kinds in force."""
    return partial(_read_whole, kinds=kinds)


def part_reader(kinds: Kinds) -> Reader:
    """Return the reader of command lines of TVM in quotes, and of flags and attributes of IREE."""
    return partial(_read_parts, kinds=kinds)


def _read_whole(text: str, kinds: Kinds) -> Iterator[Reading]:
    if whole := _import(text, 0, len(text), kinds):
        yield whole


def _read_parts(text: str, kinds: Kinds) -> Iterator[Reading]:
    for match in [*QUOTED.finditer(text)][:MAX_PARTS]:
        if match["target"].split(" ")[0] in kinds.targets and (
            reading := _import(text, *match.span("target"), kinds)
        ):
            yield reading
    for pattern in (IREE_FLAGS, IREE_ATTRIBUTE):
        for match in [*pattern.finditer(text)][:MAX_PARTS]:
            if reading := _import(text, *match.span(), kinds):
                yield reading
    if '"kind"' in text or "'kind'" in text:
        yield from _objects(text, kinds)


def _objects(text: str, kinds: Kinds) -> Iterator[Reading]:
    """Yield the targets of JSON or Python within other code: the outermost that can be read."""
    end = 0
    for start, stop in sorted(_braces(text)):
        is_inside = start < end
        if not is_inside and (reading := _import(text, start, stop, kinds)):
            yield reading
            end = stop


def _braces(text: str) -> Iterator[tuple[int, int]]:
    """Yield where objects begin and end, up to a limit. Quotes hide braces."""
    open_braces: list[int] = []
    count = 0
    for match in BRACE.finditer(text):
        if match[0] == "{":
            open_braces.append(match.start())
        elif match[0] == "}" and open_braces and count < MAX_PARTS:
            count += 1
            yield open_braces.pop(), match.end()


def _import(text: str, start: int, end: int, kinds: Kinds) -> Reading | None:
    """Return what an importer reads of a part of a text; nothing if it refuses, or says nothing."""
    source = text[start:end].strip()
    if not source or len(source) > MAX_BYTES:
        return None
    name = detect_importer(source, kinds)
    if not name:
        return None
    try:
        imported = IMPORTERS[name].read(source, kinds)
    except Refused:
        return None
    form = Recognised(DESCRIPTIONS[name], start, end)
    return target_reading(imported, text, form, kinds, with_kind_alone=name == IREE)
