"""The migrations create the tables of the models."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from registry.models import Attribute, Entry
from registry.services.search import indexing
from tests.models.rows import own_models

pytestmark = pytest.mark.django_db


def test_models_need_no_further_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_all_migrations_apply_to_an_empty_database() -> None:
    """The test database was created by the migrations."""
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []


def test_tables_have_the_columns_of_the_models() -> None:
    with connection.cursor() as cursor:
        for model in own_models():
            described = connection.introspection.get_table_description(cursor, model._meta.db_table)
            columns = {field.column for field in model._meta.local_concrete_fields}
            assert {column.name for column in described} == columns


def test_migrating_completes_the_search_index() -> None:
    Entry.objects.all().delete()
    Attribute.objects.all().delete()
    call_command("migrate", verbosity=0)
    assert indexing.is_complete()
    assert Attribute.objects.filter(name="libc", text="musl").exists()
