"""What administrators look at: every table in rows, narrowed by what they ask for.

Querysets, lazily: Django's admin orders and pages them. Reading only.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar

from django.db.models import Count, Exists, IntegerField, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from registry.domain.reference import Reference
from registry.models import (
    Deprecation,
    Entry,
    Event,
    KindRevision,
    Membership,
    Name,
    Namespace,
    Tag,
    Token,
    User,
    Version,
    Withdrawal,
)
from registry.models.versions import DOCUMENT_COLUMNS
from registry.services.kinds import kinds
from registry.services.search import name_index
from registry.services.search.facets import MIXIN

M = TypeVar("M", bound=Model)

DIGEST = "sha256:"
MOST_MATCHES = 2_000  # names that a search looks further into
TOKEN_STATES = ("in force", "revoked", "expired", "owner closed")
POINTED = "alias.pointed"  # the event that says where an alias leads


def _counted(rows: QuerySet[Any], by: str) -> Coalesce:
    """How many of some rows belong to an outer row: asked for each row that is shown."""
    grouped = rows.filter(**{by: OuterRef("pk")}).order_by().values(by)
    count = grouped.annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(count, output_field=IntegerField()), 0)


def namespaces() -> QuerySet[Namespace]:
    """All, each with `tag_count` and `member_count`."""
    return Namespace.objects.annotate(
        tag_count=_counted(Tag.objects.all(), "namespace"),
        member_count=_counted(Membership.objects.all(), "namespace"),
    )


def members() -> QuerySet[Membership]:
    """All, with whom and where."""
    return Membership.objects.select_related("namespace", "user")


def members_of(namespace: Namespace) -> QuerySet[Membership]:
    """Those of a namespace, by name."""
    return members().filter(namespace=namespace).order_by("user__username")


def tags() -> QuerySet[Tag]:
    """All, with what the index knows of their newest versions."""
    heavy = (f"entry__version__{column}" for column in DOCUMENT_COLUMNS)
    return Tag.objects.select_related("namespace", "entry__version").defer(*heavy)


def tag(pk: str) -> Tag | None:
    """A tag by its key, with the last word on whether it is superseded."""
    found = Tag.objects.with_deprecation().select_related("namespace")
    return found.filter(pk=pk).first() if pk.isdecimal() else None


def aliases() -> QuerySet[Name]:
    """All, with the tags they lead to."""
    return Name.objects.filter(is_alias=True).select_related("tag")


def leads_to(alias: Name) -> str:
    """The reference that an alias stands for. Needs the tag loaded."""
    return str(Reference(alias.tag.text, alias.selector))


def aliases_of(tag: Tag) -> QuerySet[Name]:
    """Those that lead to a tag, by name."""
    return aliases().filter(tag=tag).order_by("text")


def pointed(alias: Name) -> list[tuple[Event, str]]:
    """Where an alias has led, the newest first: each event with the reference."""
    found = Event.objects.filter(
        namespace=alias.text.partition("/")[0], action=POINTED, subject=alias.text
    )
    events = found.select_related("actor").order_by("-number")
    return [(event, json.loads(event.detail)["to"]) for event in events]


def versions() -> QuerySet[Version]:
    """All, without what lists do not show, with whether they are yanked."""
    found = Version.objects.with_withdrawal().select_related("tag", "publisher")
    return found.defer(*DOCUMENT_COLUMNS)


def whole(pk: int) -> Version:
    """One version with everything."""
    return Version.objects.with_withdrawal().select_related("tag", "publisher", "author").get(pk=pk)


def revisions_of(version: Version) -> list[KindRevision]:
    """The kinds that a version was checked against, as they were."""
    checked = KindRevision.objects.filter(versions__version=version)
    return list(checked.select_related("kind").defer("source").order_by("kind__name"))


def withdrawals() -> QuerySet[Withdrawal]:
    """All, with the versions they are about."""
    heavy = (f"version__{column}" for column in DOCUMENT_COLUMNS)
    return Withdrawal.objects.select_related("version__tag", "actor").defer(*heavy)


def withdrawals_of(version: Version) -> QuerySet[Withdrawal]:
    """Those of a version, the last first."""
    return withdrawals().filter(version=version).order_by("-sequence")


def deprecations() -> QuerySet[Deprecation]:
    """All, with the tags they are about."""
    return Deprecation.objects.select_related("tag", "successor", "actor")


def deprecations_of(tag: Tag) -> QuerySet[Deprecation]:
    """Those of a tag, the last first."""
    return deprecations().filter(tag=tag).order_by("-sequence")


def tokens() -> QuerySet[Token]:
    """All, with whose they are; never their digests."""
    return Token.objects.select_related("owner").defer("digest")


def users() -> QuerySet[User]:
    """All accounts."""
    return User.objects.all()


# What lists are narrowed by.


def of_namespace(rows: QuerySet[M], name: str, path: str) -> QuerySet[M]:
    """Rows of a namespace, which is found at a path from them; none where there is no such."""
    return _of(rows, path, Namespace.objects.filter(name=name))


def of_user(rows: QuerySet[M], username: str, path: str) -> QuerySet[M]:
    """Rows of a person, who is found at a path from them."""
    return _of(rows, path, User.objects.filter(username=username))


def of_tag(rows: QuerySet[M], text: str, path: str) -> QuerySet[M]:
    """Rows of a tag, found by its own name."""
    return _of(rows, path, Tag.objects.filter(text=text))


def _of(rows: QuerySet[M], path: str, owner: QuerySet[Any]) -> QuerySet[M]:
    """By the owner's key, which is one value to the database, not a table to join."""
    return rows.filter(**{path: Subquery(owner.order_by().values("pk")[:1])})


