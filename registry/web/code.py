"""JSON as pages show it: laid out, highlighted with classes, cut where it would weigh too much."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import JsonLexer

from registry.domain.document import Json

MAX_SHOWN = 6000  # characters; highlighting makes them some seven times as many bytes

LEXER = JsonLexer(stripnl=False, ensurenl=False)
FORMATTER = HtmlFormatter(nowrap=True)


@dataclass(frozen=True, slots=True)
class Code:
    """Highlighted JSON, and how many of its lines are shown."""

    html: SafeString
    lines: int
    shown: int

    @property
    def is_cut(self) -> bool:
        """Whether lines are left out."""
        return self.shown < self.lines


def code(text: str) -> Code:
    """Highlight JSON, as many whole lines of it as a page can bear."""
    lines = text.split("\n")
    kept = text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN].rpartition("\n")[0]
    html = mark_safe(highlight(kept, LEXER, FORMATTER))  # noqa: S308 - pygments escapes
    return Code(html, len(lines), kept.count("\n") + 1)


def layout(value: Json, indent: str = "") -> str:
    """JSON over several lines; a list of scalars takes one."""
    inner = f"{indent}  "
    if isinstance(value, dict) and value:
        members = (f"{inner}{_scalar(key)}: {layout(item, inner)}" for key, item in value.items())
        return "{\n" + ",\n".join(members) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        items = (f"{inner}{layout(item, inner)}" for item in value)
        return "[\n" + ",\n".join(items) + f"\n{indent}]"
    return _scalar(value)


def _scalar(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
