"""The history of a proposal or a request for a namespace, prepared for pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from registry.domain.proposal_states import ProposalAction
from registry.models import Turn
from registry.models.remarks import Remark

LINK = re.compile(r"https://[^\s<>\"']*[\w/&=#%+~-]")  # without closing punctuation


def history(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    """Return the entries for the turns, in the same order, with their texts as HTML."""
    return [
        {
            **entry,
            "is_revision": turn.action in (ProposalAction.SUBMIT, ProposalAction.REVISE),
            "previous_revision": turn.revision - 1,  # 0 for the first
        }
        for turn, entry in zip(turns, remarks(turns), strict=True)
    ]


def remarks(rows: Iterable[Remark]) -> list[dict[str, Any]]:
    """Return the entries for remarks, in the same order, with their texts as HTML."""
    return [{"turn": row, "text": linkify(row.text)} for row in rows]


def linkify(text: str) -> SafeString:
    """Escape a text and turn its https URLs into links."""
    return format_html_join("", "{}", ((part,) for part in _parts(text)))


def _parts(text: str) -> Iterator[str]:
    end = 0
    for match in LINK.finditer(text):
        yield text[end : match.start()]
        yield format_html('<a href="{0}" rel="nofollow noreferrer">{0}</a>', match[0])
        end = match.end()
    yield text[end:]
