"""The application, and the one hook that keeps its triggers in place."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class RegistryConfig(AppConfig):
    """The registry is one Django application."""

    name = "registry"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Reinstall the triggers after every migrate."""
        post_migrate.connect(install_triggers, sender=self)


def install_triggers(**_: Any) -> None:
    """Create the triggers that refuse to change what is published."""
    from registry.models import immutability

    immutability.install()
