"""Publish new versions of dependents from their unchanged sources, parents first."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from registry.domain.reference import Tag
from registry.management.base import RegistryCommand
from registry.management.progress import Progress
from registry.services.accounts import users
from registry.services.core.permissions import Actor
from registry.services.versions import rebasing
from registry.services.versions.impact import REFUSED
from registry.services.versions.rebasing import Plan


class Command(RegistryCommand):
    """`manage.py rebase arm/soc --actor alice`, for floating references that have moved."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tags", nargs="+", help="tags whose dependents are rebased")
        parser.add_argument(
            "--only", nargs="+", action="extend", default=[], help="limit to these dependents"
        )
        parser.add_argument("--plan", action="store_true", help="show the plan without publishing")
        parser.add_argument("--actor", help="the account that publishes; required without --plan")

    def handle(
        self,
        *_args: Any,
        tags: list[str],
        only: list[str],
        plan: bool,
        actor: str | None,
        **_options: Any,
    ) -> None:
        """Show the plan, then publish it."""
        if not plan and not actor:
            raise CommandError("--actor USERNAME is required, unless --plan is given.")
        progress = Progress(self.stdout)
        planned = rebasing.plan_rebase(
            map(Tag.parse, tags), only=[Tag.parse(name) for name in only]
        )
        self._show(planned)
        if plan or not actor:
            return
        outcome = rebasing.rebase(
            planned,
            actor=Actor(users.find_user(actor)),
            report=lambda done, total: progress("versions", done, total),
        )
        progress.end()
        for tag, reason in outcome.skipped:
            self.stdout.write(f"Skipped {tag}: {reason}")
        self.stdout.write(f"Published {len(outcome.published)} of {len(planned.steps)}.")

    def _show(self, planned: Plan) -> None:
        for step in planned.steps:
            if step.refusal:
                self.stdout.write(f"{REFUSED:8} {step.exact}: {step.refusal}")
            else:
                self.stdout.write(f"{step.bump:8} {step.exact} -> {step.number}")
        for tag in planned.circular:
            self.stdout.write(f"CIRCULAR {tag}: depends on itself; publish it manually")
        if not planned.steps:
            self.stdout.write("Everything is up to date.")
