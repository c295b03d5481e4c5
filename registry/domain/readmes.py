"""READMEs of namespaces: which Markdown they may hold, and what of it counts as markup.

Everything that does not count, such as HTML, tables and links to other schemes, is shown as it was
typed, and an image as a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from registry.domain import user_text
from registry.domain.errors import Code, Fault

MAX_TEXT = 8000  # characters, four screens; a hostile text of that length parses in 0.1 seconds
MAX_NESTING = 6  # lists and quotes within each other
LINK = re.compile(r"https?://[^/\\]|/(?![/\\])", re.IGNORECASE)  # the second: on this site
CONTAINERS = frozenset({"blockquote_open", "bullet_list_open", "ordered_list_open"})


class Parser(MarkdownIt):
    """CommonMark without HTML, images and link definitions.

    A definition lets a few characters stand for a long URL, thousands of times.
    """

    def __init__(self) -> None:
        # Each list takes two levels. The parser leaves out what is deeper, so `faults` is stricter.
        super().__init__("commonmark", {"html": False, "maxNesting": 20})
        self.disable(["image", "reference"])

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the parser's name
        """Return whether a URL becomes a link: http, https, or a path on this site."""
        return LINK.match(url) is not None


PARSER = Parser()


def normalize(text: str) -> str:
    """Return a README as it is checked and stored. The indentation of its first line counts."""
    return user_text.normalize_lines(text).rstrip().lstrip("\n")


# Decision 184: what is not safe to show is refused, or shown as it was typed.
def faults(text: str, pointer: str) -> Iterator[Fault]:
    """Yield at most one fault: the reason why a text is no README. An empty text is one."""
    problems = [*user_text.text_faults(text, pointer, max_length=MAX_TEXT, is_multiline=True)]
    yield from problems or _markup_faults(parse(text), pointer)


def parse(text: str) -> list[Token]:
    """Return the tokens of a README."""
    return PARSER.parse(text)


def _markup_faults(tokens: Sequence[Token], pointer: str) -> Iterator[Fault]:
    expected = f"at most {MAX_NESTING} lists and quotes within each other"
    depth = 0
    for token in tokens:
        if token.type in CONTAINERS:
            depth += 1
        elif token.type.replace("_close", "_open") in CONTAINERS:
            depth -= 1
        line = token.map[0] + 1 if token.map else 0
        if depth > MAX_NESTING:
            yield Fault(
                pointer, Code.REQUEST_INVALID, f"line {line} is nested too deeply", expected
            )
            return
        if problem := _decoded_problem(token):
            message = f"an entity from line {line} on: {problem}"
            yield Fault(pointer, Code.REQUEST_INVALID, message, "no control characters")
            return


def _decoded_problem(token: Token) -> str:
    """Return which hidden character an entity such as `&#x202E;` stands for; empty if none does."""
    for part in (token, *(token.children or ())):
        for text in (part.content, *map(str, part.attrs.values())):
            if problem := user_text.character_problem(text, is_multiline=True):
                return problem
    return ""
