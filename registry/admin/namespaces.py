"""Namespaces, and who may do what in them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from registry.admin import filters, shown
from registry.admin.acts import Act, Name, Words
from registry.admin.base import Shown
from registry.admin.site import site
from registry.domain.errors import at
from registry.models import Membership, Namespace, Role, User
from registry.services import accounts, naming
from registry.services.permissions import Action
from registry.services.reading import curating


class Described(Act):
    """What is said of a namespace."""

    title = Words("Title", "What people call the owner.", required=False)
    description = Words("Description", "One sentence.", required=False)
    url = Words("Page of the owner", "An https URL.", required=False)


class MakeNamespace(Described):
    """A new first segment."""

    slug = "add"
    button = "Add a namespace"
    consequence = "A namespace is never deleted and never renamed."
    name = Name("Name", "The first segment of names: lower-case letters and digits.")
    field_order = ("name", "title", "description", "url")

    def perform(self) -> str:
        """Make it."""
        self.demand(Action.MAKE_NAMESPACE)
        made = naming.make_namespace(**self.cleaned_data, actor=self.actor)
        return f"The namespace {made} is made. Nobody is a member yet."


class DescribeNamespace(Described):
    """Other words for a namespace."""

    slug = "describe"
    button = "Describe"

    @classmethod
    def first(cls, subject: Namespace, actor: User) -> dict[str, Any]:
        """What is said now."""
        return {name: getattr(subject, name) for name in ("title", "description", "url")}

    def perform(self) -> str:
        """Say it."""
        self.demand(Action.DESCRIBE_NAMESPACE, self.subject)
        naming.describe_namespace(self.subject, **self.cleaned_data, actor=self.actor)
        return f"{self.subject} is described anew."


class Grant(Act):
    """A role for a person, in place of the one they have."""

    slug = "grant"
    button = "Grant a role"
    of = " in "
    consequence = (
        "Members publish and yank; curators also review and point aliases; owners also manage "
        "members. A role takes the place of the one that the person has."
    )
    user = Name("User name")
    role = forms.ChoiceField(label="Role", choices=Role.choices, initial=Role.MEMBER)

    def perform(self) -> str:
        """Grant it."""
        self.demand(Action.MANAGE_MEMBERS, self.subject)
        with at("/user"):
            user = accounts.named(self.cleaned_data["user"])
        role = Role(self.cleaned_data["role"])
        naming.grant(self.subject, user, role, actor=self.actor)
        return f"{user} is {role} of {self.subject}."


class ChangeRole(Act):
    """Another role for a member."""

    slug = "change"
    button = "Change the role"
    role = forms.ChoiceField(label="Role", choices=Role.choices)

    @classmethod
    def first(cls, subject: Membership, actor: User) -> dict[str, Any]:
        """The role there is."""
        return {"role": subject.role}

    @property
    def heading(self) -> str:
        """Whose role it is."""
        return f"Change the role of {self.subject.user} in {self.subject.namespace}"

    def perform(self) -> str:
        """Grant it."""
        self.demand(Action.MANAGE_MEMBERS, self.subject.namespace)
        role = Role(self.cleaned_data["role"])
        naming.grant(self.subject.namespace, self.subject.user, role, actor=self.actor)
        return f"{self.subject.user} is {role} of {self.subject.namespace}."


class TakeAway(Act):
    """A person leaves a namespace."""

    slug = "revoke"
    button = "Take the role away"
    consequence = "Their tokens stop opening this namespace at once. The last owner stays."
    leads_to_list = True

    @property
    def heading(self) -> str:
        """Whose role it is."""
        return f"Take away the role of {self.subject.user} in {self.subject.namespace}"

    def perform(self) -> str:
        """Take it away."""
        self.demand(Action.MANAGE_MEMBERS, self.subject.namespace)
        namespace, user = self.subject.namespace, self.subject.user
        naming.revoke_membership(namespace, user, actor=self.actor)
        return f"{user} has no role in {namespace} any more."


class OfRole(filters.Choice):
    """Members by role."""

    title = "role"
    parameter_name = "role"

    def values(self) -> list[tuple[str, str]]:
        """Owner, curator, member."""
        return [(str(value), str(word)) for value, word in Role.choices]

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Those that have it."""
        return rows.filter(role=value)


@admin.register(Namespace, site=site)
class Namespaces(Shown):
    """Who owns what."""

    plural = "Namespaces"
    about = "The first segments of names, and who owns them"
    page_template = "registry/admin/namespace.html"
    making = MakeNamespace
    acts = (DescribeNamespace, Grant)
    list_display = ("name", "title", "tags", "members", "made")
    search_fields = ("name", "title")
    search_help_text = "By name or title"
    ordering = ("name",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Namespace]:
        """With counts."""
        return curating.namespaces()

    @admin.display(description="tags")
    def tags(self, row: Any) -> str:
        """How many, and the way to them."""
        return shown.link(shown.list_url("tag", namespace=row.name), row.tag_count)

    @admin.display(description="members")
    def members(self, row: Any) -> str:
        """How many, and the way to them."""
        return shown.link(shown.list_url("membership", namespace=row.name), row.member_count)

    @admin.display(description="made")
    def made(self, row: Namespace) -> str:
        """When."""
        return shown.moment(row.created)

    def page(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """What is said of it, and its members with what can be done to each."""
        return {"members": curating.members_of(row)}

    def links(self, row: Namespace) -> dict[str, str]:
        """Its tags, and what happened."""
        return {
            "Tags": shown.list_url("tag", namespace=row.name),
            "Aliases": shown.list_url("name", namespace=row.name),
            "Events": shown.list_url("event", namespace=row.name),
        }


@admin.register(Membership, site=site)
class Members(Shown):
    """Who may do what where."""

    plural = "Members"
    about = "Who may do what in which namespace; a namespace's page grants roles"
    page_template = "registry/admin/member.html"
    acts = (ChangeRole, TakeAway)
    list_display = ("member", "namespace_name", "role")
    list_filter = (OfRole, filters.OfNamespace)
    search_fields = ("user__username",)
    search_help_text = "By user name"
    ordering = ("pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        """With whom and where."""
        return curating.members()

    @admin.display(description="member")
    def member(self, row: Membership) -> str:
        """Who."""
        return row.user.username

    @admin.display(description="namespace")
    def namespace_name(self, row: Membership) -> str:
        """Where."""
        return shown.link(shown.row_url("namespace", row.namespace_id), row.namespace.name)
