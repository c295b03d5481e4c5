"""Format JSON for pages: indent it, highlight it with CSS classes, truncate it if it is long."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from pygments.lexers import JsonLexer
from pygments.token import STANDARD_TYPES, Keyword, Name, Number, String

from registry.domain.document import Json

MAX_SHOWN = 4000  # characters; highlighting makes them some four times as many bytes
NONE: Mapping[str, str] = {}

LEXER = JsonLexer(stripnl=False, ensurenl=False)
HIGHLIGHTED = (Name.Tag, String, Number, Keyword)  # the rest needs no markup


@dataclass(frozen=True, slots=True)
class HighlightedCode:
    """Highlighted JSON, with its full length and the number of characters shown."""

    html: SafeString
    length: int
    shown: int

    @property
    def is_cut(self) -> bool:
        """Return whether the text is truncated."""
        return self.shown < self.length


def highlight(
    text: str, *, links: Mapping[str, str] = NONE, most: int = MAX_SHOWN
) -> HighlightedCode:
    """Highlight JSON, truncated to whole lines within `most` characters (or within its only line).

    `links` maps the text of a string to the URL that the string links to.
    """
    kept = text
    if len(text) > most:
        kept = text[:most].rpartition("\n")[0] or text[:most]
    return HighlightedCode(format_html_join("", "{}", _parts(kept, links)), len(text), len(kept))


def _parts(text: str, links: Mapping[str, str]) -> Iterator[tuple[str]]:
    for token, part in LEXER.get_tokens(text):
        if token in String and (url := links.get(part.strip('"'))):
            yield (format_html('"<a class="s2" href="{}">{}</a>"', url, part.strip('"')),)
        elif any(token in token_type for token_type in HIGHLIGHTED):
            yield (format_html('<span class="{}">{}</span>', STANDARD_TYPES[token], part),)
        else:
            yield (part,)


def format_json(value: Json, indent: str = "") -> str:
    """Format JSON over several lines; a list of scalars stays on one line."""
    inner = f"{indent}  "
    if isinstance(value, dict) and value:
        members = (
            f"{inner}{_scalar(key)}: {format_json(item, inner)}" for key, item in value.items()
        )
        return "{\n" + ",\n".join(members) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        items = (f"{inner}{format_json(item, inner)}" for item in value)
        return "[\n" + ",\n".join(items) + f"\n{indent}]"
    return _scalar(value)


def _scalar(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
