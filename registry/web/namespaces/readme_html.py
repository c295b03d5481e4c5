"""READMEs as HTML. Only this module writes markup: all that a README holds is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from registry.domain.readmes import PARSER, parse

PAGE_HEADING = 2  # the level of the heading above a README, which begins one below
LINE = 90  # characters
SHOWN_LINES = 24  # of a long README; the rest is folded
MIN_FOLDED = 8  # lines that are worth folding
MAX_KEPT = 64  # rendered READMEs, of 100 KB at most
Tokens = Sequence[Token]


@dataclass(frozen=True, slots=True)
class ReadmeHtml:
    """A README as HTML: its beginning, and what is folded; either may be empty."""

    shown: SafeString
    folded: SafeString


@lru_cache(maxsize=MAX_KEPT)
def render(text: str) -> ReadmeHtml:
    """Return a README as HTML, the whole text shown."""
    return ReadmeHtml(_html(Renderer(), parse(text)), SafeString())


@lru_cache(maxsize=MAX_KEPT)
def render_folded(text: str) -> ReadmeHtml:
    """Return a README as HTML, folded between two blocks if it is long."""
    tokens, renderer = parse(text), Renderer()
    split = _split(tokens, text.splitlines())
    return ReadmeHtml(_html(renderer, tokens[:split]), _html(renderer, tokens[split:]))


def _html(renderer: Renderer, tokens: Tokens) -> SafeString:
    return mark_safe(renderer.render(tokens, PARSER.options, {}))  # noqa: S308 - escaped


def _split(tokens: Tokens, lines: Sequence[str]) -> int:
    """Return the index of the first token that is folded; the number of tokens if none is.

    A heading is folded with what it is about.
    """
    heights = [1 + len(line) // LINE if line else 0 for line in lines]
    fold = end = 0  # the last block before which the text may be folded: its token, and its line
    for index, token in enumerate(tokens):
        if token.level == 0 and token.nesting >= 0 and token.map and token.type != "inline":
            if index == 0 or tokens[index - 1].type != "heading_close":
                fold, end = index, token.map[0]
            is_long = sum(heights[: token.map[1]]) > SHOWN_LINES
            if is_long and sum(heights[end:]) >= MIN_FOLDED:
                return fold
    return len(tokens)


class Renderer(RendererHTML):
    """Renders what has passed the parser, without an id or a class of its own.

    Headings leave no level out, and a link without a text shows its URL.
    """

    def __init__(self) -> None:
        super().__init__()
        self.level = PAGE_HEADING  # of the last heading

    def heading_open(self, tokens: Tokens, index: int, options: OptionsDict, env: Any) -> str:
        """Render the start of a heading; of an empty one, a paragraph."""
        if not _is_visible(tokens[index + 1].children or ()):
            tokens[index].tag = tokens[index + 2].tag = "p"
            return "<p>"
        level = int(tokens[index].tag[1:]) + PAGE_HEADING
        self.level = min(level, self.level + 1, 6)
        tokens[index].tag = tokens[index + 2].tag = f"h{self.level}"
        return f"<h{self.level}>"

    def link_open(self, tokens: Tokens, index: int, options: OptionsDict, env: Any) -> str:
        """Render the start of a link that search engines do not count."""
        href, title = (str(tokens[index].attrs.get(name, "")) for name in ("href", "title"))
        end = next(at for at in range(index, len(tokens)) if tokens[at].type == "link_close")
        text = "" if _is_visible(tokens[index + 1 : end]) else escape(href)
        titled = f' title="{escape(title)}"' if title else ""
        return f'<a href="{escape(href)}" rel="nofollow ugc"{titled}>{text}'

    def fence(self, tokens: Tokens, index: int, options: OptionsDict, env: Any) -> str:
        """Render a code block, without its language."""
        return f"<pre><code>{escape(tokens[index].content)}</code></pre>\n"

    def code_block(self, tokens: Tokens, index: int, options: OptionsDict, env: Any) -> str:
        return self.fence(tokens, index, options, env)


def _is_visible(tokens: Tokens) -> bool:
    return any(
        character.isprintable() and not character.isspace()
        for token in tokens
        for character in token.content
    )
