"""The Django application, and the hooks that run at start and around `migrate`."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig
from django.db import connection
from django.db.models.signals import post_migrate, pre_migrate

from registry.database import release_check
from registry.http import path_converters


class RegistryConfig(AppConfig):
    """The registry's only Django application."""

    name = "registry"

    def ready(self) -> None:
        """Register the path converters and the hooks around `migrate`."""
        path_converters.register()
        pre_migrate.connect(prepare_database, sender=self)
        post_migrate.connect(complete_database, sender=self)


class AdministratorsConfig(SimpleAdminConfig):
    """Django's admin, with the registry's own site.

    Its tables are imported by `registry.urls`: commands that serve no pages start faster without.
    """

    default_site = "registry.admin.site.default_site"


def prepare_database(plan: list[Any], **_: Any) -> None:
    """Refuse the database of another release; let migrations rebuild every table.

    If one fails, `/readyz` says which triggers are missing until `migrate` succeeds.
    """
    from registry.models import triggers

    release_check.refuse_other_release()
    if plan:
        triggers.remove()


def complete_database(**_: Any) -> None:
    """Create the triggers, then fill what older releases did not have: index, totals, log tree.

    Triggers protect published rows and advance the revision.
    """
    from registry.models import Entry, LogRange, Total, triggers
    from registry.services.operations import log_backfill
    from registry.services.search import indexing, totals

    triggers.install()
    tables = connection.introspection.table_names()
    if {Entry._meta.db_table, Total._meta.db_table} <= {*tables}:
        if not indexing.is_complete():
            indexing.rebuild_index()
        elif not totals.is_complete():
            totals.rebuild()
    if LogRange._meta.db_table in tables:
        log_backfill.backfill()
