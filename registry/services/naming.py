"""Namespaces, their members, and aliases: the names under which tags are found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from registry.domain import prose
from registry.domain.errors import Code, Fault, Refused, at, echo, refuse_all
from registry.domain.names import fold
from registry.domain.reference import COMPONENT, Reference, Tag as TagName, alias_problem
from registry.models import Membership, Name, Namespace, Policy, Role, Tag, User
from registry.models.prepared import OPEN, Prepared
from registry.services import choosing, library, permissions
from registry.services.choosing import Choice
from registry.services.namespace_lookup import known_namespace
from registry.services.permissions import Action, Actor
from registry.services.search import spelling
from registry.services.writing import authorized_write, record

MAX_NAMESPACE = 64  # characters, as the column has
MAX_TITLE = 120  # characters, as the column has
MAX_DESCRIPTION = 500  # one sentence; the longest that ships has 73 characters
MAX_URL = 200  # characters, as the column has


_spelt: Prepared[Name] = Prepared(lambda: Name.objects.filter(text__among=OPEN))


def tag_named(name: TagName | Reference) -> Tag | None:
    """The tag that has a name, if there is one. A reference's selector does not matter.

    Raises `Refused` (CONFLICT) for an alias: nothing is written through one.
    """
    text = name.text if isinstance(name, Reference) else str(name)
    known = next(iter(_spelt([text])), None)
    if known and known.is_alias:
        raise Refused(
            Code.CONFLICT,
            f"{text} is an alias of {known.tag}, and nothing is written through an alias: "
            "write to the tag itself.",
            suggestions=[known.tag.text],
        )
    return known.tag if known else None


def make_namespace(
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
        record("namespace.made", name, actor=permission.user, namespace=name, **said)
    return made


def describe_namespace(
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
            record(
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
            record(
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
    return {column: prose.tidy(text) for column, text in texts.items()}


def _description_faults(said: dict[str, str]) -> Iterator[Fault]:
    yield from prose.faults(said["title"], "/title", most=MAX_TITLE, needed=True)
    yield from prose.faults(said["description"], "/description", most=MAX_DESCRIPTION)
    if said["url"]:
        yield from prose.link_faults(said["url"], "/url", most=MAX_URL)


def grant(namespace: Namespace, user: User, role: Role, *, actor: Actor | None) -> Membership:
    """Give a person a role in a namespace, in place of the one they have.

    Nothing is written where they have it. Raises `Refused` (CONFLICT) where the last owner would
    be none any more.
    """
    permission = permissions.require(actor, Action.MANAGE_MEMBERS, namespace)
    with authorized_write(permission):
        held = Membership.objects.filter(namespace=namespace, user=user).first()
        if held and held.role == role:
            return held
        before = held.role if held else None
        if held:
            _refuse_ownerless(held)
        membership, _ = Membership.objects.update_or_create(
            namespace=namespace, user=user, defaults={"role": role}
        )
        record(
            "member.granted",
            namespace.name,
            actor=permission.user,
            namespace=namespace.name,
            user=user.username,
            role=role,
            before=before,
        )
    return membership


def revoke_membership(namespace: Namespace, user: User, *, actor: Actor | None) -> None:
    """Take a person's role in a namespace away.

    Raises `Refused` (CONFLICT) for who is no member, and for the last owner.
    """
    permission = permissions.require(actor, Action.MANAGE_MEMBERS, namespace)
    with authorized_write(permission):
        members = Membership.objects.select_related("namespace", "user")
        held = members.filter(namespace=namespace, user=user).first()
        if held is None:
            raise Refused(Code.CONFLICT, f"{user.username} is no member of {namespace.name}.")
        end_membership(held, user, by=permission.user)


def end_membership(held: Membership, user: User, *, by: User) -> None:
    """Take the role of a user away, who is logged under the name that they have here.

    Call inside `authorized_write`. Raises `Refused` (CONFLICT) for the last owner.
    """
    _refuse_ownerless(held)
    held.delete()
    record(
        "member.revoked",
        held.namespace.name,
        actor=by,
        namespace=held.namespace.name,
        user=user.username,
        before=held.role,
    )


def _refuse_ownerless(held: Membership) -> None:
    """Without an owner whose account is open only staff could look after a namespace."""
    owners = Membership.objects.filter(namespace=held.namespace_id, role=Role.OWNER)
    others = owners.filter(user__is_active=True).exclude(pk=held.pk)
    if held.role == Role.OWNER and not others.exists():
        raise Refused(
            Code.CONFLICT,
            f"{held.user.username} is the last owner of {held.namespace.name}: "
            "make somebody else an owner first.",
        )


@dataclass(frozen=True, slots=True)
class Alias:
    """An alias as it stands now, and whether it did not stand before."""

    name: Name
    is_new: bool

    @property
    def reference(self) -> Reference:
        """What it stands for: a tag, or a version of it."""
        return _meaning(self.name)


def _meaning(alias: Name) -> Reference:
    return Reference(alias.tag.text, alias.selector)


def point_alias(
    text: str, reference: Reference, *, actor: Actor | None, expected: str | None = None
) -> Alias:
    """Make an alias of a tag, or of one of its versions, or point an alias elsewhere.

    `expected` is the reference that it must stand for so far, empty where there must be none yet;
    None asks for nothing. Nothing is written where it stands for the reference already.

    Raises `Refused`: REFERENCE_INVALID for a spelling that no alias can have, NAMESPACE_UNKNOWN,
    PRECONDITION_FAILED, CONFLICT over a tag's own name or onto an alias, CYCLE where a tag that
    refers to the alias would be made from itself, and whatever the reference draws.
    """
    permission = permissions.require(actor, Action.POINT_ALIAS, Reference(text))
    if problem := alias_problem(text):
        raise Refused(Code.REFERENCE_INVALID, f"{problem}.")
    with authorized_write(permission):
        namespace = known_namespace(text.partition("/")[0])
        known = Name.objects.select_related("tag").filter(text=text).first()
        if known and not known.is_alias:
            raise Refused(Code.CONFLICT, f"{text} is a tag; a name is never used twice.")
        was = str(_meaning(known)) if known else ""
        if expected not in (None, was):
            raise Refused(
                Code.PRECONDITION_FAILED,
                f"You expected {text} to {_stand_for(expected)}; it does {_stand_for(was)}.",
            )
        choice = _pointed_at(reference)
        if was == str(reference) and known:
            return Alias(known, is_new=False)
        if known and library.would_circle(known, choice.tag, reference.selector):
            raise Refused(
                Code.CYCLE,
                f"A tag that refers to {text} would be made from itself if it stood for "
                f"{reference}.",
            )
        alias = _written(known or Name(text=text, namespace=namespace), choice, reference)
        record(
            "alias.pointed",
            text,
            actor=permission.user,
            namespace=namespace.name,
            to=str(reference),
            was=was or None,
        )
    return Alias(alias, is_new=known is None)


def _pointed_at(reference: Reference) -> Choice:
    """What a reference leads to, where an alias may stand for it."""
    with at("/reference"):
        choice = choosing.one(reference)
        if choice.is_alias:
            raise Refused(
                Code.CONFLICT,
                f"{reference.text} is an alias itself; point at {choice.tag}.",
                suggestions=[choice.tag.text],
            )
    return choice


def _written(alias: Name, choice: Choice, reference: Reference) -> Name:
    is_new = alias.pk is None
    alias.tag = choice.tag
    alias.major, alias.minor, alias.patch = (*reference.selector.numbers, None, None, None)[:3]
    alias.digest = reference.selector.digest
    alias.is_alias, alias.folded = True, fold(alias.text)
    alias.save()
    if is_new:
        spelling.index(alias)
    return alias


def _stand_for(reference: str | None) -> str:
    return f"stand for {reference}" if reference else "stand for nothing"
