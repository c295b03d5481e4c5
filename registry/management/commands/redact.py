"""Remove a text, such as a secret or personal data, from all stored text."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.core.management.base import CommandError

from registry.domain.errors import Refused
from registry.management.base import RegistryCommand
from registry.services.accounts import users
from registry.services.core.permissions import Actor
from registry.services.operations import redaction


class Command(RegistryCommand):
    """`manage.py redact --reason "..."`, which reads the text from standard input."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--reason", required=True, help="shown in the public log; must not contain the text"
        )
        parser.add_argument("--actor", help="the account named in the log; required with --apply")
        parser.add_argument(
            "--apply",
            action="store_true",
            help="redact the text instead of listing where it occurs",
        )

    def handle(
        self, *_args: Any, reason: str, actor: str | None, apply: bool, **_options: Any
    ) -> None:
        """List the columns that contain the text; with --apply, redact them."""
        if apply and not actor:
            raise CommandError("--apply requires --actor, the account named in the log.")
        if apply and actor:
            self._apply(_read_text(), reason, actor)
        else:
            self._list(_read_text())

    def _list(self, text: str) -> None:
        places = redaction.find_text(text)
        for place in places:
            self.stdout.write(str(place))
        hint = " Nothing was changed; --apply redacts them." if places else ""
        self.stdout.write(f"{len(places)} columns contain the text.{hint}")

    def _apply(self, text: str, reason: str, actor: str) -> None:
        operator = Actor.operator(users.find_user(actor))
        try:
            result = redaction.redact(text, reason=reason, actor=operator)
        except Refused:
            if not redaction.find_text(text):  # a run that was killed may have left its traces
                redaction.erase_traces()
            raise
        for place in result.places:
            self.stdout.write(str(place))
        for exact in result.yanked:
            self.stdout.write(f"yanked {exact}")
        self.stdout.write(f"Redacted {len(result.places)} columns: event {result.event.number}.")
        if reminder := redaction.erase_traces():
            self.stdout.write(reminder)
        self.stdout.write(
            "Backups, caches, sessions, mail that waits and other logs may still contain the text."
        )


def _read_text() -> str:
    if sys.stdin.isatty():
        return getpass("Text to redact (not shown): ")
    return sys.stdin.read().removesuffix("\n")
