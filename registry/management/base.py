"""The base of the registry's commands."""

from __future__ import annotations

from argparse import Action, ArgumentParser, Namespace
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from registry.database import release_check
from registry.domain.errors import Refused
from registry.services.core import database_errors


class RegistryCommand(BaseCommand):
    """A command that starts without Django's system checks, in less than half of the time.

    They import every page. `migrate` and `check` run them, so each deployment does.
    """

    requires_system_checks = ()
    needs_migrations = True  # or it refuses the database (decision 199)

    def add_base_argument(self, parser: CommandParser, *args: Any, **kwargs: Any) -> None:
        """Add an argument that all commands have, to a parser that refuses repeated options."""
        refuse_repeated(parser)
        super().add_base_argument(parser, *args, **kwargs)

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; what a service refuses ends it with the reason, not a traceback."""
        release_check.set_needs_migrations(value=self.needs_migrations)
        try:
            return super().execute(*args, **options)
        except Refused as refusal:
            sentence = database_errors.damage(refusal.__cause__) or refusal.detail
            raise CommandError(sentence) from refusal


class StoreOnce(Action):
    """Stores a value, and refuses another one for the same option: argparse takes the last."""

    stated: Any = None

    def __call__(
        self, parser: ArgumentParser, namespace: Namespace, values: Any, option: str | None = None
    ) -> None:
        """Store the value of an argument or option."""
        if option and self.stated not in (None, values):
            parser.error(f"{option} is {self.stated} and also {values}: state one.")
        self.stated = values
        setattr(namespace, self.dest, values)


def refuse_repeated(parser: ArgumentParser) -> None:
    """Let a parser refuse options with two values, if they are added to it from now on."""
    parser.register("action", None, StoreOnce)
