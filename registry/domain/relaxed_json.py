"""Turn JSON as people write it into JSON: without comments, and commas after the last item.

Both become blanks, so positions in errors are those of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

TOKEN = re.compile(
    r"""
    (?P<string>"(?>(?:[^"\\]|\\.)*)(?:"|\\?\Z))
    |(?P<comment>//[^\n]*|\#[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<comma>,)
    |(?P<end>[\]}])
    |(?P<blank>\s+)
    |(?P<value>[^\s",\]}/\#]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
NOT_BLANK = re.compile(r"[^\n]")
COMMENTS, COMMAS = "comments", "commas after a last item"


def strict_json(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text without comments and last commas, and which of them were left out.

    The result is valid JSON only if nothing else is wrong with the text.
    """
    characters = list(text)
    left_out: dict[str, None] = {}
    for what, start, end in _superfluous(text):
        characters[start:end] = NOT_BLANK.sub(" ", text[start:end])
        left_out[what] = None
    return "".join(characters), tuple(left_out)


def _superfluous(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the kind and the span of what JSON does not have."""
    comma = -1  # the offset of a comma that nothing has followed yet
    is_item = False  # whether an item or member has just ended
    for match in TOKEN.finditer(text):
        match match.lastgroup:
            case "comment":
                yield COMMENTS, match.start(), match.end()
            case "blank":
                pass
            case "comma" if is_item:
                comma, is_item = match.start(), False
            case kind:
                if kind == "end" and comma >= 0:
                    yield COMMAS, comma, comma + 1
                comma, is_item = -1, kind != "comma" and match[0][-1] not in "[{:"
