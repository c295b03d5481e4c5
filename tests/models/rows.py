"""Rows to try the database's constraints and triggers on."""

from typing import Any, TypeVar

from django.apps import apps
from django.db import models

M = TypeVar("M", bound=models.Model)


def own_models() -> list[type[models.Model]]:
    """Every model of the registry."""
    return list(apps.get_app_config("registry").get_models())


def another(model: type[M], **changes: Any) -> M:
    """A copy of the first row of a table with some columns changed: inserted, whatever there is."""
    row = model._base_manager.order_by("pk")[0]
    if model._meta.pk.get_internal_type() == "BigAutoField":
        row.pk = None
    for column, value in changes.items():
        setattr(row, column, value)
    row.save(force_insert=True)
    return row
