"""Builds the querysets of the admin's lists, and their filters and searches.

Querysets are lazy: Django's admin orders and pages them.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar

from django.db.models import Count, Exists, IntegerField, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from registry.domain.reference import Reference
from registry.domain.search_terms import split_words
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
    TrustedPublisher,
    User,
    Version,
    Withdrawal,
)
from registry.models.versions import DOCUMENT_COLUMNS
from registry.services.kinds import kinds
from registry.services.search.facets import MIXIN
from registry.services.search.query_terms import MAX_WORDS

M = TypeVar("M", bound=Model)

DIGEST = "sha256:"
MAX_MATCHES = 2_000  # names that a search considers
TOKEN_STATES = ("in force", "revoked", "expired", "owner closed")
POINTED = "alias.pointed"  # the event action


def _count_related(rows: QuerySet[Any], by: str) -> Coalesce:
    """Return an annotation that counts the related rows of an outer row."""
    grouped = rows.filter(**{by: OuterRef("pk")}).order_by().values(by)
    count = grouped.annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(count, output_field=IntegerField()), 0)


def namespaces() -> QuerySet[Namespace]:
    """Return all namespaces, annotated with `tag_count` and `member_count`."""
    return Namespace.objects.annotate(
        tag_count=_count_related(Tag.objects.all(), "namespace"),
        member_count=_count_related(Membership.objects.all(), "namespace"),
    )


def members() -> QuerySet[Membership]:
    """Return all memberships with their users and namespaces."""
    return Membership.objects.select_related("namespace", "user")


def members_of(namespace: Namespace) -> QuerySet[Membership]:
    """Return the memberships of a namespace, by username."""
    return members().filter(namespace=namespace).order_by("user__username")


def tags() -> QuerySet[Tag]:
    """Return all tags with their search index entries and newest versions."""
    documents = (f"entry__version__{column}" for column in DOCUMENT_COLUMNS)
    return Tag.objects.select_related("namespace", "entry__version").defer(*documents)


def tag(pk: str) -> Tag | None:
    """Return a tag by its primary key, annotated with its deprecation, or None."""
    rows = Tag.objects.with_deprecation().select_related("namespace")
    return rows.filter(pk=pk).first() if pk.isdecimal() else None


def aliases() -> QuerySet[Name]:
    """Return all aliases with the tags that they point at."""
    return Name.objects.filter(is_alias=True).select_related("tag")


def alias_target(alias: Name) -> str:
    """Return the reference that an alias points at. Needs its tag loaded."""
    return str(Reference(alias.tag.text, alias.selector))


def aliases_of(tag: str) -> QuerySet[Name]:
    """Return the aliases that point at a tag, by name."""
    return aliases().filter(tag__text=tag).order_by("text")


def alias_history(alias: Name) -> list[tuple[Event, str]]:
    """Return the events that pointed an alias, with the references, newest first."""
    rows = Event.objects.filter(
        namespace=alias.text.partition("/")[0], action=POINTED, subject=alias.text
    )
    events = rows.select_related("actor").order_by("-number")
    return [(event, json.loads(event.detail)["to"]) for event in events]


def versions() -> QuerySet[Version]:
    """Return all versions without their documents, annotated with whether they are yanked."""
    rows = Version.objects.with_withdrawal().select_related("tag", "publisher")
    return rows.defer(*DOCUMENT_COLUMNS)


def load_version(pk: int) -> Version:
    """Return a version with all its columns."""
    return Version.objects.with_withdrawal().select_related("tag", "publisher", "author").get(pk=pk)


def revisions_of(version: Version) -> list[KindRevision]:
    """Return the kind revisions that a version was checked against, by kind."""
    revisions = KindRevision.objects.filter(versions__version=version)
    return list(revisions.select_related("kind").defer("source").order_by("kind__name"))


def withdrawals() -> QuerySet[Withdrawal]:
    """Return all withdrawals with their versions."""
    documents = (f"version__{column}" for column in DOCUMENT_COLUMNS)
    return Withdrawal.objects.select_related("version__tag", "actor").defer(*documents)


def withdrawals_of(version: Version) -> QuerySet[Withdrawal]:
    """Return the withdrawals of a version, latest first."""
    return withdrawals().filter(version=version).order_by("-sequence")


def deprecations() -> QuerySet[Deprecation]:
    """Return all deprecations with their tags."""
    return Deprecation.objects.select_related("tag", "successor", "actor")


def deprecations_of(tag: Tag) -> QuerySet[Deprecation]:
    """Return the deprecations of a tag, latest first."""
    return deprecations().filter(tag=tag).order_by("-sequence")


def tokens() -> QuerySet[Token]:
    """Return all tokens with their owners, without digests."""
    return Token.objects.select_related("owner").defer("digest")


def trusted_publishers() -> QuerySet[TrustedPublisher]:
    """Return all trusted publishers with their namespaces and registrars."""
    return TrustedPublisher.objects.select_related("namespace", "registrar")


def users() -> QuerySet[User]:
    """Return all accounts of the registry."""
    return User.objects.all()


# Filters. `path` is the lookup from a row to the related object.


def of_namespace(rows: QuerySet[M], name: str, path: str) -> QuerySet[M]:
    """Return the rows of a namespace; none if it does not exist."""
    return _owned_by(rows, path, Namespace.objects.filter(name=name))


def of_user(rows: QuerySet[M], username: str, path: str) -> QuerySet[M]:
    """Return the rows of an account."""
    return _owned_by(rows, path, User.objects.filter(username=username))


def of_tag(rows: QuerySet[M], text: str, path: str) -> QuerySet[M]:
    """Return the rows of a tag."""
    return _owned_by(rows, path, Tag.objects.filter(text=text))


def _owned_by(rows: QuerySet[M], path: str, owner: QuerySet[Any]) -> QuerySet[M]:
    """Return the rows of an owner, selected by a scalar subquery instead of a join."""
    return rows.filter(**{path: Subquery(owner.order_by().values("pk")[:1])})


def of_kind(rows: QuerySet[M], kind: str, path: str) -> QuerySet[M]:
    """Return the rows whose entry has a kind, or is a mixin."""
    value = "" if kind == MIXIN else kind
    return rows.filter(**{f"{path}__kind": value, f"{path}__version__isnull": False})


def target_kinds() -> list[str]:
    """Return the kinds of targets, and `mixin`."""
    return [*sorted(kind.name for kind in kinds.current_kinds().kinds.targets.values()), MIXIN]


def yanked(rows: QuerySet[Version]) -> QuerySet[Version]:
    """Return the versions that are yanked."""
    return rows.filter(pk__in=Withdrawal.objects.values("version"), last_yanked=True)


def active(rows: QuerySet[Version]) -> QuerySet[Version]:
    """Return the versions that are not yanked."""
    return rows.exclude(
        Q(Exists(Withdrawal.objects.filter(version=OuterRef("pk")))) & Q(last_yanked=True)
    )


def tokens_in(rows: QuerySet[Token], state: str) -> QuerySet[Token]:
    """Return the tokens in one of `TOKEN_STATES`."""
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
    """Return a token's state, one of `TOKEN_STATES`. Needs its owner loaded."""
    if token.revoked:
        return "revoked"
    if token.expires and token.expires <= timezone.now():
        return "expired"
    return "in force" if token.owner.is_active else "owner closed"


