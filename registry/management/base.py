"""The base of the registry's commands."""

from __future__ import annotations

from django.core.management.base import BaseCommand


class RegistryCommand(BaseCommand):
    """A command that starts without Django's system checks, in less than half of the time.

    They import every page. `migrate` and `check` run them, so each deployment does.
    """

    requires_system_checks = ()
