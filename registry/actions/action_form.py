"""The base class of actions: a declaration that pages, API and admin offer.

Each action states its subject, permission, fields and consequence, and calls one service.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

from django import forms

from registry.actions import form_messages
from registry.actions.subjects import REGISTRY, Subject
from registry.domain.errors import Code, Refused
from registry.http.problems import PROBLEMS
from registry.http.request_members import Member, read_all
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor

INVALID = PROBLEMS[Code.REQUEST_INVALID].status  # of an invalid form; decision 128


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an action.

    Pages show the message. The API responds with the status and the subject as it is now, or with
    the result of the service; `location` is the reference of what was created.
    """

    message: str
    result: Any = None
    status: int = 200
    location: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """The state of a subject in which an action is available: whether an attribute is set.

    `otherwise` says what the subject is in the other state.
    """

    attribute: str
    is_set: bool
    otherwise: str

    def holds(self, subject: Any) -> bool:
        return bool(getattr(subject, self.attribute)) is self.is_set


@dataclass(frozen=True, slots=True)
class Route:
    """The route of an action in the API, apart from what its subject determines."""

    summary: str
    request: str  # the name of the request's schema; actions with equal requests share it
    description: str  # of that schema
    codes: tuple[Code, ...] = ()  # errors of this action only
    statuses: tuple[int, ...] = (200,)
    operation: str = ""  # its id, if not the slug


