"""Make the first administrator, a namespace of theirs and a token to publish in it."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from registry.domain.errors import Refused
from registry.models import Role, User
from registry.services.accounts import tokens, users
from registry.services.core.permissions import Actor, Scope
from registry.services.namespaces import members, namespaces
from registry.services.namespaces.lookup import find_namespace

LIFE = timedelta(days=365)  # of the token; long enough not to surprise, not for ever
USUAL = (Scope.PUBLISH, Scope.YANK)  # a token lies about for a year: who needs admin says so


class Command(BaseCommand):
    """`manage.py bootstrap alice acme`: what is there already is left as it is."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who and where."""
        parser.add_argument("username", help="the administrator's account")
        parser.add_argument("namespace", help="the first segment of the tags to publish")
        parser.add_argument(
            "--scopes", nargs="+", choices=list(Scope), default=USUAL, help="of the token"
        )

    def handle(
        self, *_args: Any, username: str, namespace: str, scopes: list[str], **_options: Any
    ) -> None:
        """Make what is missing; show the password and the token, which are not kept."""
        try:
            user, password = users.create_admin(username)
            self._own(namespace, user)
            label = f"bootstrap of {namespace}"
            expires = timezone.now() + LIFE
            token = tokens.issue_token(
                user,
                label=label,
                scopes=scopes,
                pattern=namespace,
                actor=Actor.operator(user),
                expires=expires,
            )
        except Refused as refusal:
            raise CommandError(refusal.detail) from refusal
        if password:
            self.stdout.write(f"Account {username}, password {password}")
        self.stdout.write(f"Namespace {namespace}, owned by {username}")
        self.stdout.write(f"Token until {expires:%Y-%m-%d}, shown this once: {token}")

    def _own(self, name: str, user: User) -> None:
        actor = Actor.operator(user)
        namespace = find_namespace(name) or namespaces.create_namespace(name, actor=actor)
        members.grant_role(namespace, user, Role.OWNER, actor=actor)
