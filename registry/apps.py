"""The Django application, and the hooks that run at start and around `migrate`."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models.signals import post_migrate, pre_migrate

from registry.http import path_converters


class RegistryConfig(AppConfig):
    """The registry's only Django application."""

    name = "registry"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the path converters and the hooks around `migrate`."""
        path_converters.register()
        pre_migrate.connect(refuse_unknown_schema, sender=self)
        post_migrate.connect(install_triggers, sender=self)
        post_migrate.connect(complete_index, sender=self)
        post_migrate.connect(complete_log, sender=self)


class AdministratorsConfig(AdminConfig):
    """Django's admin, with the registry's own site."""

    default_site = "registry.admin.site.default_site"


def refuse_unknown_schema(**_: Any) -> None:
    """Raise `CommandError` if another release created the database."""
    from registry.models import unknown_schema

    if difference := unknown_schema.schema_difference(MigrationLoader(connection)):
        raise CommandError(
            f"Another release created this database ({difference}): run that release, or start "
            "with an empty database."
        )


def install_triggers(**_: Any) -> None:
    """Create the triggers that protect published rows, and those that advance the revision."""
    from registry.models import triggers

    triggers.install()


def complete_index(**_: Any) -> None:
    """Build the search index if its tables exist and are incomplete."""
    from registry.models import Entry
    from registry.services.search import indexing

    has_table = Entry._meta.db_table in connection.introspection.table_names()
    if has_table and not indexing.is_complete():
        indexing.rebuild_index()


def complete_log(**_: Any) -> None:
    """Let the tree of the log cover the events of release 0.1, if its tables exist."""
    from registry.models import LogRange
    from registry.services.operations import log_backfill

    if LogRange._meta.db_table in connection.introspection.table_names():
        log_backfill.backfill()
