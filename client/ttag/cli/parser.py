"""A parser whose errors are one line, with the nearest name where a name is wrong."""

from __future__ import annotations

from argparse import Action, ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from ttag.errors import SettingsError


class StoreOnce(Action):
    """Stores a value. Raises `SettingsError` for an option that is stated with two values."""

    def __call__(
        self, parser: ArgumentParser, namespace: Namespace, values: Any, option: str | None = None
    ) -> None:
        """Store the value of an argument or option."""
        stated: dict[str, Any] = vars(namespace).setdefault("stated_options", {})
        if option and stated.setdefault(self.dest, values) != values:
            raise SettingsError(f"{option} is {stated[self.dest]} and also {values}: state one.")
        setattr(namespace, self.dest, values)


class Parser(ArgumentParser):
    """Raises `SettingsError` instead of ending the process.

    Takes no abbreviated options, and two values only of what may be repeated.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)
        for name in (None, "store"):
            self.register("action", name, StoreOnce)

    @property
    def options(self) -> list[str]:
        """The names of all options, such as `--json`."""
        return list(self._option_string_actions)

    @property
    def commands(self) -> dict[str, Parser]:
        """The parsers of all commands, by their names."""
        return {
            name: parser
            for action in self._actions
            if isinstance(action.choices, dict)
            for name, parser in action.choices.items()
        }

    @property
    def described_commands(self) -> list[str]:
        """The names of the commands that are for people: an empty description hides others."""
        return [name for name, parser in self.commands.items() if parser.description != ""]

    @property
    def positionals(self) -> list[Action]:
        """The arguments without a dash, in their order."""
        return [action for action in self._actions if not action.option_strings]

    def action_of(self, option: str) -> Action | None:
        """Return what an option does, or None if there is no such option."""
        return self._option_string_actions.get(option)

    def parse_known_args(  # type: ignore[override]  # without the type of other namespaces
        self, args: Sequence[str] | None = None, namespace: Namespace | None = None
    ) -> tuple[Namespace, list[str]]:
        """Parse arguments. Raises `SettingsError` for an option that this parser does not have."""
        parsed, rest = super().parse_known_args(args, namespace)
        for word in rest:
            if word.startswith("-"):
                option = word.partition("=")[0]
                raise _unknown(f"{self.prog} has no option {option}.", option, self.options)
        return parsed, rest

    def _check_value(self, action: Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        name = "command" if isinstance(action.choices, dict) else action.metavar or action.dest
        raise _unknown(f"{self.prog} has no {name} {value}.", str(value), action.choices)

    def error(self, message: str) -> NoReturn:
        """Raise `SettingsError` with the message."""
        raise SettingsError(f"{message}. `{self.prog} --help` says more.")


def _unknown(sentence: str, name: str, known: Iterable[str]) -> SettingsError:
    return SettingsError(sentence, suggestions=get_close_matches(name, list(known), 1))
