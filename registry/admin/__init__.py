"""The Django admin: read-only tables, with actions that call services.

Nothing is queried or written here. Importing the package registers its tables.
"""

from registry.admin import (  # noqa: F401 - registers the tables
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
)
