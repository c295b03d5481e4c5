"""Finds namespaces by name."""

from __future__ import annotations

from registry.domain.errors import Code, Refused, echo
from registry.domain.names.near_names import nearest_names
from registry.models import Namespace
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from ttag_rules.names import COMPONENT

_by_name: PreparedQuery[Namespace] = PreparedQuery(
    lambda: Namespace.objects.filter(name__among=PLACEHOLDER)
)


def find_namespace(name: str) -> Namespace | None:
    """Return a namespace by name, or None. At most one query."""
    return next(iter(_by_name([name])), None) if COMPONENT.fullmatch(name) else None


def require_namespace(name: str) -> Namespace:
    """Return a namespace by name. One query, if it exists.

    Raises `Refused` (NAMESPACE_UNKNOWN) with similar names.
    """
    namespace = find_namespace(name)
    if namespace is None:
        names = Namespace.objects.order_by("name").values_list("name", flat=True)
        raise Refused(
            Code.NAMESPACE_UNKNOWN,
            f"There is no namespace {echo(name) or '(empty)'}.",
            suggestions=nearest_names(name, names),
        )
    return namespace
