"""Namespaces: creating them, describing them, and choosing who publishes in them."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain import user_text
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.reference import COMPONENT
from registry.models import Namespace, Policy
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.core.transactions import append_event, authorized_write

MAX_NAMESPACE = 64  # characters, as the column has
MAX_TITLE = 120  # characters, as the column has
MAX_DESCRIPTION = 500  # one sentence; the longest that ships has 73 characters
MAX_URL = 200  # characters, as the column has


def create_namespace(
    name: str, *, actor: Actor | None, title: str = "", description: str = "", url: str = ""
) -> Namespace:
    """Make a namespace; without a title its name is one.

    Raises `Refused`: REQUEST_INVALID for no component and texts that cannot stand, CONFLICT if
    taken.
    """
    permission = permissions.require(actor, Action.MAKE_NAMESPACE)
    faults = []
    if not COMPONENT.fullmatch(name) or len(name) > MAX_NAMESPACE:
        message = f"{echo(name)} is no namespace"
        expected = "1 to 64 lower-case letters and digits, joined by '.', '_', '__' or '-'"
        faults.append(Fault("/name", Code.REQUEST_INVALID, message, expected, echo(name)))
    said = _description(title or name, description, url)
    refuse_all([*faults, *_description_faults(said)])
    with authorized_write(permission):
        if Namespace.objects.filter(name=name).exists():
            raise Refused(Code.CONFLICT, f"The namespace {name} exists.")
        made = Namespace.objects.create(name=name, **said)
        append_event("namespace.made", name, actor=permission.user, namespace=name, **said)
    return made


def update_description(
    namespace: Namespace, *, title: str, description: str, url: str, actor: Actor | None
) -> Namespace:
    """Say anew what people read of a namespace; nothing is written where nothing changes.

    Raises `Refused` (REQUEST_INVALID) with every text that cannot stand.
    """
    permission = permissions.require(actor, Action.DESCRIBE_NAMESPACE, namespace)
    said = _description(title, description, url)
    refuse_all(_description_faults(said))
    with authorized_write(permission):
        held = Namespace.objects.get(pk=namespace.pk)
        before = {column: getattr(held, column) for column in said}
        if said != before:
            Namespace.objects.filter(pk=held.pk).update(**said)
            append_event(
                "namespace.described",
                held.name,
                actor=permission.user,
                namespace=held.name,
                before=before,
                after=said,
            )
    return Namespace.objects.get(pk=namespace.pk)


def set_policy(namespace: Namespace, policy: Policy, *, actor: Actor | None) -> Namespace:
    """Say who publishes in a namespace; nothing is written where nothing changes.

    What is proposed already is decided on under the new policy.
    """
    permission = permissions.require(actor, Action.DESCRIBE_NAMESPACE, namespace)
    with authorized_write(permission):
        held = Namespace.objects.get(pk=namespace.pk)
        before = held.policy
        if policy != before:
            Namespace.objects.filter(pk=held.pk).update(policy=policy)
            append_event(
                "namespace.policy_set",
                held.name,
                actor=permission.user,
                namespace=held.name,
                before=before,
                after=str(policy),
            )
    return Namespace.objects.get(pk=namespace.pk)


def _description(title: str, description: str, url: str) -> dict[str, str]:
    texts = {"title": title, "description": description, "url": url}
    return {column: user_text.strip_text(text) for column, text in texts.items()}


def _description_faults(said: dict[str, str]) -> Iterator[Fault]:
    yield from user_text.text_faults(said["title"], "/title", most=MAX_TITLE, needed=True)
    yield from user_text.text_faults(said["description"], "/description", most=MAX_DESCRIPTION)
    if said["url"]:
        yield from user_text.link_faults(said["url"], "/url", most=MAX_URL)
