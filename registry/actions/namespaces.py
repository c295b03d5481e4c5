"""Actions on namespaces and their members."""

from __future__ import annotations

from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, LineField, NameField
from registry.domain.errors import report_errors_at
from registry.models import Membership, Namespace, Policy, Role
from registry.services.accounts import users
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces

MEANS = {
    Policy.MEMBERS: "Members publish and yank by themselves; what others propose, curators decide.",
    Policy.CURATORS: "Curators publish; what members propose is reviewed like everybody's.",
    Policy.FOUR_EYES: "Nobody publishes alone: all is proposed, and another curator accepts it.",
}


class NamespaceDescriptionForm(ActionForm):
    """The descriptive fields of a namespace."""

    title = LineField("Title", "What people call the owner.", required=False)
    description = LineField("Description", "One sentence.", required=False)
    url = LineField("Page of the owner", "An https URL.", required=False)


class CreateNamespace(NamespaceDescriptionForm):
    """Create a namespace."""

    slug = "add"
    button = "Add a namespace"
    consequence = "A namespace is never deleted and never renamed."
    name = NameField("Name", "The first segment of names: lower-case letters and digits.")
    field_order = ("name", "title", "description", "url")

    def perform(self) -> str:
        made = namespaces.create_namespace(**self.cleaned_data, actor=self.actor)
        return f"The namespace {made} is made. Nobody is a member yet."


class DescribeNamespace(NamespaceDescriptionForm):
    """Change the description of a namespace."""

    slug = "describe"
    button = "Describe"

    @classmethod
    def first(cls, subject: Namespace, actor: Actor) -> dict[str, Any]:
        """What is said now."""
        return {name: getattr(subject, name) for name in ("title", "description", "url")}

    def perform(self) -> str:
        namespaces.update_description(self.subject, **self.cleaned_data, actor=self.actor)
        return f"{self.subject} is described anew."


class SetPolicy(ActionForm):
    """Choose who may publish in a namespace, and whether review is required."""

    slug = "policy"
    button = "Set the policy"
    of = " of "
    consequence = "What is proposed already is decided on under the new policy."
    policy = forms.ChoiceField(
        label="Who publishes",
        choices=[(policy.value, f"{policy.value}: {what}") for policy, what in MEANS.items()],
        widget=forms.RadioSelect,
    )

    @classmethod
    def first(cls, subject: Namespace, actor: Actor) -> dict[str, Any]:
        """The one in force."""
        return {"policy": subject.policy}

    def perform(self) -> str:
        policy = Policy(self.cleaned_data["policy"])
        namespaces.set_policy(self.subject, policy, actor=self.actor)
        return f"In {self.subject} from now on: {MEANS[policy]}"


class GrantRole(ActionForm):
    """Grant a role to a user, replacing an earlier one."""

    slug = "grant"
    button = "Grant a role"
    of = " in "
    consequence = (
        "Members publish and yank; curators also review and point aliases; owners also manage "
        "members. A role takes the place of the one that the person has."
    )
    user = NameField("Username")
    role = forms.ChoiceField(label="Role", choices=Role.choices, initial=Role.MEMBER)

    def perform(self) -> str:
        with report_errors_at("/user"):
            user = users.find_user(self.cleaned_data["user"])
        role = Role(self.cleaned_data["role"])
        members.grant_role(self.subject, user, role, actor=self.actor)
        return f"{user} is {role} of {self.subject}."


class ChangeRole(ActionForm):
    """Change the role of a member."""

    slug = "change"
    button = "Change the role"
    role = forms.ChoiceField(label="Role", choices=Role.choices)

    @classmethod
    def first(cls, subject: Membership, actor: Actor) -> dict[str, Any]:
        """The role there is."""
        return {"role": subject.role}

    @property
    def heading(self) -> str:
        """Whose role it is."""
        return f"Change the role of {self.subject.user} in {self.subject.namespace}"

    def perform(self) -> str:
        role = Role(self.cleaned_data["role"])
        members.grant_role(self.subject.namespace, self.subject.user, role, actor=self.actor)
        return f"{self.subject.user} is {role} of {self.subject.namespace}."


class RemoveMember(ActionForm):
    """Remove a member from a namespace."""

    slug = "revoke"
    button = "Take the role away"
    consequence = "Their tokens stop opening this namespace at once. The last owner stays."
    leads_to_list = True

    @property
    def heading(self) -> str:
        """Whose role it is."""
        return f"Take away the role of {self.subject.user} in {self.subject.namespace}"

    def perform(self) -> str:
        namespace, user = self.subject.namespace, self.subject.user
        members.revoke_membership(namespace, user, actor=self.actor)
        return f"{user} has no role in {namespace} any more."