def tags_like(rows: QuerySet[Tag], query: str) -> QuerySet[Tag]:
    """Return the tags whose name or alias contains a query, folded as in search."""
    return rows.filter(pk__in=_matches(query, "tag"))


def aliases_like(rows: QuerySet[Name], query: str) -> QuerySet[Name]:
    """Return the aliases that contain a query."""
    return rows.filter(pk__in=_matches(query, "pk"))


def versions_like(rows: QuerySet[Version], query: str) -> QuerySet[Version]:
    """Return the versions whose digest starts with a query, or whose tag's name contains it."""
    if not query.startswith(DIGEST):
        return rows.filter(tag__in=_matches(query, "tag"))
    return rows.filter(digest__gte=query, digest__lt=query + "g")  # "g" sorts after hex digits


def _matches(query: str, column: str) -> QuerySet[Name, Any]:
    """Return a column of the names that contain every word of a query; reads all names."""
    words = split_words(query)[:MAX_WORDS]
    names = Name.objects.all() if words else Name.objects.none()
    for word in words:
        names = names.filter(folded__contains=word)
    return names.values(column)[:MAX_MATCHES]


def entry_of(tag: Tag) -> Entry | None:
    """Return the search index entry of a tag, or None while the index is rebuilt."""
    return getattr(tag, "entry", None)
