"""Fields of actions: what people type, and the member of the API's request for the same value."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar
from uuid import uuid4

from django import forms
from django.urls import reverse_lazy

from registry.domain.user_text import MAX_REASON
from registry.http import request_members
from registry.http.request_members import Member
from registry.services.core.remarks import MAX_TEXT


class LineField(forms.CharField):
    """A single line of text; the service validates it.

    `member` checks and parses the value for pages and API alike; a field without one is not in the
    API's request.
    """

    member: Member | None = None

    def __init__(
        self, label: str, help_text: str = "", *, member: Member | None = None, **kwargs: Any
    ) -> None:
        widget = kwargs.pop("widget", forms.TextInput())
        super().__init__(label=label, help_text=help_text, widget=widget, **kwargs)
        self.member = member


# The schemas of requests that several actions share: a reason or a comment, and nothing else.
REASON_REQUEST = ("ReasonRequest", "The reason for a change.")
COMMENT_REQUEST = ("CommentRequest", "A public comment.")


class ReasonField(LineField):
    """The public reason for an action, in one line: warnings show it."""

    def __init__(self, audience: str = "everyone who resolves it") -> None:
        member = request_members.prose(MAX_REASON, help_text="one line, public")
        super().__init__("Reason", f"Shown to {audience}.", member=member)


class ParagraphField(LineField):
    """A text of several lines."""

    def __init__(
        self,
        label: str,
        help_text: str = "",
        *,
        rows: int = 4,
        attributes: Mapping[str, Any] = MappingProxyType({}),
        **kwargs: Any,
    ) -> None:
        widget = forms.Textarea(attrs={"rows": rows, **attributes})
        super().__init__(label, help_text, widget=widget, **{"strip": False} | kwargs)


class CommentField(ParagraphField):
    """A public comment of several lines in a discussion."""

    def __init__(self, label: str, help_text: str = "", *, required: bool = True) -> None:
        member = remark(required=required)
        super().__init__(label, help_text, rows=5, required=required, member=member)


def remark(*, required: bool = True) -> Member:
    """Return the member of a request that holds a comment."""
    return request_members.prose(MAX_TEXT, is_multiline=True, required=required, help_text="public")


class KeyField(forms.CharField):
    """The key of a form, in a hidden field, by which it has one effect if it is sent twice."""

    def __init__(self) -> None:
        super().__init__(label="", widget=forms.HiddenInput, required=False, max_length=36)


def new_key() -> str:
    """Return a key for a form that has not been sent yet."""
    return str(uuid4())


def described(descriptions: Mapping[Any, str]) -> list[tuple[str, str]]:
    """Return the choices of a field whose values are described."""
    return [(value, f"{value}: {description}") for value, description in descriptions.items()]


class NameField(LineField):
    """The name of a tag, a namespace or an account, or a reference."""

    attributes: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, label: str, help_text: str = "", **kwargs: Any) -> None:
        attributes = {"autocapitalize": "none", "spellcheck": "false"}
        widget = forms.TextInput(attrs={**attributes, **self.attributes, "class": "name"})
        super().__init__(label, help_text, widget=widget, **kwargs)


class ReferenceField(NameField):
    """A tag, or one of its versions."""

    def __init__(self, label: str) -> None:
        help_text = "A tag, or one of its versions: namespace/name[:variant][@version]."
        asked = {"required": "Enter a tag, or one of its versions."}
        member = request_members.reference()
        super().__init__(label, help_text, member=member, error_messages=asked)


class TagField(NameField):
    """The name of a tag, which is suggested while somebody types."""

    attributes: ClassVar[Mapping[str, Any]] = {"data-suggest": reverse_lazy("suggestions")}

    def __init__(self, label: str, help_text: str, *, required: bool = True) -> None:
        member = request_members.tag_name(required=required)
        super().__init__(label, help_text, member=member, required=required)


# In a field for the names of a token, besides a namespace.
BEGINNING = "the beginning of names, such as acme/boards/*"


class FlagField(forms.CharField):
    """A hidden field that names the action of a form, because several share a page."""

    is_passed = False  # to the service

    def __init__(self, initial: str) -> None:
        super().__init__(initial=initial, required=False, widget=forms.HiddenInput)


class RevisionField(forms.IntegerField):
    """The newest revision that the user has seen, in a hidden field; 0 may stand for none."""

    member_name = "revision"  # in the API

    def __init__(self, *, is_passed: bool = True, minimum: int = 1) -> None:
        incomplete = "This form is incomplete. Reload the page and try again."
        super().__init__(
            label="",
            widget=forms.HiddenInput,
            min_value=minimum,
            max_value=2**31 - 1,
            error_messages=dict.fromkeys(
                ("required", "invalid", "min_value", "max_value"), incomplete
            ),
        )
        self.is_passed = is_passed  # to the service: decisions are about this revision only
        self.member = seen_revision(minimum) if is_passed else None


class SeenDigestField(forms.CharField):
    """The digest of the target that the user has seen, in a hidden field; empty: not compared."""

    member = request_members.digest(
        help_text="the digest of the target that the client has seen, if it is to be compared"
    )

    def __init__(self) -> None:
        super().__init__(label="", required=False, widget=forms.HiddenInput)


def seen_revision(minimum: int = 1) -> Member:
    """Return the member of a request that states the revision it is about."""
    none = "" if minimum else "; 0: none"
    help_text = f"the newest revision that the client has seen{none}"
    return request_members.count(help_text=help_text, minimum=minimum)
