"""Requests for namespaces: made by anybody, decided by staff.

`docs/namespaces.md` is the policy that staff follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from django.utils import timezone

from registry.domain import user_text
from registry.domain.errors import Code, Fault, Refused, refuse_all, report_errors_at
from registry.domain.names import namespace_names
from registry.models import (
    Kind,
    Membership,
    Namespace,
    NamespaceRequest,
    RequestKind,
    RequestState,
    Role,
    User,
)
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor, Permission
from registry.services.core.transactions import authorized_write, next_number
from registry.services.event_log.appending import append_event
from registry.services.namespaces import four_eyes, members, namespaces
from registry.services.namespaces.lookup import require_namespace
from registry.services.namespaces.request_list import find_request

MAX_TEXT = 2000  # characters of evidence, of a reason and of a decision
MAX_OPEN = 5  # requests of one account, so that nobody collects names
EVENTS = {
    RequestState.OPEN: "request.submitted",
    RequestState.ACCEPTED: "request.accepted",
    RequestState.REJECTED: "request.rejected",
    RequestState.WITHDRAWN: "request.withdrawn",
}


@dataclass(frozen=True, slots=True)
class RequestTexts:
    """The name and the texts of a request, as entered."""

    name: str
    url: str
    reason: str
    evidence: str = ""
    title: str = ""  # of a new namespace


# Decision 079: requests are public, and people decide.
def submit(kind: RequestKind, texts: RequestTexts, *, actor: Actor | None) -> NamespaceRequest:
    """Ask for a new namespace, or claim one that exists.

    Raises `Refused`: REQUEST_INVALID with every invalid text, and for a new name that is reserved,
    taken or looks like an existing one; NAMESPACE_UNKNOWN for a claim; CONFLICT for an owner and
    for a name that the account has asked for; RATE_LIMITED with too many open requests.
    """
    permission = permissions.require(actor, Action.REQUEST_NAMESPACE)
    requester = permission.user
    columns = {name: user_text.normalize_text(text) for name, text in asdict(texts).items()}
    refuse_all([*_name_faults(kind, columns["name"]), *_text_faults(kind, columns)])
    with authorized_write(permission):
        refuse_all(_name_faults(kind, columns["name"]))
        _refuse_owner(columns["name"], requester)
        _refuse_repeated(columns["name"], requester)
        request = NamespaceRequest.objects.create(
            pk=next_number(NamespaceRequest), kind=kind, requester=requester, **columns
        )
        _append(request, requester)
    return request


def withdraw(number: int, *, actor: Actor | None) -> NamespaceRequest:
    """Withdraw a request of one's own.

    Raises `Refused`: NAMESPACE_REQUEST_UNKNOWN, FORBIDDEN for everyone but the requester, CONFLICT
    if it is decided.
    """
    permission = permissions.require(actor, Action.REQUEST_NAMESPACE)
    refuse_others(find_request(number), permission.user)
    with authorized_write(permission):
        request = _open_request(number)
        _decide(request, RequestState.WITHDRAWN, permission.user)
    return request


def accept(number: int, *, actor: Actor | None, text: str = "") -> Namespace:
    """Make the requester an owner of the namespace, which is created if it is new.

    Under four-eyes the request stays open until somebody else confirms the owner: other staff that
    accepts it too, or a curator or an owner before it is accepted again.

    Raises `Refused`: CONFLICT if the request is decided, its requester's account is closed, or a
    new namespace exists meanwhile; REQUEST_INVALID for an invalid text.
    """
    permission = permissions.require(actor, Action.DECIDE_REQUEST)
    text = user_text.check_comment(text, max_length=MAX_TEXT, is_required=False)
    with authorized_write(permission):
        request = _open_request(number)
        if not request.requester.is_active:
            raise Refused(
                Code.CONFLICT, f"The account {request.requester} is closed; reject the request."
            )
        namespace = _granted_namespace(request, permission)
        requester = request.requester
        if members.grant_role(namespace, requester, Role.OWNER, actor=permission.actor):
            _decide(request, RequestState.ACCEPTED, permission.user, text)
    return namespace


def reject(number: int, *, text: str, actor: Actor | None) -> NamespaceRequest:
    """Reject a request with a reason.

    Raises `Refused`: REQUEST_INVALID without a reason, CONFLICT if the request is decided.
    """
    permission = permissions.require(actor, Action.DECIDE_REQUEST)
    text = user_text.check_comment(text, max_length=MAX_TEXT, is_required=True)
    with authorized_write(permission):
        request = _open_request(number)
        _decide(request, RequestState.REJECTED, permission.user, text)
    return request


def withdraw_all(user: User) -> int:
    """Withdraw all requests of a closed account; return how many. Call under the write lock."""
    requests = NamespaceRequest.objects.filter(requester=user, state=RequestState.OPEN)
    for request in requests:
        _decide(request, RequestState.WITHDRAWN, user, "The account was closed.")
    return len(requests)


def refuse_others(request: NamespaceRequest, user: User) -> None:
    """Raise `Refused` (FORBIDDEN) unless the user made the request."""
    if request.requester_id != user.pk:
        raise Refused(
            Code.FORBIDDEN,
            f"{user} may not withdraw request {request.pk}; allowed: {request.requester}.",
        )


def refuse_decided(request: NamespaceRequest) -> None:
    """Raise `Refused` (CONFLICT) unless a request is open."""
    if not request.is_open:
        raise Refused(Code.CONFLICT, f"Request {request.pk} is {request.state} already.")


def _name_faults(kind: RequestKind, name: str) -> Iterator[Fault]:
    """Yield the fault of a name, if any. Two queries. Raises `Refused` (NAMESPACE_UNKNOWN)."""
    if kind == RequestKind.CLAIM:
        with report_errors_at("/name"):
            require_namespace(name)
        return
    if faults := [*namespace_names.form_faults(name)] or [*namespace_names.reserved_faults(name)]:
        yield from faults
        return
    names = Namespace.objects.values_list("name", flat=True)
    if faults := [*namespace_names.taken_faults(name, names)]:
        yield from faults
    elif Kind.objects.filter(name=name).exists():
        expected = "a name that is not that of a kind"
        yield Fault("/name", Code.REQUEST_INVALID, f"{name} is a kind of target", expected, name)


def _text_faults(kind: RequestKind, texts: dict[str, str]) -> Iterator[Fault]:
    is_claim = kind == RequestKind.CLAIM
    yield from user_text.text_faults(
        texts["title"], "/title", max_length=namespaces.MAX_TITLE, is_required=not is_claim
    )
    yield from user_text.link_faults(texts["url"], "/url", max_length=namespaces.MAX_URL)
    for name, is_required in (("evidence", is_claim), ("reason", True)):
        yield from user_text.text_faults(
            texts[name], f"/{name}", max_length=MAX_TEXT, is_required=is_required, is_multiline=True
        )


def _refuse_owner(name: str, user: User) -> None:
    owners = Membership.objects.filter(namespace__name=name, role=Role.OWNER)
    if owners.filter(user=user).exists():
        raise Refused(Code.CONFLICT, f"{user} is an owner of {name} already.")


def _refuse_repeated(name: str, user: User) -> None:
    """Raise `Refused` for a second open request: CONFLICT for this name, RATE_LIMITED for many."""
    requests = NamespaceRequest.objects.filter(requester=user, state=RequestState.OPEN)
    numbers = dict(requests.values_list("name", "pk"))
    if name in numbers:
        raise Refused(
            Code.CONFLICT, f"{user} has asked for {name} already: request {numbers[name]}."
        )
    if len(numbers) >= MAX_OPEN:
        raise Refused(
            Code.RATE_LIMITED,
            f"{user} has {len(numbers)} open requests: at most {MAX_OPEN} are allowed. "
            "Withdraw one, or wait for staff.",
        )


def _open_request(number: int) -> NamespaceRequest:
    request = find_request(number)
    refuse_decided(request)
    return request


def _granted_namespace(request: NamespaceRequest, permission: Permission) -> Namespace:
    if request.is_claim:
        return require_namespace(request.name)
    return namespaces.create_namespace(
        request.name, title=request.title, url=request.url, actor=permission.actor
    )


def _decide(request: NamespaceRequest, state: RequestState, user: User, text: str = "") -> None:
    request.state, request.decision = state, text
    request.decider, request.decided = user, timezone.now()
    request.save(update_fields=["state", "decision", "decider", "decided"])
    if state != RequestState.ACCEPTED:
        four_eyes.drop_claim(request.name, request.requester)
    _append(request, user)


def _append(request: NamespaceRequest, user: User) -> None:
    before = None if request.is_open else RequestState.OPEN
    append_request_event(EVENTS[RequestState(request.state)], request, user, before=before)


def append_request_event(
    action: str, request: NamespaceRequest, user: User, *, before: RequestState | None
) -> None:
    """Append an event about a request that was in a state before. Call under the write lock."""
    exists = request.is_claim or request.state == RequestState.ACCEPTED
    append_event(
        action,
        request.name,
        actor=user,
        namespace=request.name if exists else "",
        request=request.pk,
        kind=request.kind,
        before=before,
        after=request.state,
    )
