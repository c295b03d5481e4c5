"""Render tokens of Markdown as HTML for the pages of documents."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from registry.web.core.json_blocks import highlight
from registry.web.documents.markdown import PARSER

COPIED = frozenset({"sh", "bash", "python", "cmake", "yaml"})  # languages that readers paste
FITTING = 40  # characters of a line that fit into a window of 320 pixels
Tokens = Sequence[Token]


def render(tokens: Tokens) -> SafeString:
    """Return the tokens as HTML. The text comes from this repository; it holds no HTML itself."""
    renderer = Renderer()
    return mark_safe(renderer.render(tokens, PARSER.options, {}))  # noqa: S308 - escaped


class Renderer(RendererHTML):
    """Labels tables and code by the heading above them.

    What may be too wide scrolls, also by keyboard; commands wrap, as on other pages.
    """

    def __init__(self) -> None:
        super().__init__()
        self.heading = ""
        self.heading_text = ""

    def heading_open(self, tokens: Tokens, index: int, options: OptionsDict, env: Any) -> str:
        """Render the start of a heading, and keep it as the label of what follows."""
        self.heading = str(tokens[index].attrs["id"])
        self.heading_text = self.renderInlineAsText(tokens[index + 1].children, options, env)
        return self.renderToken(tokens, index, options, env)

    def table_open(self, *_: Any) -> str:
        """Render the start of a table and of the frame in which it scrolls."""
        label = f'aria-labelledby="{self.heading}"'
        return f'<div class="scroll" role="group" tabindex="0" {label}><table {label}>'

    def th_open(self, tokens: Tokens, index: int, options: OptionsDict, env: Any) -> str:
        """Render a cell of the header; an empty one heads nothing."""
        if not tokens[index + 1].content:
            tokens[index].tag = tokens[index + 2].tag = "td"
        return self.renderToken(tokens, index, options, env)

    def table_close(self, *_: Any) -> str:
        """Render the end of a table and of its frame."""
        return "</table></div>"

    def fence(self, tokens: Tokens, index: int, options: OptionsDict, env: Any) -> str:
        """Render a code block: JSON with colours, and what readers paste with a copy button."""
        code = tokens[index].content.rstrip("\n")
        language = tokens[index].info
        if language not in COPIED:
            return f'<pre class="code"{self._scrolling(code)}><code>{_coloured(code)}</code></pre>'
        label = f'data-copy="the example of {escape(self.heading_text)}"'
        pre = f'<pre class="command" {label}><code>{escape(code)}</code></pre>'
        return f'<div class="snippet">{pre}</div>'

    def image(self, tokens: Tokens, index: int, options: OptionsDict, env: Any) -> str:
        """Render a drawing with the URL of its static file."""
        attributes = tokens[index].attrs
        image = tokens[index].copy(attrs={**attributes, "src": static(str(attributes["src"]))})
        return super().image([image], 0, options, env)

    def code_block(self, tokens: Tokens, index: int, options: OptionsDict, env: Any) -> str:
        return self.fence(tokens, index, options, env)

    def _scrolling(self, code: str) -> str:
        """Return the attributes with which a block that is too wide takes the focus."""
        if max(map(len, code.splitlines()), default=0) <= FITTING:
            return ""
        return f' role="group" tabindex="0" aria-label="Example: {escape(self.heading_text)}"'


def _coloured(code: str) -> str:
    """Return code as HTML, with colours for JSON and for the JSON in an HTTP message."""
    head, separator, body = ("", "", code) if code[:1] in "{[" else code.partition("\n\n")
    if body[:1] not in {"{", "["}:
        return escape(code)
    return f"{escape(head)}{separator}{highlight(body, max_length=len(body)).html}"
