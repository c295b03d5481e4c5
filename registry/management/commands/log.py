"""Show the state of the event log; rotate its key; go on after a loss of events."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from registry.management.base import RegistryCommand, refuse_repeated
from registry.services.accounts import users
from registry.services.core.permissions import Actor
from registry.services.event_log import checkpoints, forks, key_rotation


class Command(RegistryCommand):
    """`manage.py log show`, `manage.py log rotate`, `manage.py log fork --reason "..."`."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("show", help="print the last checkpoint, and the key that signs it")
        rotate = actions.add_parser(
            "rotate", help="let the next key of REGISTRY_LOG_KEY sign, or without it, a new one"
        )
        fork = actions.add_parser(
            "fork", help="go on under another origin, after events were lost for good"
        )
        for write in (rotate, fork):
            refuse_repeated(write)
            write.add_argument("--actor", required=True, help="the account named in the log")
        fork.add_argument("--reason", required=True, help="public; clients show it")
        fork.add_argument("--origin", default="", help="by default the first one, and a number")
        fork.add_argument(
            "--despite-no-loss",
            action="store_true",
            help="fork a log that lacks nothing this server has signed for",
        )

    def handle(self, *_args: Any, action: str, **options: Any) -> None:
        """Run the subcommand, and print the log's key."""
        if action == "show":
            self.stdout.write(checkpoints.newest().note, ending="")
            self.stdout.write(checkpoints.require_key().key)
            return
        actor = Actor.operator(users.find_user(options["actor"]))
        if action == "rotate":
            row = key_rotation.rotate_key(actor=actor)
        else:
            names = ("reason", "origin", "despite_no_loss")
            row = forks.fork(**{name: options[name] for name in names}, actor=actor)
        self.stdout.write(f"From event {row.since + 1} on, checkpoints are signed by {row.key}")
