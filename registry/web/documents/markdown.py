"""Parse Markdown into tokens, with an anchor for everything that a link can point to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")
NOT_IN_ANCHORS = re.compile(r"[^\w -]")
CODE = re.compile(r"[A-Z]+(_[A-Z]+)*")


def parse(text: str) -> list[Token]:
    """Return the tokens of a document.

    Headings have the `id` that code hosts give them, so that links work in both places. Terms of a
    glossary and table rows about a code have one, too.
    """
    tokens = PARSER.parse(text)
    used: set[str] = set()
    for token, name in _named_tokens(tokens):
        token.attrSet("id", _unused(name, used))
    return tokens


def plain_text(inline: Token) -> str:
    """Return the text of a paragraph, a heading or a cell without markup."""
    return "".join(
        " " if child.type == "softbreak" else child.content for child in inline.children or ()
    )


def anchors(tokens: Sequence[Token]) -> set[str]:
    """Return the anchors that `parse` has set."""
    return {str(token.attrs["id"]) for token in tokens if "id" in token.attrs}


def _named_tokens(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    """Yield the tokens that get an anchor, with the text that it is made from."""
    for index, token in enumerate(tokens):
        match token.type:
            case "heading_open":
                yield token, _heading_anchor(plain_text(tokens[index + 1]))
            case "paragraph_open" if term := _term(tokens[index + 1]):
                yield token, _heading_anchor(term)
            case "tr_open" if tokens[index + 1].type == "td_open":
                if code := _code(tokens[index + 2]):
                    yield token, code


def _heading_anchor(text: str) -> str:
    return NOT_IN_ANCHORS.sub("", text.lower()).replace(" ", "-")


def _unused(name: str, used: set[str]) -> str:
    number = 0
    anchor = name
    while anchor in used:
        number += 1
        anchor = f"{name}-{number}"
    used.add(anchor)
    return anchor


def _term(inline: Token) -> str:
    """Return the term that a paragraph defines: `**term**: ...`; "" for other paragraphs."""
    kinds = [child.type for child in inline.children or () if child.type != "text" or child.content]
    if kinds[:4] != ["strong_open", "text", "strong_close", "text"]:
        return ""
    term, _, rest = plain_text(inline).partition(":")
    return term if rest and inline.content.startswith(f"**{term}**:") else ""


def _code(inline: Token) -> str:
    """Return the code that a cell consists of, such as `TAG_UNKNOWN`; "" for other cells."""
    children = inline.children or []
    if len(children) == 1 and children[0].type == "code_inline":
        return children[0].content if CODE.fullmatch(children[0].content) else ""
    return ""
