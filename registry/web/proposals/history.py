"""What people say of proposals, and did to them, as pages show it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from registry.domain.proposal_states import ProposalAction
from registry.models import Turn
from registry.web.core.dates import Moment

LINK = re.compile(r"https://[^\s<>\"']*[\w/&=#%+~-]")  # what ends a sentence is no part of it
DID = {
    ProposalAction.SUBMIT: "submitted",
    ProposalAction.REVISE: "revised",
    ProposalAction.COMMENT: "commented",
    ProposalAction.ASK: "requested changes",
    ProposalAction.ACCEPT: "accepted",
    ProposalAction.REJECT: "rejected",
    ProposalAction.WITHDRAW: "withdrew",
}


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One turn of a proposal's history."""

    turn: Turn
    did: str
    at: Moment
    text: SafeString

    @property
    def is_revision(self) -> bool:
        """Whether it brought a revision."""
        return self.turn.act in (ProposalAction.SUBMIT, ProposalAction.REVISE)

    @property
    def before(self) -> int:
        """The number of the revision before; 0 for the first."""
        return self.turn.revision - 1


def history(turns: Sequence[Turn]) -> list[HistoryLine]:
    """All turns as they were taken."""
    return [
        HistoryLine(turn, DID[ProposalAction(turn.act)], Moment(turn.created), linked(turn.text))
        for turn in turns
    ]


def linked(text: str) -> SafeString:
    """A text with its https URLs to be followed, all else as it was typed."""
    return format_html_join("", "{}", ((part,) for part in _parts(text)))


def _parts(text: str) -> Iterator[str]:
    end = 0
    for found in LINK.finditer(text):
        yield text[end : found.start()]
        yield format_html('<a href="{0}" rel="nofollow noreferrer">{0}</a>', found[0])
        end = found.end()
    yield text[end:]
