"""The application: what is done once, when it starts."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from registry import converters


class RegistryConfig(AppConfig):
    """The registry is one Django application."""

    name = "registry"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make the paths' types known; reinstall the triggers after every migrate."""
        converters.register()
        post_migrate.connect(install_triggers, sender=self)


def install_triggers(**_: Any) -> None:
    """Create the triggers that refuse to change what is published."""
    from registry.models import immutability

    immutability.install()
