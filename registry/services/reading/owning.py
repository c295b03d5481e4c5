"""Who owns what: namespaces and their members, for everybody to read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, Q, Value, When

from registry.domain.errors import Code, Refused, echo
from registry.domain.near import nearest
from registry.domain.reference import COMPONENT
from registry.models import Membership, Namespace, Role, Tag
from registry.services.reading.pages import Page, page

RANKS = Role.values  # each includes those below it


@dataclass(frozen=True, slots=True)
class Owned:
    """A namespace, and how many tags there are in it."""

    namespace: Namespace
    tags: int


def namespaces(*, after: Sequence[Any] | None = None) -> Page[Owned]:
    """All by name. Two queries."""
    found = Namespace.objects.order_by("name")
    if after:
        found = found.filter(name__gt=after[0])
    shown = page(found, key=lambda namespace: [namespace.name])
    return Page(_counted(shown.rows), shown.following)


def namespace(name: str) -> Owned:
    """The namespace of a name. Two queries. Raises `Refused` (NAMESPACE_UNKNOWN), near names."""
    (found,) = _counted([named(name)])
    return found


def named(name: str) -> Namespace:
    """The namespace of a name. Raises `Refused` (NAMESPACE_UNKNOWN) with near names."""
    found = Namespace.objects.filter(name=name).first() if COMPONENT.fullmatch(name) else None
    if found is None:
        known = Namespace.objects.order_by("name").values_list("name", flat=True)
        raise Refused(
            Code.NAMESPACE_UNKNOWN,
            f"There is no namespace {echo(name) or '(empty)'}.",
            suggestions=nearest(name, known),
        )
    return found


def members(namespace: Namespace, *, after: Sequence[Any] | None = None) -> Page[Membership]:
    """Who is in a namespace, with an open account: owners first, then by name. One query."""
    order = Case(*(When(role=role, then=Value(at)) for at, role in enumerate(RANKS)))
    found = Membership.objects.filter(namespace=namespace, user__is_active=True)
    ranked = found.annotate(rank=order).select_related("user").order_by("rank", "user__username")
    if after:
        rank, username = after
        ranked = ranked.filter(Q(rank__gt=rank) | Q(rank=rank, user__username__gt=username))
    return page(ranked, key=lambda member: [RANKS.index(member.role), member.user.username])


def _counted(namespaces: Collection[Namespace]) -> tuple[Owned, ...]:
    tags = Tag.objects.filter(namespace__in=namespaces).order_by()
    counts = dict(tags.values_list("namespace").annotate(count=Count("pk")))
    return tuple(Owned(each, counts.get(each.pk, 0)) for each in namespaces)
