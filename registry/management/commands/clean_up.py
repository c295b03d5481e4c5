"""Delete what has expired: sessions, counts, used identities, news, failed mail and deliveries."""

from __future__ import annotations

from typing import Any

from registry.management.base import RegistryCommand
from registry.services.operations import clean_up


class Command(RegistryCommand):
    """`manage.py clean_up`, which the worker runs every night."""

    help = __doc__

    def handle(self, *_args: Any, verbosity: int, **_options: Any) -> None:
        """Delete in short transactions, and print how many rows."""
        counts = clean_up.delete_expired()
        if verbosity:
            self.stdout.write(f"Deleted {', '.join(f'{n} {name}' for name, n in counts.items())}.")
