"""Creates and describes namespaces, and sets their publishing policy."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain import user_text
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.reference import COMPONENT
from registry.models import Namespace, Policy
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.core.transactions import append_event, authorized_write

MAX_NAMESPACE = 64  # characters, the width of the column
MAX_TITLE = 120  # characters, the width of the column
MAX_DESCRIPTION = 500  # one sentence; the longest that ships has 73 characters
MAX_URL = 200  # characters, the width of the column


def create_namespace(
    name: str, *, actor: Actor | None, title: str = "", description: str = "", url: str = ""
) -> Namespace:
    """Create a namespace; the title defaults to the name.

    Raises `Refused`: REQUEST_INVALID if the name or a text is not valid, CONFLICT if the namespace
    exists.
    """
    permission = permissions.require(actor, Action.MAKE_NAMESPACE)
    faults = []
    if not COMPONENT.fullmatch(name) or len(name) > MAX_NAMESPACE:
        message = f"{echo(name)} is not a valid namespace"
        expected = "1 to 64 lower-case letters and digits, joined by '.', '_', '__' or '-'"
        faults.append(Fault("/name", Code.REQUEST_INVALID, message, expected, echo(name)))
    texts = _description(title or name, description, url)
    refuse_all([*faults, *_description_faults(texts)])
    with authorized_write(permission):
        if Namespace.objects.filter(name=name).exists():
            raise Refused(Code.CONFLICT, f"The namespace {name} already exists.")
        namespace = Namespace.objects.create(name=name, **texts)
        append_event("namespace.made", name, actor=permission.user, namespace=name, **texts)
    return namespace


def update_description(
    namespace: Namespace, *, title: str, description: str, url: str, actor: Actor | None
) -> Namespace:
    """Change the title, description and URL of a namespace; without a change, write nothing.

    Raises `Refused` (REQUEST_INVALID) with every invalid text.
    """
    permission = permissions.require(actor, Action.DESCRIBE_NAMESPACE, namespace)
    texts = _description(title, description, url)
    refuse_all(_description_faults(texts))
    with authorized_write(permission):
        current = Namespace.objects.get(pk=namespace.pk)
        before = {column: getattr(current, column) for column in texts}
        if texts != before:
            Namespace.objects.filter(pk=current.pk).update(**texts)
            append_event(
                "namespace.described",
                current.name,
                actor=permission.user,
                namespace=current.name,
                before=before,
                after=texts,
            )
    return Namespace.objects.get(pk=namespace.pk)


def set_policy(namespace: Namespace, policy: Policy, *, actor: Actor | None) -> Namespace:
    """Set the publishing policy of a namespace; without a change, write nothing.

    Open proposals are reviewed under the new policy.
    """
    permission = permissions.require(actor, Action.DESCRIBE_NAMESPACE, namespace)
    with authorized_write(permission):
        current = Namespace.objects.get(pk=namespace.pk)
        before = current.policy
        if policy != before:
            Namespace.objects.filter(pk=current.pk).update(policy=policy)
            append_event(
                "namespace.policy_set",
                current.name,
                actor=permission.user,
                namespace=current.name,
                before=before,
                after=str(policy),
            )
    return Namespace.objects.get(pk=namespace.pk)


def _description(title: str, description: str, url: str) -> dict[str, str]:
    texts = {"title": title, "description": description, "url": url}
    return {column: user_text.strip_text(text) for column, text in texts.items()}


def _description_faults(texts: dict[str, str]) -> Iterator[Fault]:
    yield from user_text.text_faults(
        texts["title"], "/title", max_length=MAX_TITLE, is_required=True
    )
    yield from user_text.text_faults(
        texts["description"], "/description", max_length=MAX_DESCRIPTION
    )
    if texts["url"]:
        yield from user_text.link_faults(texts["url"], "/url", max_length=MAX_URL)
