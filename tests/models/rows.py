"""Rows for testing the database's constraints and triggers."""

from typing import Any, TypeVar

from django.apps import apps
from django.db import models

M = TypeVar("M", bound=models.Model)


def own_models() -> list[type[models.Model]]:
    """Return every model of the registry."""
    return list(apps.get_app_config("registry").get_models())


def another(model: type[M], **changes: Any) -> M:
    """Insert a copy of the first row of a table with some columns changed."""
    row = model._base_manager.order_by("pk")[0]
    if model._meta.pk.get_internal_type() == "BigAutoField":
        row.pk = None
    for column, value in changes.items():
        setattr(row, column, value)
    row.save(force_insert=True)
    return row