def of_kind(rows: QuerySet[M], kind: str, path: str) -> QuerySet[M]:
    """Rows whose tag's entry, found at a path from them, is of a kind, or of none: a mixin."""
    named = {f"{path}__kind": "" if kind == MIXIN else kind}
    return rows.filter(**named, **{f"{path}__version__isnull": False})


def target_kinds() -> list[str]:
    """What tags can be, a mixin among it."""
    return [*sorted(kind.name for kind in kinds.current_kinds().kinds.targets.values()), MIXIN]


def yanked(rows: QuerySet[Version]) -> QuerySet[Version]:
    """Versions that are withdrawn, among those that ever were."""
    return rows.filter(pk__in=Withdrawal.objects.values("version"), last_yanked=True)


def active(rows: QuerySet[Version]) -> QuerySet[Version]:
    """Versions that are not withdrawn."""
    return rows.exclude(
        Q(Exists(Withdrawal.objects.filter(version=OuterRef("pk")))) & Q(last_yanked=True)
    )


def tokens_in(rows: QuerySet[Token], state: str) -> QuerySet[Token]:
    """Tokens that are in force, revoked, expired, or of a closed account."""
    has_expired = Q(expires__lte=timezone.now(), expires__isnull=False)
    match state:
        case "revoked":
            return rows.exclude(revoked=None)
        case "expired":
            return rows.filter(has_expired, revoked=None)
        case "owner closed":
            return rows.filter(revoked=None, owner__is_active=False).exclude(has_expired)
        case _:
            return rows.filter(revoked=None, owner__is_active=True).exclude(has_expired)


def token_state(token: Token) -> str:
    """One of `TOKEN_STATES`. Needs the owner loaded."""
    if token.revoked:
        return "revoked"
    if token.expires and token.expires <= timezone.now():
        return "expired"
    return "in force" if token.owner.is_active else "owner closed"


def tags_like(rows: QuerySet[Tag], query: str) -> QuerySet[Tag]:
    """Tags with a name, or an alias, that holds a query; forgiving, as search is."""
    return rows.filter(pk__in=_like(query, "tag"))


def aliases_like(rows: QuerySet[Name], query: str) -> QuerySet[Name]:
    """Aliases that hold a query."""
    return rows.filter(pk__in=_like(query, "pk"))


def versions_like(rows: QuerySet[Version], query: str) -> QuerySet[Version]:
    """Versions whose digest begins with a query, or of tags whose name holds it."""
    if not query.startswith(DIGEST):
        return rows.filter(tag__in=_like(query, "tag"))
    return rows.filter(digest__gte=query, digest__lt=query + "g")  # "g" is behind every digit


def _like(query: str, column: str) -> QuerySet[Name, Any]:
    return name_index.names_containing(query).values(column)[:MOST_MATCHES]


def entry_of(tag: Tag) -> Entry | None:
    """What the index knows of a tag; None while it is being computed anew."""
    return getattr(tag, "entry", None)
