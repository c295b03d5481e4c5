"""Actions on namespaces and their members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django import forms

from registry.actions.action_form import ActionForm, Outcome, ReplacingForm
from registry.actions.fields import LineField, NameField, described
from registry.actions.subjects import MEMBER, NAMESPACE
from registry.domain.errors import report_errors_at
from registry.domain.names.namespace_names import EXPECTED
from registry.models import Membership, Namespace, Policy, Role, User
from registry.services.accounts import users
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.namespaces import directory, members, namespaces
from registry.services.namespaces.policy_gaps import policy_gap

WAITS = "It takes effect once another curator, an owner or staff confirms it."
CONFIRMED = "Under four-eyes, somebody else has to confirm a new curator or owner."
POLICY_DESCRIPTIONS = {
    Policy.MEMBERS: "Members publish and yank; curators review proposals from everyone else.",
    Policy.CURATORS: "Curators publish; they review proposals from members and everyone else.",
    Policy.FOUR_EYES: "Two curators accept every proposal, and every alias, curator and owner.",
}
NEEDS = {
    Policy.CURATORS: "Under the policy curators, only curators and owners publish and review",
    Policy.FOUR_EYES: "Four-eyes needs two curators or owners with open accounts",
}
ROLE_DESCRIPTIONS = {
    Role.OWNER: "all that curators do; manages members, policy and trusted publishers",
    Role.CURATOR: "all that members do; reviews proposals, points aliases",
    Role.MEMBER: "publishes and yanks, as far as the policy lets members",
}


class NamespaceDescriptionForm(ActionForm):
    """The descriptive fields of a namespace."""

    title = LineField("Title", "The name of the owner, for people.", required=False)
    description = LineField("Description", "One sentence.", required=False)
    url = LineField("Website", "An https URL.", required=False)


class CreateNamespace(NamespaceDescriptionForm):
    """Create a namespace without members."""

    slug = "add"
    permission = Action.MAKE_NAMESPACE
    button = "Add a namespace"
    consequence = "A namespace can never be deleted or renamed."
    name = NameField("Name", f"The first segment of names: {EXPECTED}.")
    field_order = ("name", "title", "description", "url")

    @classmethod
    def perform(cls, *, actor: Actor, **values: str) -> Outcome:
        others = directory.look_alike_namespaces(values["name"])
        namespace = namespaces.create_namespace(**values, actor=actor)
        message = f"The namespace {namespace} was created. It has no members yet."
        if others:
            message += f" Readers may confuse it with {', '.join(others)}."
        return Outcome(message, namespace)


class DescribeNamespace(ReplacingForm, NamespaceDescriptionForm):
    """Change the description of a namespace."""

    slug = "describe"
    subject_type = NAMESPACE
    permission = Action.DESCRIBE_NAMESPACE
    service = namespaces.update_description
    done = "The description of {0} was changed."
    button = "Edit description"
    preposition = " of "
    changes = ("title", "description", "url")
    token = namespaces.description_token


class SetPolicy(ReplacingForm):
    """Choose who may publish in a namespace, and whether review is required."""

    slug = "policy"
    subject_type = NAMESPACE
    permission = Action.MANAGE_MEMBERS
    button = "Set policy"
    preposition = " of "
    consequence = (
        "The new policy also applies to open proposals. Four-eyes needs two curators or owners; "
        "another curator, an owner or staff has to confirm that you leave it."
    )
    changes = ("policy",)
    policy = forms.ChoiceField(
        label="Who publishes", choices=described(POLICY_DESCRIPTIONS), widget=forms.RadioSelect
    )
    token = namespaces.policy_token

    @classmethod
    def perform(cls, namespace: Namespace, *, policy: str, seen: str, actor: Actor) -> Outcome:
        wanted = Policy(policy)
        changed = namespaces.set_policy(namespace, wanted, seen=seen, actor=actor)
        if changed.policy != wanted:
            message = f"You requested the policy {wanted} for {changed}. {WAITS}"
            return Outcome(message, changed, 202)
        done = f"The new policy of {changed}: {POLICY_DESCRIPTIONS[wanted]}"
        return Outcome(f"{done} {policy_warning(changed)}".rstrip(), changed)


def policy_warning(namespace: Namespace) -> str:
    """Return a warning if a namespace has too few curators for its policy; else an empty text.

    At most two queries.
    """
    gap = policy_gap(namespace)
    if gap is None:
        return ""
    count = ("none", "one")[gap.curators]
    lack = f"{NEEDS[Policy(namespace.policy)]}; {namespace} has {count}."
    if gap.is_blocked:
        return f"{lack} There are too few staff to decide instead: a curator has to be added."
    return f"{lack} Staff decides instead until a curator is added."


class GrantRole(ActionForm):
    """Grant a role to a user, replacing an earlier one."""

    slug = "grant"
    subject_type = NAMESPACE
    permission = Action.MANAGE_MEMBERS
    button = "Grant role"
    preposition = " in "
    consequence = "The new role replaces the user's current one. " + CONFIRMED
    user = NameField("Username")
    role = forms.ChoiceField(
        label="Role",
        choices=described(ROLE_DESCRIPTIONS),
        initial=Role.MEMBER,
        widget=forms.RadioSelect,
    )

    @classmethod
    def perform(cls, namespace: Namespace, *, user: str, role: str, actor: Actor) -> Outcome:
        with report_errors_at("/user"):
            account = users.find_user(user)
        return _grant(namespace, account, Role(role), actor=actor)


def _grant(
    namespace: Namespace, user: User, role: Role, *, actor: Actor, seen: str = ""
) -> Outcome:
    """Grant a role, or request it: then it waits for somebody else."""
    membership = members.grant_role(namespace, user, role, seen=seen, actor=actor)
    if membership is None:
        message = f"You requested that {user} becomes {role} of {namespace}. {WAITS}"
        return Outcome(message, status=202)
    others = directory.look_alike_members(namespace, user)
    done = f"{user} is now {role.with_article} of {namespace}."
    return Outcome(f"{done} {_look_alikes(others)}".strip(), membership)


def _look_alikes(members: Sequence[Membership]) -> str:
    """Return a warning about members whose names readers confuse with one; empty if none."""
    if not members:
        return ""
    names = ", ".join(f"{member.user} ({member.role})" for member in members)
    return f"The name looks like that of {names}: if you meant them, change it back."


class ChangeRole(ReplacingForm):
    """Change the role of a member."""

    slug = "role"
    subject_type = MEMBER
    permission = Action.MANAGE_MEMBERS
    button = "Change role"
    heading_format = "Change the role of {0.user} in {0.namespace}"
    consequence = CONFIRMED
    changes = ("role",)
    role = forms.ChoiceField(label="Role", choices=Role.choices)
    token = members.role_token

    @classmethod
    def perform(cls, member: Membership, *, role: str, seen: str, actor: Actor) -> Outcome:
        namespace = member.namespace
        outcome = _grant(namespace, member.user, Role(role), seen=seen, actor=actor)
        message = f"{outcome.message} {policy_warning(namespace)}".rstrip()
        return replace(outcome, message=message)


class RemoveMember(ActionForm):
    """Remove a member from a namespace."""

    slug = "revoke"
    subject_type = MEMBER
    permission = Action.MANAGE_MEMBERS
    button = "Remove member"
    heading_format = "Remove {0.user} from {0.namespace}"
    consequence = (
        "Their tokens lose access to this namespace immediately. The last owner cannot be removed."
    )
    removes_row = True

    @classmethod
    def perform(cls, member: Membership, *, actor: Actor) -> Outcome:
        namespace, user = member.namespace, member.user
        members.revoke_membership(namespace, user, actor=actor)
        message = f"{user} was removed from {namespace}. {policy_warning(namespace)}"
        return Outcome(message.rstrip())
