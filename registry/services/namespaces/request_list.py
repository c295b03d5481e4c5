"""Lists of requests for namespaces: all, one, and those of an account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import Count, QuerySet

from registry.domain.errors import Code, Refused, echo, printable
from registry.domain.names.choices import check_choice
from registry.domain.names.near_names import nearest_names
from registry.models import Membership, Namespace, NamespaceRequest, RequestState, Role, User
from registry.services.core.paging import Page, paginate
from registry.services.namespaces.lookup import find_namespace

ALL = "all"
STATES = (*RequestState.values, ALL)
MAX_ROWS = 20  # of an account's requests, and of other requests for one name


@dataclass(frozen=True, slots=True)
class RequestFilters:
    """Filters by state, name and requester; empty for any, but open for the state."""

    state: str = RequestState.OPEN.value
    name: str = ""
    requester: str = ""

    @property
    def conditions(self) -> dict[str, Any]:
        """Return the filters as arguments of `QuerySet.filter`."""
        state = "" if self.state == ALL else self.state
        columns = {"state": state, "name": self.name, "requester__username": self.requester}
        return {column: value for column, value in columns.items() if value}


@dataclass(frozen=True, slots=True)
class RequestContext:
    """Facts that staff compares a request with."""

    namespace: Namespace | None  # of that name
    owners: tuple[str, ...]
    addresses: tuple[str, ...]  # confirmed email addresses of the requester
    others: Page[NamespaceRequest]  # open ones of other people for the same name
    near_names: tuple[str, ...]  # of existing namespaces


def parse_filters(*, state: str = "", name: str = "", requester: str = "") -> RequestFilters:
    """Return the filters of a list. Raises `Refused` (FILTER_INVALID)."""
    if state:
        check_choice("state", state, STATES)
    return RequestFilters(state or RequestState.OPEN, printable(name), printable(requester))


def find_request(number: int) -> NamespaceRequest:
    """Return the request with a number. Raises `Refused` (NAMESPACE_REQUEST_UNKNOWN)."""
    request = all_requests().filter(pk=number).first()
    if request is None:
        raise Refused(
            Code.NAMESPACE_REQUEST_UNKNOWN, f"There is no request for a namespace {echo(number)}."
        )
    return request


def all_requests() -> QuerySet[NamespaceRequest]:
    """Return all requests, with the accounts that made and decided them."""
    return NamespaceRequest.objects.select_related("requester", "decider")


def list_requests(
    filters: RequestFilters, *, after: Sequence[Any] | None = None, limit: int | None = None
) -> Page[NamespaceRequest]:
    """Return a page of requests, oldest first. One query."""
    requests = all_requests().filter(**filters.conditions).order_by("pk")
    if after:
        requests = requests.filter(pk__gt=after[0])
    return paginate(requests, key=lambda request: [request.pk], limit=limit)


def requests_of(user: User) -> Page[NamespaceRequest]:
    """Return the last 20 requests of an account, newest first. One query."""
    requests = all_requests().filter(requester=user).order_by("-pk")
    return paginate(requests, key=lambda request: [request.pk], limit=MAX_ROWS)


def count_open() -> int:
    """Return the number of requests that wait for staff. One query."""
    return NamespaceRequest.objects.filter(state=RequestState.OPEN).count()


def count_by_state(requests: QuerySet[NamespaceRequest]) -> dict[str, int]:
    """Return the number of requests in each state. One query."""
    grouped = requests.order_by().values("state").annotate(count=Count("pk"))
    counts = {row["state"]: row["count"] for row in grouped}
    return {state: counts.get(state, 0) for state in RequestState.values}


def request_context(request: NamespaceRequest) -> RequestContext:
    """Return the facts that staff compares a request with. Five queries."""
    owners = Membership.objects.filter(namespace__name=request.name, role=Role.OWNER)
    owner_names = owners.order_by("user__username").values_list("user__username", flat=True)
    addresses = EmailAddress.objects.filter(user=request.requester, verified=True)
    others = all_requests().filter(name=request.name, state=RequestState.OPEN)
    others = others.exclude(pk=request.pk).order_by("pk")
    names = Namespace.objects.exclude(name=request.name).order_by("name")
    return RequestContext(
        find_namespace(request.name),
        tuple(owner_names),
        tuple(addresses.order_by("email").values_list("email", flat=True)),
        paginate(others, key=lambda row: [row.pk], limit=MAX_ROWS),
        nearest_names(request.name, names.values_list("name", flat=True)),
    )
