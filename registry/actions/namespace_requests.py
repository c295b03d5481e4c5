"""Actions on requests for namespaces: ask, claim, withdraw, decide."""

from __future__ import annotations

from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, LineField, NameField
from registry.actions.namespaces import WAITS
from registry.models import NamespaceRequest, RequestKind
from registry.services.core.permissions import Actor
from registry.services.namespaces import request_list, requests
from registry.services.namespaces.requests import RequestTexts

PUBLIC = "Requests are public, with all you write here. Staff decides; you see it under Your work."
# The service reports missing texts, together with all other faults.
OPTIONAL: dict[str, Any] = {"required": False}
EVIDENCE = (
    "How staff can check that you speak for the vendor: a file or a DNS record at its site, a "
    "public repository of its organisation, or that your account has an address of its domain."
)


class ParagraphField(LineField):
    """A text of several lines."""

    def __init__(self, label: str, help_text: str = "", **kwargs: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 4})
        super().__init__(label, help_text, widget=widget, strip=False, **kwargs)


class RequestForm(ActionForm):
    """The base of forms that make a request; `request` is the request made."""

    request: NamespaceRequest
    consequence = PUBLIC

    def _submit(self, kind: RequestKind, **texts: str) -> str:
        self.request = requests.submit(kind, RequestTexts(**texts), actor=self.actor)
        return f"Staff will decide on your request for {self.request.name}."


class RequestNamespace(RequestForm):
    """Ask for a new namespace; the subject is the name to begin with."""

    slug = "request"
    button = "Request a namespace"
    name = NameField(
        "Name", "The first segment of names: lowercase letters and digits.", **OPTIONAL
    )
    title = LineField("Title", "The name of the vendor, project or group, for people.", **OPTIONAL)
    url = LineField("Website", "An https URL of the vendor, project or group.", **OPTIONAL)
    reason = ParagraphField("Purpose", "The hardware that you want to describe.", **OPTIONAL)
    evidence = ParagraphField("Evidence", f"For the name of a vendor. {EVIDENCE}", **OPTIONAL)

    @classmethod
    def initial_values(cls, subject: str, actor: Actor) -> dict[str, Any]:
        """Return the name to begin with."""
        return {"name": subject}

    @property
    def heading(self) -> str:
        """Return the heading of the page."""
        return self.button

    def perform(self) -> str:
        return self._submit(RequestKind.NEW, **self.cleaned_data)


class ClaimNamespace(RequestForm):
    """Ask to become an owner of a namespace that exists."""

    slug = "claim"
    button = "Claim"
    url = LineField("Website", "An https URL of the vendor, project or group.", **OPTIONAL)
    evidence = ParagraphField("Evidence", EVIDENCE, **OPTIONAL)
    reason = ParagraphField(
        "Purpose", "Your role, and what you want to publish or correct.", **OPTIONAL
    )

    @property
    def heading(self) -> str:
        """Return the heading of the page."""
        return f"Claim {self.subject}"

    def perform(self) -> str:
        return self._submit(RequestKind.CLAIM, name=self.subject.name, **self.cleaned_data)


class RequestAction(ActionForm):
    """An action on an open request."""

    @classmethod
    def is_available(cls, subject: NamespaceRequest) -> bool:
        """Return whether the request is open."""
        return subject.is_open


class WithdrawRequest(RequestAction):
    """Withdraw the actor's own request."""

    slug = "withdraw"
    button = "Withdraw"
    consequence = "This cannot be undone; the request stays public. You can ask again."

    def perform(self) -> str:
        requests.withdraw(self.subject.pk, actor=self.actor)
        return f"Your request for {self.subject.name} is withdrawn."


class AcceptRequest(RequestAction):
    """Make the requester an owner of the namespace."""

    slug = "accept"
    button = "Accept"
    consequence = (
        "Makes the requester an owner of the namespace, which is created if it is new. Names can "
        "never be reused. Check the evidence first."
    )
    text = ParagraphField("Comment", "Public; say what you checked.", required=False)

    def perform(self) -> str:
        text = self.cleaned_data["text"]
        namespace = requests.accept(self.subject.pk, text=text, actor=self.actor)
        if request_list.find_request(self.subject.pk).is_open:
            return (
                f"You requested that {self.subject.requester} becomes owner of {namespace}, which "
                f"is under four-eyes. {WAITS} Then staff accepts this request again."
            )
        return f"{self.subject.requester} is an owner of {namespace} now."


class RejectRequest(RequestAction):
    """Reject the request with a reason."""

    slug = "reject"
    button = "Reject"
    consequence = "This cannot be undone; the requester can ask again."
    text = ParagraphField("Reason", "Public; for the requester.")

    def perform(self) -> str:
        requests.reject(self.subject.pk, text=self.cleaned_data["text"], actor=self.actor)
        return f"Request {self.subject.pk} is rejected."
