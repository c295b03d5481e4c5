"""Format JSON for pages: indent it, highlight it with CSS classes, truncate it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from pygments.lexers import JsonLexer
from pygments.token import STANDARD_TYPES, Keyword, Name, Number, String

from registry.domain.document import Json

MAX_LENGTH = 4000  # characters; highlighted, about four times as many bytes
NO_LINKS: Mapping[str, str] = {}

LEXER = JsonLexer(stripnl=False, ensurenl=False)
HIGHLIGHTED = (Name.Tag, String, Number, Keyword)


@dataclass(frozen=True, slots=True)
class HighlightedCode:
    """Highlighted JSON, with the lengths in characters before and after truncation."""

    html: SafeString
    length: int
    shown_length: int

    @property
    def is_truncated(self) -> bool:
        return self.shown_length < self.length


def highlight(
    text: str, *, links: Mapping[str, str] = NO_LINKS, max_length: int = MAX_LENGTH
) -> HighlightedCode:
    """Highlight JSON, truncated after `max_length` characters, if possible at the end of a line.

    `links` maps the text of a string to the URL that the string links to.
    """
    truncated = text
    if len(text) > max_length:
        truncated = text[:max_length].rpartition("\n")[0] or text[:max_length]
    return HighlightedCode(
        format_html_join("", "{}", _parts(truncated, links)), len(text), len(truncated)
    )


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


_scalar = json.JSONEncoder(ensure_ascii=False).encode
