"""Statements that the triggers must reject."""

from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction

from registry.models.immutability import APPEND_ONLY, NEVER_DELETED
from tests.models.rows import own_models

PROTECTED = (*APPEND_ONLY, *NEVER_DELETED)

COLUMNS = [
    (model, field.column)
    for model in APPEND_ONLY
    for field in apps.get_model("registry", model)._meta.local_concrete_fields
]


def model_of(name: str) -> type[models.Model]:
    return next(model for model in own_models() if model.__name__ == name)


def table(name: str) -> str:
    return model_of(name)._meta.db_table


def columns(name: str) -> list[str]:
    """Return the table's columns, the primary key first."""
    return [str(field.column) for field in model_of(name)._meta.local_concrete_fields]


def first_key(name: str) -> Any:
    return model_of(name)._base_manager.order_by("pk").values_list("pk", flat=True)[0]


def execute(statement: str, *parameters: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)


def assert_refused(statement: str, *parameters: Any) -> None:
    """Check that a trigger, and nothing else, rejects a statement."""
    refused = pytest.raises(IntegrityError, match="published rows cannot be changed")
    with refused, transaction.atomic():
        execute(statement, *parameters)
