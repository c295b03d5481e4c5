"""The base of the registry's commands."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _StoreAction, _SubParsersAction
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

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Return Django's parser, which refuses an option that is stated with two values."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        _refuse_repeated(parser)
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; what a service refuses ends it with the reason, not a traceback."""
        release_check.set_needs_migrations(value=self.needs_migrations)
        try:
            return super().execute(*args, **options)
        except Refused as refusal:
            sentence = database_errors.damage(refusal.__cause__) or refusal.detail
            raise CommandError(sentence) from refusal


class StoreOnce(_StoreAction):
    """Stores a value, and refuses another one for the same option: argparse takes the last."""

    def __call__(
        self, parser: ArgumentParser, namespace: Namespace, values: Any, option: str | None = None
    ) -> None:
        """Store the value of an argument or option."""
        stated: dict[str, Any] = vars(namespace).setdefault("stated_options", {})
        if option and stated.setdefault(self.dest, values) != values:
            parser.error(f"{option} is {stated[self.dest]} and also {values}: state one.")
        super().__call__(parser, namespace, values, option)


def _refuse_repeated(parser: ArgumentParser) -> None:
    """Make every option of a parser and its subcommands that has one value a `StoreOnce`."""
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for each in action.choices.values():
                _refuse_repeated(each)
        elif type(action) is _StoreAction:
            action.__class__ = StoreOnce  # Django makes the parser, and takes no class for it
