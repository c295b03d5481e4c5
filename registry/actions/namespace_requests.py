"""Actions on requests for namespaces: ask, claim, comment, withdraw, decide."""

from __future__ import annotations

from typing import Any

from registry.actions.action_form import ActionForm, Outcome, Route, State
from registry.actions.fields import (
    COMMENT_REQUEST,
    CommentField,
    KeyField,
    LineField,
    NameField,
    ParagraphField,
    new_key,
)
from registry.actions.namespaces import WAITS
from registry.actions.subjects import NAMESPACE, NAMESPACE_REQUEST
from registry.domain.names.namespace_names import EXPECTED
from registry.models import Namespace, NamespaceRequest, RequestKind
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.namespaces import discussion, request_list, requests
from registry.services.namespaces.requests import RequestTexts

PUBLIC = "Requests are public, with all you write here. Staff decides; you see it under Your work."
# The service reports missing texts, together with all other faults.
OPTIONAL: dict[str, Any] = {"required": False}
EVIDENCE = (
    "How staff can check that you speak for the vendor: a file or a DNS record at its site, a "
    "public repository of its organisation, or that your account has an address of its domain."
)


class RequestForm(ActionForm):
    """The base of forms that make a request."""

    permission = Action.REQUEST_NAMESPACE
    consequence = PUBLIC
    template = "registry/namespaces/request_form.html"


def _submit(kind: RequestKind, actor: Actor, **texts: str) -> Outcome:
    request = requests.submit(kind, RequestTexts(**texts), actor=actor)
    return Outcome(f"Staff will decide on your request for {request.name}.", request, 201)


class RequestNamespace(RequestForm):
    """Ask for a new namespace; the subject is the name to begin with."""

    slug = "request"
    button = heading_format = "Request a namespace"
    name = NameField("Name", f"The first segment of names: {EXPECTED}.", **OPTIONAL)
    title = LineField("Title", "The name of the vendor, project or group, for people.", **OPTIONAL)
    url = LineField("Website", "An https URL of the vendor, project or group.", **OPTIONAL)
    reason = ParagraphField("Purpose", "The hardware that you want to describe.", **OPTIONAL)
    evidence = ParagraphField("Evidence", f"For the name of a vendor. {EVIDENCE}", **OPTIONAL)

    @classmethod
    def initial_values(cls, subject: str, actor: Actor) -> dict[str, Any]:
        return {"name": subject}

    @classmethod
    def perform(cls, *, actor: Actor, **texts: str) -> Outcome:
        return _submit(RequestKind.NEW, actor, **texts)


class ClaimNamespace(RequestForm):
    """Ask to become an owner of a namespace that exists."""

    slug = "claim"
    subject_type = NAMESPACE
    button = "Claim"
    effect = "Claim namespace"
    url = LineField("Website", "An https URL of the vendor, project or group.", **OPTIONAL)
    evidence = ParagraphField("Evidence", EVIDENCE, **OPTIONAL)
    reason = ParagraphField(
        "Purpose", "Your role, and what you want to publish or correct.", **OPTIONAL
    )

    @classmethod
    def perform(cls, namespace: Namespace, *, actor: Actor, **texts: str) -> Outcome:
        return _submit(RequestKind.CLAIM, actor, name=namespace.name, **texts)


class RequestAction(ActionForm):
    """An action on an open request."""

    subject_type = NAMESPACE_REQUEST
    permission = Action.DECIDE_REQUEST
    state = State("is_open", is_set=True, otherwise="{0.state} already")


class CommentOnRequest(RequestAction):
    """Comment on an open request for a namespace, as its requester or staff."""

    slug = "comment"
    permission = Action.COMMENT_ON_REQUEST
    service = discussion.comment
    done = "Your comment was added."
    button = "Comment"
    effect = "Add comment"
    preposition = " on "
    consequence = "Comments are public and cannot be deleted."
    route = Route(
        "Comment on a request for a namespace", *COMMENT_REQUEST, operation="comment_on_request"
    )
    text = CommentField("Comment", "Plain text; https links become clickable.")
    key = KeyField()

    @classmethod
    def initial_values(cls, subject: NamespaceRequest, actor: Actor) -> dict[str, Any]:
        return {"key": new_key()}

    @classmethod
    def refuse(cls, subject: NamespaceRequest, actor: Actor) -> None:
        """Raise `Refused` for everyone but the requester and staff, and on a decided request."""
        discussion.refuse_outsiders(subject, actor.user)
        super().refuse(subject, actor)


class WithdrawRequest(RequestAction):
    """Withdraw the actor's own request."""

    slug = "withdraw"
    permission = Action.REQUEST_NAMESPACE
    service = requests.withdraw
    done = "Your request for {1.name} is withdrawn."
    button = "Withdraw"
    effect = "Withdraw request"
    consequence = "This cannot be undone; the request stays public. You can ask again."

    @classmethod
    def refuse(cls, subject: NamespaceRequest, actor: Actor) -> None:
        """Raise `Refused` for everyone but the requester, and if the request is decided."""
        requests.refuse_others(subject, actor.user)
        super().refuse(subject, actor)


class AcceptRequest(RequestAction):
    """Make the requester an owner of the namespace."""

    slug = "accept"
    button = "Accept"
    effect = "Make requester an owner"
    consequence = (
        "Makes the requester an owner of the namespace, which is created if it is new. Names can "
        "never be reused. Check the evidence first."
    )
    text = ParagraphField("Comment", "Public; say what you checked.", required=False)

    @classmethod
    def perform(cls, number: int, **values: Any) -> Outcome:
        namespace = requests.accept(number, **values)
        request = request_list.find_request(number)
        if request.is_open:
            message = (
                f"You requested that {request.requester} becomes owner of {namespace}, which "
                f"is under four-eyes. {WAITS} Then staff accepts this request again."
            )
            return Outcome(message, request, 202)
        return Outcome(f"{request.requester} is an owner of {namespace} now.", request)


class RejectRequest(RequestAction):
    """Reject the request with a reason."""

    slug = "reject"
    service = requests.reject
    done = "Request {0} is rejected."
    button = "Reject"
    effect = "Reject request"
    consequence = "This cannot be undone; the requester can ask again."
    text = ParagraphField("Reason", "Public; for the requester.")