# Decision 037: pages and admin share one form for each action.
# Decision 110: a page, a route, an admin action and documents come from one declaration.
class ActionForm(forms.Form):
    """The declaration of an action; its docstring describes it in the API.

    `refuse` and `is_available` decide whether the form is offered; the service checks again. An
    invalid form keeps its input.
    """

    slug: ClassVar[str]  # the name of the action in paths
    subject_type: ClassVar[Subject] = REGISTRY
    permission: ClassVar[Action | None] = None  # which pages check before they show the form
    state: ClassVar[State | None] = None  # in which it is available; None for any
    service: ClassVar[Callable[..., Any]]  # takes the subject's name, the actor and the fields
    done: ClassVar[str]  # the message, with {0} for the subject's name and {1} for the result

    button: ClassVar[str]  # the label of links to it, and of its button
    effect: ClassVar[str] = ""  # the label of its button, if the link's does not say what happens
    preposition: ClassVar[str] = " "  # between the button's label and the subject, in headings
    heading_format: ClassVar[str] = ""  # the heading, if another, with {0} for the subject
    consequence: ClassVar[str] = ""  # shown above the form
    changes: ClassVar[Collection[str]] = ()  # attributes of the subject, which the form begins with
    removes_row: ClassVar[bool] = False  # the subject is gone afterwards
    renewed: ClassVar[Mapping[Code, Collection[str]]] = {  # hidden fields, after a refusal
        Code.PRECONDITION_FAILED: ("seen", "expected"),
        Code.CONFLICT: ("key",),
    }
    do_not_call_in_templates: ClassVar[bool] = True  # templates get the class, not an instance

    page: ClassVar[str] = ""  # the name of its page; actions that share one take turns
    template: ClassVar[str] = "registry/parts/action.html"
    link: ClassVar[str] = ""  # the label of links to the page, if not the button's
    hint: ClassVar[str] = ""  # a few words beside such links
    route: ClassVar[Route | None] = None  # if the API offers it

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "slug" in vars(cls):
            cls.subject_type.actions.append(cls)

    def __init__(self, subject: Any, actor: Actor, data: Any = None) -> None:
        self.subject = subject
        self.actor = actor
        super().__init__(data, initial=self.initial_values(subject, actor), label_suffix="")
        form_messages.ask_for_empty_fields(self)

    @classmethod
    def is_available(cls, subject: Any) -> bool:
        """Return whether the action is possible in the subject's state."""
        return cls.state is None or cls.state.holds(subject)

    @classmethod
    def refuse(cls, subject: Any, actor: Actor) -> None:
        """Raise `Refused` if the actor or the subject's state does not permit the action."""
        if cls.permission is not None:
            permissions.require(actor, cls.permission, cls.subject_type.owner_of(subject))
        if cls.state and not cls.state.holds(subject):
            detail = f"{subject} is {cls.state.otherwise.format(subject)}."
            raise Refused(Code.CONFLICT, detail, suggestions=[str(subject)])

    @classmethod
    def preview(cls, subject: Any) -> dict[str, Any]:
        """Return what the template shows above the form."""
        return {}

    @classmethod
    def member_names(cls) -> dict[str, str]:
        """Return the fields that are in the API's request, with their names there."""
        return {
            name: getattr(field, "member_name", name)
            for name, field in cls.base_fields.items()
            if getattr(field, "member", None)
        }

    @classmethod
    def members(cls) -> dict[str, Member]:
        """Return the members of the API's request by name."""
        fields: dict[str, Any] = cls.base_fields
        return {member: fields[name].member for name, member in cls.member_names().items()}

    @classmethod
    def initial_values(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        return {name: getattr(subject, name) for name in cls.changes}

    @property
    def password_username(self) -> str:
        """Return whose password the form sets, for password managers; empty if it sets none."""
        return ""

    @property
    def needs_password(self) -> bool:
        """Return whether the submitted action needs the user's password again."""
        return False

    @cached_property
    def submit_label(self) -> str:
        """Return the label of the form's button, which says what happens."""
        return self.effect or self.button

    @property
    def heading(self) -> str:
        """Return the heading of the page."""
        default = "{1.button}{1.preposition}{0}" if self.subject else "{1.button}"
        return (self.heading_format or default).format(self.subject, self)

    @classmethod
    def perform(cls, *names: Any, **values: Any) -> Outcome:
        """Call the service for the subject's name, if any, with `actor` and the fields' values.

        Raises `Refused` as the service does.
        """
        result = cls.service(*names, **values)
        return Outcome(cls.done.format(*(names or [None]), result), result)

    def attempt(self) -> tuple[Outcome | None, int]:
        """Perform the submitted action; return the outcome and status 200.

        If it fails, return None and the HTTP status; the form then has errors.
        """
        if not self.is_valid():
            return None, INVALID
        name = self.subject_type.name_of(self.subject)
        names = [] if name is None else [name]
        try:
            return self.perform(*names, actor=self.actor, **self._values()), 200
        except Refused as refusal:
            status = form_messages.add_refusal(self, refusal)
            self._renew(refusal.code)
            return None, status

    # Decision 198: a form replaces what it was opened on, and a key stands for what was sent.
    def _renew(self, code: Code) -> None:
        """Let the next attempt replace what others have written, or have a key of its own."""
        names = self.renewed.get(code, ())
        if not self.fields.keys().isdisjoint(names):
            current = self.initial_values(self.subject, self.actor)
            self._resend({name: str(current[name]) for name in names if name in current})

    def hold(self, values: Mapping[str, str]) -> None:
        """Let hidden fields hold what the page shows now, whatever was sent before."""
        self.initial.update(values)
        if values and self.is_bound:
            self._resend(values)

    def _resend(self, values: Mapping[str, str]) -> None:
        """Put values in the place of some that were sent, in a copy: Django freezes those."""
        self.data = {name: self.data[name] for name in self.data} | dict(values)

    def _values(self) -> dict[str, Any]:
        """Return the values that the service takes. Raises `Refused` for all that are wrong."""
        values = {
            name: value
            for name, value in self.cleaned_data.items()
            if getattr(self.fields[name], "is_passed", True)
        }
        members = {name: getattr(self.fields[name], "member", None) for name in values}
        sent = {name: member for name, member in members.items() if member and values[name] != ""}
        defaults = {name: member.default for name, member in members.items() if member}
        readers = {name: partial(member.parse, values[name]) for name, member in sent.items()}
        return values | defaults | read_all(readers)


class ReplacingForm(ActionForm):
    """A form that replaces what it was opened on, unless somebody else has changed that."""

    token: ClassVar[Callable[[Any], str]]  # of what the form changes, as the subject has it
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    @classmethod
    def initial_values(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        """Return what the form changes, and its token, which the service compares."""
        return {**super().initial_values(subject, actor), "seen": cls.token(subject)}
