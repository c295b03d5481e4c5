"""The Django admin: read-only tables, with actions that call services.

Nothing is queried or written here. Importing the package registers its tables.
"""

from registry.admin import (
    aliases,
    events,
    kinds,
    namespace_requests,
    namespaces,
    proposals,
    tags,
    tokens,
    trusted_publishers,
    users,
    versions,
    withdrawals,
)

__all__ = [
    "aliases",
    "events",
    "kinds",
    "namespace_requests",
    "namespaces",
    "proposals",
    "tags",
    "tokens",
    "trusted_publishers",
    "users",
    "versions",
    "withdrawals",
]
