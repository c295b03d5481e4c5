"""Lists namespaces and their members."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Case, Count, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from registry.domain.errors import Code, Refused
from registry.domain.names.choices import check_choice, invalid_filter
from registry.domain.names.look_alikes import look_alike_key, look_alikes
from registry.models import Counted, Membership, Namespace, Role, Total, User
from registry.services.core.paging import Page, paginate
from registry.services.core.permission_rules import CURATORS
from registry.services.namespaces.lookup import require_namespace

MAX_KEY = 19  # digits of a 63-bit key
MAX_TEXT = 100  # characters of a search; each word is compared with three columns
RANKS = Role.values  # every role includes the ones after it


TAG_COUNT = Coalesce(
    Subquery(Total.objects.filter(counted=Counted.TAGS, name=OuterRef("name")).values("number")),
    0,
    output_field=IntegerField(),
)


class NamespaceOrder(StrEnum):
    """The orders of the list of namespaces."""

    NAME = "name"
    TAGS = "tags"  # most tags first


class Maintainer(StrEnum):
    """The maintainers of a namespace's tags."""

    MEMBERS = "members"
    REGISTRY = "registry"  # its staff, from public sources: nobody from the vendor takes part


@dataclass(frozen=True, slots=True)
class NamespaceSummary:
    """A namespace, its number of tags, and who maintains them."""

    namespace: Namespace
    tags: int
    kept_by: Maintainer


def all_namespaces() -> QuerySet[Namespace]:
    """Return all namespaces, annotated with `tag_count` and `member_count`."""
    members = Membership.objects.filter(namespace=OuterRef("pk")).order_by().values("namespace")
    return Namespace.objects.annotate(
        tag_count=TAG_COUNT,
        member_count=Coalesce(
            Subquery(members.annotate(count=Count("pk")).values("count")),
            0,
            output_field=IntegerField(),
        ),
    )


def list_namespaces(
    *,
    text: str = "",
    order: NamespaceOrder = NamespaceOrder.NAME,
    after: Sequence[Any] | None = None,
    limit: int | None = None,
) -> Page[NamespaceSummary]:
    """Return a page of namespaces: those with a text in their name, owner or description.

    By name, or those with most tags first. Three queries. Raises `Refused` (FILTER_INVALID) for a
    text of more than 100 characters.
    """
    if len(text) > MAX_TEXT:
        expected = f"at most {MAX_TEXT} characters"
        raise invalid_filter("the text is too long", expected, f"{len(text)} characters")
    namespaces = Namespace.objects.all()
    for word in text.split():
        has_word = Q(title__icontains=word) | Q(description__icontains=word)
        namespaces = namespaces.filter(has_word | Q(name__contains=word.lower()))
    if order is NamespaceOrder.TAGS:
        page = _most_tags_first(namespaces, after, limit)
    else:
        rest = namespaces.filter(name__gt=after[0]) if after else namespaces
        page = paginate(rest.order_by("name"), key=lambda row: [row.name], limit=limit)
    return Page(_summaries(page.rows), page.next_key)


def parse_order(text: str) -> NamespaceOrder:
    """Return an order by its name, the default one for an empty text.

    Raises `Refused` (FILTER_INVALID).
    """
    if text:
        check_choice("sort", text, NamespaceOrder)
    return NamespaceOrder(text or NamespaceOrder.NAME)


def _most_tags_first(
    namespaces: QuerySet[Namespace], after: Sequence[Any] | None, limit: int | None
) -> Page[Any]:
    rows = namespaces.annotate(tag_count=TAG_COUNT).order_by("-tag_count", "name")
    if after:
        count, name = after
        rows = rows.filter(Q(tag_count__lt=count) | Q(tag_count=count, name__gt=name))
    return paginate(rows, key=lambda row: [row.tag_count, row.name], limit=limit)


def namespace_summary(name: str) -> NamespaceSummary:
    """Return a namespace by name. Three queries.

    Raises `Refused` (NAMESPACE_UNKNOWN) with similar names.
    """
    (summary,) = _summaries([require_namespace(name)])
    return summary


def all_members() -> QuerySet[Membership]:
    """Return all memberships with their users and namespaces."""
    return Membership.objects.select_related("namespace", "user")


def members_of(namespace: Namespace) -> QuerySet[Membership]:
    """Return the memberships of a namespace, closed accounts included, by username."""
    return all_members().filter(namespace=namespace).order_by("user__username")


def list_members(
    namespace: Namespace, *, after: Sequence[Any] | None = None, limit: int | None = None
) -> Page[Membership]:
    """Return a page of a namespace's active members: owners first, then by name. One query."""
    order = Case(*(When(role=role, then=Value(rank)) for rank, role in enumerate(RANKS)))
    memberships = all_members().filter(namespace=namespace, user__is_active=True)
    ranked = memberships.annotate(rank=order).order_by("rank", "user__username")
    if after:
        rank, username = after
        ranked = ranked.filter(Q(rank__gt=rank) | Q(rank=rank, user__username__gt=username))
    return paginate(
        ranked, key=lambda member: [RANKS.index(member.role), member.user.username], limit=limit
    )


def find_member(namespace: Namespace, key: str) -> Membership:
    """Return a membership by its key in a form. Raises `Refused` (CONFLICT) if it has ended."""
    rows = all_members().filter(namespace=namespace)
    row = rows.filter(pk=int(key)).first() if key.isdecimal() and len(key) < MAX_KEY else None
    if row is None:
        raise Refused(Code.CONFLICT, f"That person is no longer a member of {namespace}.")
    return row


def look_alike_members(namespace: Namespace, user: User) -> tuple[Membership, ...]:
    """Return the other members whose names readers confuse with a user's. One query."""
    key = look_alike_key(user.username)
    others = members_of(namespace).filter(user__is_active=True).exclude(user=user)
    return tuple(member for member in others if look_alike_key(member.user.username) == key)


def look_alike_namespaces(name: str) -> tuple[str, ...]:
    """Return the namespaces that readers confuse with another name. One query."""
    names = Namespace.objects.exclude(name=name).values_list("name", flat=True)
    return look_alikes(name, names)


def curator_names(namespace: int, limit: int | None = None) -> tuple[str, ...]:
    """Return the curators and owners with open accounts, by name; all or the first. One query."""
    curators = Membership.objects.filter(
        namespace=namespace, role__in=CURATORS, user__is_active=True
    )
    names = curators.order_by("user__username").values_list("user__username", flat=True)
    return tuple(names[:limit])


def namespaces_of(user: User) -> tuple[str, ...]:
    """Return the names of the namespaces in which an account has a role. One query."""
    memberships = Membership.objects.filter(user=user).order_by("namespace__name")
    return tuple(memberships.values_list("namespace__name", flat=True))


def _summaries(namespaces: Collection[Namespace]) -> tuple[NamespaceSummary, ...]:
    tags = Total.objects.of(Counted.TAGS, [namespace.name for namespace in namespaces])
    members = Membership.objects.filter(namespace__in=namespaces, user__is_active=True)
    with_members = set(members.values_list("namespace", flat=True).distinct())
    return tuple(
        NamespaceSummary(
            namespace,
            tags.get(namespace.name, 0),
            Maintainer.MEMBERS if namespace.pk in with_members else Maintainer.REGISTRY,
        )
        for namespace in namespaces
    )
