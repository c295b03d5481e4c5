"""Creates and describes namespaces, and sets their publishing policy."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain import user_text
from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.names import namespace_names
from registry.models import ChangeKind, Namespace, PendingChange, Policy, User
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.state_tokens import refuse_changed, state_token
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import append_event
from registry.services.namespaces import four_eyes

MAX_TITLE = 120  # characters, the width of the column
MAX_DESCRIPTION = 500  # one sentence; those that ship have less than 100
MAX_URL = 200  # characters, the width of the column


def create_namespace(
    name: str, *, actor: Actor | None, title: str = "", description: str = "", url: str = ""
) -> Namespace:
    """Create a namespace; the title defaults to the name.

    Raises `Refused`: REQUEST_INVALID if the name or a text is not valid, CONFLICT if the namespace
    exists.
    """
    permission = permissions.require(actor, Action.MAKE_NAMESPACE)
    texts = _description(title or name, description, url)
    refuse_all([*namespace_names.form_faults(name), *_description_faults(texts)])
    with authorized_write(permission):
        if Namespace.objects.filter(name=name).exists():
            raise Refused(Code.CONFLICT, f"The namespace {name} already exists.")
        namespace = Namespace.objects.create(name=name, **texts)
        append_event("namespace.made", name, actor=permission.user, **texts)
    return namespace


def description_token(namespace: Namespace) -> str:
    """Return what tells whether the description of a namespace has changed."""
    return state_token([namespace.title, namespace.description, namespace.url])


def update_description(
    namespace: Namespace,
    *,
    title: str,
    description: str,
    url: str,
    actor: Actor | None,
    seen: str = "",
) -> Namespace:
    """Change the title, description and URL of a namespace; without a change, write nothing.

    Raises `Refused`: REQUEST_INVALID with every invalid text, PRECONDITION_FAILED unless `seen`, if
    stated, is the token of the description as it is.
    """
    permission = permissions.require(actor, Action.DESCRIBE_NAMESPACE, namespace)
    texts = _description(title, description, url)
    refuse_all(_description_faults(texts))
    with authorized_write(permission):
        current = Namespace.objects.get(pk=namespace.pk)
        texts_now = filter(None, [current.title, current.description, current.url])
        now = ", ".join(text.rstrip(".") for text in texts_now)
        refuse_changed(
            seen,
            description_token(current),
            f"Somebody has changed the description of {current} meanwhile. It is: {now}. "
            "Submit the form again to replace that.",
        )
        before = {column: getattr(current, column) for column in texts}
        if texts != before:
            Namespace.objects.filter(pk=current.pk).update(**texts)
            append_event(
                "namespace.described",
                current.name,
                actor=permission.user,
                before=before,
                after=texts,
            )
    return Namespace.objects.get(pk=namespace.pk)


def policy_token(namespace: Namespace) -> str:
    """Return what tells whether the policy of a namespace has changed."""
    return state_token([namespace.policy])


def set_policy(
    namespace: Namespace, policy: Policy, *, actor: Actor | None, seen: str = ""
) -> Namespace:
    """Set the publishing policy of a namespace; without a change, write nothing.

    Open proposals are reviewed under the new policy. Leaving four-eyes is requested first: the
    policy stays until somebody else confirms it. Raises `Refused`: CONFLICT if four-eyes would
    have fewer than two curators, PRECONDITION_FAILED unless `seen`, if stated, is the token of the
    policy as it is.
    """
    permission = permissions.require(actor, Action.DESCRIBE_NAMESPACE, namespace)
    with authorized_write(permission):
        current = Namespace.objects.get(pk=namespace.pk)
        change = PendingChange(
            namespace=current,
            kind=ChangeKind.POLICY,
            subject=current.name,
            before=current.policy,
            after=str(policy),
        )
        if policy == current.policy:
            return current
        # Decision 200: a policy replaces the one that its form showed.
        refuse_changed(
            seen,
            policy_token(current),
            f"Somebody has changed the policy of {current} meanwhile. It is: {current.policy}. "
            "Submit the form again to replace that.",
        )
        if policy == Policy.FOUR_EYES:
            four_eyes.refuse_alone(current)
        requester = None
        if four_eyes.needs_confirmation(current, permission.actor):
            requester = four_eyes.request_or_confirm(change, permission)
            if requester is None:
                return current
        _store_policy(change, permission.user, requester)
    return Namespace.objects.get(pk=namespace.pk)


def confirm_policy(number: int, *, actor: Actor | None) -> Namespace:
    """Set a policy that somebody else has requested, as a curator, an owner or staff.

    Raises `Refused`: FORBIDDEN for the requester, CONFLICT if the change is no longer pending, or
    its requester may no longer request it.
    """
    namespace = four_eyes.find_pending(number).namespace
    permission = permissions.require(actor, Action.REVIEW, namespace)
    with authorized_write(permission):
        change = four_eyes.find_pending(number)
        four_eyes.require_confirmable(change, permission.user)
        if change.before != change.namespace.policy:
            raise Refused(Code.CONFLICT, f"The policy of {namespace} has changed meanwhile.")
        requester = four_eyes.take_confirmed(change, permission.user)
        _store_policy(change, permission.user, requester)
    return Namespace.objects.get(pk=namespace.pk)


def _store_policy(change: PendingChange, user: User, requester: User | None) -> None:
    namespace = change.namespace
    Namespace.objects.filter(pk=namespace.pk).update(policy=change.after)
    PendingChange.objects.filter(namespace=namespace).delete()  # the others can be made now
    requested = {"requested_by": requester.username} if requester else {}
    append_event(
        "namespace.policy_set",
        namespace.name,
        actor=user,
        before=change.before,
        after=change.after,
        **requested,
    )


def _description(title: str, description: str, url: str) -> dict[str, str]:
    texts = {"title": title, "description": description, "url": url}
    return {column: user_text.normalize_text(text) for column, text in texts.items()}


def _description_faults(texts: dict[str, str]) -> Iterator[Fault]:
    yield from user_text.text_faults(
        texts["title"], "/title", max_length=MAX_TITLE, is_required=True
    )
    yield from user_text.text_faults(
        texts["description"], "/description", max_length=MAX_DESCRIPTION
    )
    if texts["url"]:
        yield from user_text.link_faults(texts["url"], "/url", max_length=MAX_URL)
