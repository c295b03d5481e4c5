"""Filters rows by the name of their namespace, account or tag, for the lists of the admin.

The owner is looked up by a scalar subquery instead of a join. `path` leads from a row to it.
"""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import Model, QuerySet, Subquery

from registry.models import Namespace, Tag, User

M = TypeVar("M", bound=Model)


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
    return rows.filter(**{path: Subquery(owner.order_by().values("pk")[:1])})
