"""The base of the registry's commands."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registry.domain.errors import Refused


class RegistryCommand(BaseCommand):
    """A command that starts without Django's system checks, in less than half of the time.

    They import every page. `migrate` and `check` run them, so each deployment does.
    """

    requires_system_checks = ()

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; what a service refuses ends it with the reason, not a traceback."""
        try:
            return super().execute(*args, **options)
        except Refused as refusal:
            raise CommandError(refusal.detail) from refusal
