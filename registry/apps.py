"""The application: what is done once, when it starts."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models.signals import post_migrate, pre_migrate

from registry import converters


class RegistryConfig(AppConfig):
    """The registry is one Django application."""

    name = "registry"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make the paths' types known; around every migrate, see to tables, triggers and index."""
        converters.register()
        pre_migrate.connect(refuse_unknown_schema, sender=self)
        post_migrate.connect(install_triggers, sender=self)
        post_migrate.connect(complete_index, sender=self)


class AdministratorsConfig(AdminConfig):
    """Django's admin, with the registry's own site."""

    default_site = "registry.admin.site.default_site"


def refuse_unknown_schema(**_: Any) -> None:
    """Raise `CommandError` before migrating a database that another release made."""
    from registry.models import unknown_schema

    if difference := unknown_schema.schema_difference(MigrationLoader(connection)):
        raise CommandError(
            f"Another release made this database ({difference}): run that release, or start with "
            "an empty database."
        )


def install_triggers(**_: Any) -> None:
    """Create the triggers that refuse to change what is published."""
    from registry.models import immutability

    immutability.install_triggers()


def complete_index(**_: Any) -> None:
    """Compute what search looks at where a migration has brought tables that hold nothing yet."""
    from registry.models import Entry
    from registry.services.search import indexing

    there = Entry._meta.db_table in connection.introspection.table_names()
    if there and not indexing.is_complete():
        indexing.rebuild_index()
