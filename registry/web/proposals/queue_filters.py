"""What a reader asks of the queue, and links that ask for a little more or less."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from registry.domain.proposal_states import ProposalState
from registry.services.core import cursors
from registry.services.proposals.listing import ALL, STATES, UNDECIDED_WORD

STATE, NAMESPACE, TAG, SUBMITTER = "state", "namespace", "tag", "submitter"
LABELS = {NAMESPACE: "namespace", TAG: "tag", SUBMITTER: "proposed by"}
MAX_TYPED = 200  # characters of a filter that are kept; a tag has at most 183

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class FilterLink:
    """What a click changes: a word, where it leads, whether it is so already."""

    text: str
    url: str
    is_chosen: bool = False
    label: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class QueueQuery:
    """What the queue is asked for, as it was typed; all of it stands in the query string."""

    state: str
    facts: Mapping[str, str]
    is_later: bool  # not the first page

    @classmethod
    def of(cls, parameters: QueryDict) -> QueueQuery:
        """Read a query string; whether it can be asked for, the service says."""
        typed = {name: parameters.get(name, "").strip()[:MAX_TYPED] for name in LABELS}
        return cls(
            state=parameters.get(STATE, "").strip()[:MAX_TYPED],
            facts={name: text for name, text in typed.items() if text},
            is_later=cursors.PARAMETER in parameters,
        )

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """All of it, but for the page."""
        state = [(STATE, self.state)] if self.state else []
        return (*state, *self.facts.items())

    @property
    def resource(self) -> str:
        """The API's address of the same list."""
        return reverse("api:proposals", query=self.pairs)

    @property
    def address(self) -> str:
        """Of the first page of all this."""
        return reverse("proposals", query=self.pairs)

    @property
    def everywhere(self) -> str:
        """The address of the state alone."""
        return self.lacking(*LABELS)

    def having(self, name: str, value: str) -> str:
        """The address that asks for this, too, in place of what stood under its name."""
        others = (pair for pair in self.pairs if pair[0] != name)
        return reverse("proposals", query=(*others, (name, value)))

    def lacking(self, *names: str) -> str:
        """The address that asks for all but what stands under these names."""
        return reverse("proposals", query=[pair for pair in self.pairs if pair[0] not in names])


def chips(asked: QueueQuery) -> Iterator[FilterLink]:
    """Each filter, and the way to be rid of it."""
    for name, text in asked.facts.items():
        yield FilterLink(text, asked.lacking(name), label=LABELS[name])
    if asked.state and asked.state not in STATES:
        yield FilterLink(asked.state, asked.lacking(STATE), label=STATE)


def states(asked: QueueQuery, counts: Mapping[str, int]) -> Iterator[FilterLink]:
    """Every state with its count; the one that goes without saying stands in no address."""
    for state in STATES:
        is_usual = state == UNDECIDED_WORD
        url = asked.lacking(STATE) if is_usual else asked.having(STATE, state)
        is_chosen = state == (asked.state or UNDECIDED_WORD)
        yield FilterLink(state_label(state), url, is_chosen, count=counts.get(state, 0))


def namespaces(asked: QueueQuery, counted: Iterable[tuple[str, int]]) -> Iterator[FilterLink]:
    """Namespaces that have some of these proposals; the chosen one leads back to all."""
    for name, count in counted:
        is_chosen = asked.facts.get(NAMESPACE) == name
        url = asked.lacking(NAMESPACE) if is_chosen else asked.having(NAMESPACE, name)
        yield FilterLink(name, url, is_chosen, count=count)


def state_label(state: str) -> str:
    """Return the label of a state on pages."""
    if state == ProposalState.CHANGES_ASKED:
        return "changes requested"
    return "all" if state == ALL else state
