"""The base of the registry's commands."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registry.database import release_check
from registry.domain.errors import Refused


class RegistryCommand(BaseCommand):
    """A command that starts without Django's system checks, in less than half of the time.

    They import every page. `migrate` and `check` run them, so each deployment does.
    """

    requires_system_checks = ()
    needs_migrations = True  # or it refuses the database (decision 199)

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; what a service refuses ends it with the reason, not a traceback."""
        release_check.set_needs_migrations(value=self.needs_migrations)
        try:
            return super().execute(*args, **options)
        except Refused as refusal:
            raise CommandError(refusal.detail) from refusal
