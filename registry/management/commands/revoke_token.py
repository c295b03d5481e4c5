"""Revoke a token by its prefix."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from registry.management.base import RegistryCommand
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor


class Command(RegistryCommand):
    """`manage.py revoke_token 0123456789ab`, with the prefix between the underscores."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("prefix", help="the 12 hex digits after ttr_")

    def handle(self, *_args: Any, prefix: str, **_options: Any) -> None:
        """Revoke the token; the event names its owner."""
        owner = Actor.operator(tokens.find_unrevoked(prefix).owner)
        token = tokens.revoke_token(prefix, actor=owner)
        self.stdout.write(f"Revoked {token.label!r} of {token.owner}.")
