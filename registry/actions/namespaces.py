"""Actions on namespaces and their members."""

from __future__ import annotations

from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, LineField, NameField
from registry.actions.policy_warnings import policy_warning
from registry.domain.errors import report_errors_at
from registry.models import Membership, Namespace, Policy, Role, User
from registry.services.accounts import users
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces

WAITS = "It takes effect once another curator, an owner or staff confirms it."
CONFIRMED = "Under four-eyes, somebody else has to confirm a new curator or owner."
POLICY_DESCRIPTIONS = {
    Policy.MEMBERS: "Members publish and yank; curators review proposals from everyone else.",
    Policy.CURATORS: "Curators publish; they review proposals from members and everyone else.",
    Policy.FOUR_EYES: "Two curators accept every proposal, and every alias, curator and owner.",
}


class NamespaceDescriptionForm(ActionForm):
    """The descriptive fields of a namespace."""

    title = LineField("Title", "The name of the owner, for people.", required=False)
    description = LineField("Description", "One sentence.", required=False)
    url = LineField("Website", "An https URL.", required=False)


class CreateNamespace(NamespaceDescriptionForm):
    """Create a namespace without members."""

    slug = "add"
    button = "Add a namespace"
    consequence = "A namespace can never be deleted or renamed."
    name = NameField("Name", "The first segment of names: lowercase letters and digits.")
    field_order = ("name", "title", "description", "url")

    def perform(self) -> str:
        namespace = namespaces.create_namespace(**self.cleaned_data, actor=self.actor)
        return f"The namespace {namespace} was created. It has no members yet."


class DescribeNamespace(NamespaceDescriptionForm):
    """Change the description of a namespace."""

    slug = "describe"
    button = "Edit description"
    preposition = " of "

    @classmethod
    def initial_values(cls, subject: Namespace, actor: Actor) -> dict[str, Any]:
        """Return the current description."""
        return {name: getattr(subject, name) for name in ("title", "description", "url")}

    def perform(self) -> str:
        namespaces.update_description(self.subject, **self.cleaned_data, actor=self.actor)
        return f"The description of {self.subject} was changed."


class SetPolicy(ActionForm):
    """Choose who may publish in a namespace, and whether review is required."""

    slug = "policy"
    button = "Set policy"
    preposition = " of "
    consequence = (
        "The new policy also applies to open proposals. Four-eyes needs two curators or owners; "
        "another curator, an owner or staff has to confirm that you leave it."
    )
    policy = forms.ChoiceField(
        label="Who publishes",
        choices=[
            (policy.value, f"{policy.value}: {description}")
            for policy, description in POLICY_DESCRIPTIONS.items()
        ],
        widget=forms.RadioSelect,
    )

    @classmethod
    def initial_values(cls, subject: Namespace, actor: Actor) -> dict[str, Any]:
        """Return the current policy."""
        return {"policy": subject.policy}

    def perform(self) -> str:
        policy = Policy(self.cleaned_data["policy"])
        namespace = namespaces.set_policy(self.subject, policy, actor=self.actor)
        if namespace.policy != policy:
            return f"You requested the policy {policy} for {namespace}. {WAITS}"
        done = f"The new policy of {self.subject}: {POLICY_DESCRIPTIONS[policy]}"
        return f"{done} {policy_warning(namespace)}".rstrip()


class GrantRole(ActionForm):
    """Grant a role to a user, replacing an earlier one."""

    slug = "grant"
    button = "Grant role"
    preposition = " in "
    consequence = (
        "Members publish and yank; curators also review proposals and point aliases; owners also "
        "manage members. The new role replaces the user's current one. " + CONFIRMED
    )
    user = NameField("Username")
    role = forms.ChoiceField(label="Role", choices=Role.choices, initial=Role.MEMBER)

    def perform(self) -> str:
        with report_errors_at("/user"):
            user = users.find_user(self.cleaned_data["user"])
        role = Role(self.cleaned_data["role"])
        return _grant(self.subject, user, role, actor=self.actor)


def _grant(namespace: Namespace, user: User, role: Role, *, actor: Actor) -> str:
    """Grant a role; return the message that it was granted, or that it waits."""
    if members.grant_role(namespace, user, role, actor=actor) is None:
        return f"You requested that {user} becomes {role} of {namespace}. {WAITS}"
    return f"{user} is now {role} of {namespace}."


class ChangeRole(ActionForm):
    """Change the role of a member."""

    slug = "change"
    button = "Change role"
    consequence = CONFIRMED
    role = forms.ChoiceField(label="Role", choices=Role.choices)

    @classmethod
    def initial_values(cls, subject: Membership, actor: Actor) -> dict[str, Any]:
        """Return the current role."""
        return {"role": subject.role}

    @property
    def heading(self) -> str:
        """Return the heading of the page."""
        return f"Change the role of {self.subject.user} in {self.subject.namespace}"

    def perform(self) -> str:
        role = Role(self.cleaned_data["role"])
        namespace = self.subject.namespace
        done = _grant(namespace, self.subject.user, role, actor=self.actor)
        return f"{done} {policy_warning(namespace)}".rstrip()


class RemoveMember(ActionForm):
    """Remove a member from a namespace."""

    slug = "revoke"
    button = "Remove member"
    consequence = (
        "Their tokens lose access to this namespace immediately. The last owner cannot be removed."
    )
    removes_row = True

    @property
    def heading(self) -> str:
        """Return the heading of the page."""
        return f"Remove {self.subject.user} from {self.subject.namespace}"

    def perform(self) -> str:
        namespace, user = self.subject.namespace, self.subject.user
        members.revoke_membership(namespace, user, actor=self.actor)
        return f"{user} was removed from {namespace}. {policy_warning(namespace)}".rstrip()
