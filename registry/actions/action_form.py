"""Base classes of actions: a form states its consequence and calls one service."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms

from registry.actions import form_messages
from registry.domain.errors import Refused
from registry.services.core.permissions import Actor

INVALID = 422  # a form with something missing


class ActionForm(forms.Form):
    """An action on a row or on none: GET shows its form, POST performs it, errors keep the input.

    `applies` says on which rows it is offered; the service decides, whatever was offered.
    """

    slug: ClassVar[str]  # the end of its path
    button: ClassVar[str]  # on its button
    of: ClassVar[str] = " "  # between the button's words and the row's
    consequence: ClassVar[str] = ""  # what people should know before
    do_not_call_in_templates: ClassVar[bool] = True  # pages name acts, and do none
    leads_to_list: ClassVar[bool] = False  # the row is gone afterwards

    def __init__(self, subject: Any, actor: Actor, data: Any = None) -> None:
        self.subject = subject
        self.actor = actor
        super().__init__(data, initial=self.first(subject, actor), label_suffix="")

    @classmethod
    def applies(cls, subject: Any) -> bool:
        """Tell whether the action applies to this row."""
        return True

    @classmethod
    def first(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        """Return the initial values of the form."""
        return {}

    @property
    def password_of(self) -> str:
        """Return the user whose password is typed, for password managers; empty if none is."""
        return ""

    @property
    def heading(self) -> str:
        """Return the heading of the page."""
        return f"{self.button}{self.of}{self.subject}" if self.subject else self.button

    def perform(self) -> str:
        """Call the service with the submitted values; return the success message.

        Raises `Refused` as the service does.
        """
        raise NotImplementedError

    def attempt(self) -> tuple[str | None, int]:
        """Perform the submitted action; return the success message and status 200.

        Where it is not done, None and the HTTP status; why stands at the fields, what was typed
        stays.
        """
        if not self.is_valid():
            return None, INVALID
        try:
            return self.perform(), 200
        except Refused as refusal:
            return None, form_messages.add_refusal(self, refusal)


class LineField(forms.CharField):
    """A single line of text, kept as typed; the service validates it."""

    def __init__(self, label: str, help_text: str = "", **kwargs: Any) -> None:
        widget = kwargs.pop("widget", forms.TextInput(attrs={"autocomplete": "off"}))
        super().__init__(label=label, help_text=help_text, widget=widget, **kwargs)


class ReasonField(LineField):
    """The public reason for an action."""

    def __init__(self, who_reads: str = "everybody who resolves it") -> None:
        rows = forms.Textarea(attrs={"rows": 3})
        super().__init__("Reason", f"Shown to {who_reads}.", widget=rows)


class NameField(LineField):
    """The name of a tag, a namespace or an account, or a reference."""

    def __init__(self, label: str, help_text: str = "", **kwargs: Any) -> None:
        spelt = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        widget = forms.TextInput(attrs={**spelt, "class": "name"})
        super().__init__(label, help_text, widget=widget, **kwargs)
