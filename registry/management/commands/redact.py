"""Remove a text, such as a secret or personal data, from all stored text."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registry.domain.errors import Refused
from registry.services.accounts import users
from registry.services.core.permissions import Actor
from registry.services.operations import redaction


class Command(BaseCommand):
    """`manage.py redact --reason "..."`, which reads the text from standard input."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the reason, the actor and --apply."""
        parser.add_argument(
            "--reason", required=True, help="public, in the log; must not contain the text"
        )
        parser.add_argument("--actor", help="the account that the log names; needed with --apply")
        parser.add_argument(
            "--apply", action="store_true", help="redact, instead of listing the places"
        )

    def handle(
        self, *_args: Any, reason: str, actor: str | None, apply: bool, **_options: Any
    ) -> None:
        """List the places that hold the text; with --apply, redact them."""
        if apply and not actor:
            raise CommandError("--apply needs --actor, the account that the log names.")
        try:
            if apply and actor:
                self._apply(_text(), reason, actor)
            else:
                self._list(_text())
        except Refused as refusal:
            raise CommandError(refusal.detail) from refusal

    def _list(self, text: str) -> None:
        places = redaction.find_text(text)
        for place in places:
            self.stdout.write(str(place))
        hint = " Nothing was changed: --apply redacts them." if places else ""
        self.stdout.write(f"{len(places)} columns hold the text.{hint}")

    def _apply(self, text: str, reason: str, actor: str) -> None:
        done = redaction.redact(text, reason=reason, actor=Actor.operator(users.find_user(actor)))
        for place in done.places:
            self.stdout.write(str(place))
        for exact in done.yanked:
            self.stdout.write(f"yanked {exact}")
        self.stdout.write(f"Redacted {len(done.places)} columns: event {done.event.number}.")
        if reminder := redaction.erase_traces():
            self.stdout.write(reminder)
        self.stdout.write("Backups, caches and logs elsewhere still hold the text.")


def _text() -> str:
    if sys.stdin.isatty():
        return getpass("Text to redact (not shown): ")
    return sys.stdin.read().removesuffix("\n")
