"""Model fields that behave the same on every database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from ttag_rules.names import MAX_TAG

if TYPE_CHECKING:  # Django's class is generic in its stubs only
    TextField = models.CharField[str, str]
else:
    TextField = models.CharField


class BytewiseField(TextField):
    """Text that is sorted and compared by bytes: SQLite's default, collation C on PostgreSQL."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", MAX_TAG)
        super().__init__(*args, **kwargs)

    def db_parameters(self, connection: BaseDatabaseWrapper) -> Any:
        """Add the collation where the database's default depends on a language."""
        parameters: Any = super().db_parameters(connection)
        if connection.vendor == "postgresql":
            parameters["collation"] = "C"
        return parameters
