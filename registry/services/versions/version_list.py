"""Lists versions and their withdrawals, for the admin."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from registry.models import KindRevision, Version, Withdrawal
from registry.models.versions import DOCUMENT_COLUMNS, documents_of
from registry.services.search.filters import names_containing

DIGEST = "sha256:"


def all_versions() -> QuerySet[Version]:
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


def with_status(rows: QuerySet[Version], status: str) -> QuerySet[Version]:
    """Return the versions that are yanked, or those that are not."""
    if status == "yanked":
        return rows.filter(pk__in=Withdrawal.objects.values("version"), last_yanked=True)
    return rows.exclude(
        Q(Exists(Withdrawal.objects.filter(version=OuterRef("pk")))) & Q(last_yanked=True)
    )


def versions_like(rows: QuerySet[Version], query: str) -> QuerySet[Version]:
    """Return the versions whose digest starts with a query, or whose tag's name contains it."""
    if not query.startswith(DIGEST):
        return rows.filter(tag__in=names_containing(query).values("tag"))
    return rows.filter(digest__gte=query, digest__lt=query + "g")  # "g" sorts after hex digits


def all_withdrawals() -> QuerySet[Withdrawal]:
    """Return all withdrawals with their versions."""
    rows = Withdrawal.objects.select_related("version__tag", "actor")
    return rows.defer(*documents_of("version"))


def withdrawals_of(version: Version) -> QuerySet[Withdrawal]:
    """Return the withdrawals of a version, latest first."""
    return all_withdrawals().filter(version=version).order_by("-sequence")
