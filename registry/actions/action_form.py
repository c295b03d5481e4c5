"""Base classes of actions: a form states its consequence and calls one service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.urls import reverse_lazy

from registry.actions import form_messages
from registry.domain.errors import Refused
from registry.services.core.permissions import Actor

INVALID = 422  # the status of an invalid form


class ActionForm(forms.Form):
    """An action with or without a subject. An invalid form keeps its input.

    `is_available` decides whether pages offer the action; the service checks again.
    """

    slug: ClassVar[str]  # the end of its path
    button: ClassVar[str]  # the label of its button
    preposition: ClassVar[str] = " "  # between the button's label and the subject, in headings
    consequence: ClassVar[str] = ""  # shown above the form
    do_not_call_in_templates: ClassVar[bool] = True  # templates get the class, not an instance
    removes_row: ClassVar[bool] = False  # the subject is gone afterwards

    def __init__(self, subject: Any, actor: Actor, data: Any = None) -> None:
        self.subject = subject
        self.actor = actor
        super().__init__(data, initial=self.initial_values(subject, actor), label_suffix="")

    @classmethod
    def is_available(cls, subject: Any) -> bool:
        """Return whether the action is possible in the subject's state."""
        return True

    @classmethod
    def initial_values(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        """Return the initial values of the form."""
        return {}

    @property
    def password_username(self) -> str:
        """Return whose password the form sets, for password managers; empty if it sets none."""
        return ""

    @property
    def needs_password(self) -> bool:
        """Return whether the submitted action needs the user's password again."""
        return False

    @property
    def heading(self) -> str:
        """Return the heading of the page."""
        return f"{self.button}{self.preposition}{self.subject}" if self.subject else self.button

    def perform(self) -> str:
        """Call the service with the submitted values; return the success message.

        Raises `Refused` as the service does.
        """
        raise NotImplementedError

    def attempt(self) -> tuple[str | None, int]:
        """Perform the submitted action; return the success message and status 200.

        If it fails, return None and the HTTP status; the form then has errors.
        """
        if not self.is_valid():
            return None, INVALID
        try:
            return self.perform(), 200
        except Refused as refusal:
            return None, form_messages.add_refusal(self, refusal)


class LineField(forms.CharField):
    """A single line of text; the service validates it."""

    def __init__(self, label: str, help_text: str = "", **kwargs: Any) -> None:
        widget = kwargs.pop("widget", forms.TextInput(attrs={"autocomplete": "off"}))
        super().__init__(label=label, help_text=help_text, widget=widget, **kwargs)


class ReasonField(LineField):
    """The public reason for an action, in one line: warnings show it."""

    def __init__(self, audience: str = "everyone who resolves it") -> None:
        super().__init__("Reason", f"Shown to {audience}.")


class NameField(LineField):
    """The name of a tag, a namespace or an account, or a reference."""

    attributes: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, label: str, help_text: str = "", **kwargs: Any) -> None:
        attributes = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        widget = forms.TextInput(attrs={**attributes, **self.attributes, "class": "name"})
        super().__init__(label, help_text, widget=widget, **kwargs)


class TagField(NameField):
    """The name of a tag, which is suggested while somebody types."""

    attributes: ClassVar[Mapping[str, Any]] = {"data-suggest": reverse_lazy("suggestions")}
