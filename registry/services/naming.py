"""Namespaces, their members, and aliases: the names under which tags are found."""

from __future__ import annotations

from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.names import fold
from registry.domain.reference import COMPONENT, Reference, Tag as TagName, alias_problem
from registry.models import Membership, Name, Namespace, Role, Tag, User
from registry.models.prepared import OPEN, Prepared
from registry.services import choosing, searching
from registry.services.writing import exclusive, record

MAX_NAMESPACE = 64  # characters, as the column has


_of_name: Prepared[Namespace] = Prepared(lambda: Namespace.objects.filter(name__among=OPEN))


def find_namespace(name: str) -> Namespace | None:
    """The namespace of a name, if there is one."""
    return next(iter(_of_name([name])), None)


_spelt: Prepared[Name] = Prepared(lambda: Name.objects.filter(text__among=OPEN))


def tag_named(name: TagName) -> Tag | None:
    """The tag that has a name, if there is one. Raises `Refused` (CONFLICT) for an alias."""
    known = next(iter(_spelt([str(name)])), None)
    if known and known.is_alias:
        raise Refused(
            Code.CONFLICT,
            f"{name} is an alias of {known.tag}; publish under that name.",
            suggestions=[known.tag.text],
        )
    return known.tag if known else None


def make_namespace(
    name: str, *, actor: User, title: str = "", description: str = "", url: str = ""
) -> Namespace:
    """Make a namespace. Raises `Refused`: REQUEST_INVALID for no component, CONFLICT if taken."""
    if not COMPONENT.fullmatch(name) or len(name) > MAX_NAMESPACE:
        message = f"{name!r} is no namespace"
        expected = "1 to 64 lower-case letters and digits, joined by '.', '_', '__' or '-'"
        refuse_all([Fault("/name", Code.REQUEST_INVALID, message, expected, name)])
    with exclusive():
        if Namespace.objects.filter(name=name).exists():
            raise Refused(Code.CONFLICT, f"The namespace {name} exists.")
        made = Namespace.objects.create(
            name=name, title=title or name, description=description, url=url
        )
        record("namespace.made", name, actor=actor, namespace=name)
    return made


def grant(namespace: Namespace, user: User, role: Role, *, actor: User) -> Membership:
    """Give a person a role in a namespace, in place of the one they have."""
    with exclusive():
        membership, _ = Membership.objects.update_or_create(
            namespace=namespace, user=user, defaults={"role": role}
        )
        record(
            "member.granted",
            namespace.name,
            actor=actor,
            namespace=namespace.name,
            user=user.username,
            role=role,
        )
    return membership


def point_alias(text: str, reference: Reference, *, actor: User) -> Name:
    """Make an alias of a tag, or of one of its versions, or point an alias elsewhere.

    Raises `Refused`: REFERENCE_INVALID for a spelling that no alias can have, NAMESPACE_UNKNOWN,
    CONFLICT over a tag's own name or onto an alias, and whatever the reference draws.
    """
    if problem := alias_problem(text):
        raise Refused(Code.REFERENCE_INVALID, f"{problem}.")
    with exclusive():
        namespace = find_namespace(text.partition("/")[0])
        if namespace is None:
            raise Refused(Code.NAMESPACE_UNKNOWN, f"{text} begins with no known namespace.")
        choice = choosing.one(reference)
        if choice.is_alias:
            raise Refused(
                Code.CONFLICT,
                f"{reference.text} is an alias itself; point at {choice.tag}.",
                suggestions=[choice.tag.text],
            )
        known = Name.objects.filter(text=text).first()
        if known and not known.is_alias:
            raise Refused(Code.CONFLICT, f"{text} is a tag; a name is never used twice.")
        numbers = (*reference.selector.numbers, None, None, None)[:3]
        selector = dict(zip(("major", "minor", "patch"), numbers, strict=True))
        name, made = Name.objects.update_or_create(
            text=text,
            defaults={
                "tag": choice.tag,
                "namespace": namespace,
                "is_alias": True,
                "folded": fold(text),
                "digest": reference.selector.digest,
                **selector,
            },
        )
        if made:
            searching.index(name)
        record("alias.pointed", text, actor=actor, namespace=namespace.name, to=str(reference))
    return name
