"""The filters of the proposal queue, and links that set or remove them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from registry.domain.proposal_states import ProposalState
from registry.services.core import cursors
from registry.services.core.paging import LIMIT
from registry.services.proposals.listing import ALL, STATES, UNDECIDED_FILTER
from registry.web.core.filter_links import FilterLink, Parameter

STATE, NAMESPACE, TAG, SUBMITTER = "state", "namespace", "tag", "submitter"
LABELS = {NAMESPACE: "namespace", TAG: "tag", SUBMITTER: "proposed by"}
FILTERS = (STATE, *LABELS)
PARAMETERS = (*FILTERS, LIMIT, cursors.PARAMETER)
MAX_FILTER = 200  # characters; a tag has at most 183


@dataclass(frozen=True, slots=True)
class QueueQuery:
    """The query string of the queue, not validated."""

    state: str
    filters: Mapping[str, str]  # other than the state
    limit: str
    is_later_page: bool

    @classmethod
    def parse(cls, parameters: QueryDict) -> QueueQuery:
        """Parse a query string; the service validates it."""
        texts = {name: parameters.get(name, "").strip()[:MAX_FILTER] for name in LABELS}
        return cls(
            state=parameters.get(STATE, "").strip()[:MAX_FILTER],
            filters={name: text for name, text in texts.items() if text},
            limit=parameters.get(LIMIT, ""),
            is_later_page=cursors.PARAMETER in parameters,
        )

    @property
    def pairs(self) -> tuple[Parameter, ...]:
        """Return all parameters except the cursor."""
        state = [(STATE, self.state)] if self.state else []
        limit = [(LIMIT, self.limit)] if self.limit else []
        return (*state, *self.filters.items(), *limit)

    @property
    def api_url(self) -> str:
        """Return the URL of the same list in the API."""
        return reverse("api:proposals", query=self.pairs)

    @property
    def first_page_url(self) -> str:
        """Return the URL of the first page of this list."""
        return reverse("proposals", query=self.pairs)

    @property
    def suffix(self) -> str:
        """Return the query string that pages of proposals pass on, to come back to this list."""
        pairs = [pair for pair in self.pairs if pair[0] != LIMIT]
        return f"?{urlencode(pairs)}" if pairs else ""

    @property
    def unfiltered_url(self) -> str:
        """Return the URL of all proposals in the same state."""
        return self.url_without(*LABELS)

    def url_with(self, name: str, value: str) -> str:
        """Return the URL with a filter added or replaced."""
        others = (pair for pair in self.pairs if pair[0] != name)
        return reverse("proposals", query=(*others, (name, value)))

    def url_without(self, *names: str) -> str:
        """Return the URL without some of the filters."""
        return reverse("proposals", query=[pair for pair in self.pairs if pair[0] not in names])


def chips(query: QueueQuery) -> Iterator[FilterLink]:
    """Yield a link that removes it for each active filter."""
    for name, text in query.filters.items():
        yield FilterLink(text, query.url_without(name), label=LABELS[name])
    if query.state and query.state not in STATES:
        yield FilterLink(query.state, query.url_without(STATE), label=STATE)


def states(query: QueueQuery, counts: Mapping[str, int]) -> Iterator[FilterLink]:
    """Yield a link for each state; the default state needs no parameter."""
    for state in STATES:
        is_default = state == UNDECIDED_FILTER
        url = query.url_without(STATE) if is_default else query.url_with(STATE, state)
        is_selected = state == (query.state or UNDECIDED_FILTER)
        yield FilterLink(state_label(state), url, is_selected, count=f"{counts.get(state, 0):,}")


def namespaces(query: QueueQuery, counts: Iterable[tuple[str, int]]) -> Iterator[FilterLink]:
    """Yield a link for each namespace; that of the selected one removes the filter."""
    for name, count in counts:
        is_selected = query.filters.get(NAMESPACE) == name
        url = query.url_without(NAMESPACE) if is_selected else query.url_with(NAMESPACE, name)
        yield FilterLink(name, url, is_selected, count=f"{count:,}")


def state_label(state: str) -> str:
    """Return the label of a state on pages."""
    if state == ProposalState.CHANGES_ASKED:
        return "changes requested"
    return "all" if state == ALL else state
