"""Who owns what: namespaces and their members, for everybody to read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, Q, Value, When

from registry.domain.errors import Code, Refused
from registry.models import Membership, Namespace, Role, Tag, User
from registry.services.core.paging import Page, paginate
from registry.services.namespaces.lookup import known_namespace

MAX_KEY = 19  # digits: a key fits into 63 bits
RANKS = Role.values  # each includes those below it


@dataclass(frozen=True, slots=True)
class NamespaceSummary:
    """A namespace, and how many tags there are in it."""

    namespace: Namespace
    tags: int


def list_namespaces(*, after: Sequence[Any] | None = None) -> Page[NamespaceSummary]:
    """All by name. Two queries."""
    found = Namespace.objects.order_by("name")
    if after:
        found = found.filter(name__gt=after[0])
    shown = paginate(found, key=lambda namespace: [namespace.name])
    return Page(_counted(shown.rows), shown.following)


def namespace_summary(name: str) -> NamespaceSummary:
    """The namespace of a name. Two queries. Raises `Refused` (NAMESPACE_UNKNOWN), near names."""
    (found,) = _counted([known_namespace(name)])
    return found


def list_members(namespace: Namespace, *, after: Sequence[Any] | None = None) -> Page[Membership]:
    """Who is in a namespace, with an open account: owners first, then by name. One query."""
    order = Case(*(When(role=role, then=Value(at)) for at, role in enumerate(RANKS)))
    found = Membership.objects.filter(namespace=namespace, user__is_active=True)
    ranked = found.annotate(rank=order).select_related("user", "namespace")
    ranked = ranked.order_by("rank", "user__username")
    if after:
        rank, username = after
        ranked = ranked.filter(Q(rank__gt=rank) | Q(rank=rank, user__username__gt=username))
    return paginate(ranked, key=lambda member: [RANKS.index(member.role), member.user.username])


def find_member(namespace: Namespace, key: str) -> Membership:
    """A membership by the key that a form holds. Raises `Refused` (CONFLICT) where it is gone."""
    found = Membership.objects.select_related("user", "namespace").filter(namespace=namespace)
    row = found.filter(pk=int(key)).first() if key.isdecimal() and len(key) < MAX_KEY else None
    if row is None:
        raise Refused(Code.CONFLICT, f"That person is no member of {namespace} any more.")
    return row


def namespaces_of(user: User) -> tuple[str, ...]:
    """The names of the namespaces that somebody has a role in. One query."""
    found = Membership.objects.filter(user=user).order_by("namespace__name")
    return tuple(found.values_list("namespace__name", flat=True))


def _counted(namespaces: Collection[Namespace]) -> tuple[NamespaceSummary, ...]:
    tags = Tag.objects.filter(namespace__in=namespaces).order_by()
    counts = dict(tags.values_list("namespace").annotate(count=Count("pk")))
    return tuple(NamespaceSummary(each, counts.get(each.pk, 0)) for each in namespaces)
