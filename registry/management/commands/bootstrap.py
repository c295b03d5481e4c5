"""Create the first administrator, their namespace and a token to publish in it."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.utils import timezone

from registry.management.base import RegistryCommand
from registry.models import Role, User
from registry.services.accounts import tokens, users
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.core.transactions import write_lock
from registry.services.namespaces import members, namespaces
from registry.services.namespaces.lookup import find_namespace

TOKEN_LIFETIME = timedelta(days=365)
DEFAULT_SCOPES = (Scope.PUBLISH, Scope.YANK)  # not admin: the token lives for a year


class Command(RegistryCommand):
    """`manage.py bootstrap alice acme`, which keeps an existing account and namespace."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", help="the administrator's account")
        parser.add_argument("namespace", help="the first segment of the tags to publish")
        parser.add_argument(
            "--scopes",
            nargs="+",
            action="extend",
            choices=list(Scope),
            default=[],
            help=f"scopes of the token, by default {' and '.join(DEFAULT_SCOPES)}",
        )

    def handle(
        self, *_args: Any, username: str, namespace: str, scopes: list[str], **_options: Any
    ) -> None:
        """Create what is missing; print the password and the token, which are not stored."""
        label = f"bootstrap of {namespace}"
        expires = timezone.now() + TOKEN_LIFETIME
        with write_lock():  # all or nothing: an account whose password nobody has seen is of no use
            user, password = users.create_admin(username)
            self._grant_ownership(namespace, user)
            token = tokens.issue_token(
                user,
                label=label,
                scopes=scopes or DEFAULT_SCOPES,
                pattern=namespace,
                actor=Actor.operator(user),
                expires=expires,
            )
        if password:
            self.stdout.write(f"Account {username}, password {password}")
        self.stdout.write(f"Namespace {namespace}, owned by {username}")
        self.stdout.write(f"Token, valid until {expires:%Y-%m-%d}, shown only once: {token}")

    def _grant_ownership(self, name: str, user: User) -> None:
        actor = Actor.operator(user)
        namespace = find_namespace(name) or namespaces.create_namespace(name, actor=actor)
        members.grant_role(namespace, user, Role.OWNER, actor=actor)
