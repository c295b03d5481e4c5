"""Show the effect of publishing a body on the dependents of its tag."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from registry.domain.reference import Tag
from registry.management.base import RegistryCommand
from registry.services.versions import checking, impact
from registry.services.versions.impact import REFUSED, Effect


class Command(RegistryCommand):
    """`manage.py impact arm/soc body.json`, which prints one line per dependent, parents first."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tag", help="the tag that the body would be published under")
        parser.add_argument("body", help="file with the body, JSON; - for standard input")
        parser.add_argument("--diff", action="store_true", help="show the changed values")

    def handle(self, *_args: Any, tag: str, body: str, diff: bool, **_options: Any) -> None:
        """Print the effects without writing anything."""
        counts: Counter[str] = Counter()
        draft = checking.check(Tag.parse(tag), _read(body))
        self.stdout.write(f"Next version of {tag}: {draft.number or 'none, nothing changed'}.")
        for effect in impact.iterate_effects(draft):
            counts[effect.bump or REFUSED] += 1
            self._show(effect, diff=diff)
        summary = ", ".join(f"{count} {bump}" for bump, count in sorted(counts.items()))
        self.stdout.write(f"Dependents: {summary or 'none would change'}.")

    def _show(self, effect: Effect, *, diff: bool) -> None:
        if effect.refusal:
            self.stdout.write(f"{REFUSED:8} {effect.exact}: {effect.refusal.detail}")
            return
        self.stdout.write(f"{effect.bump:8} {effect.exact} -> {effect.number}")
        for change in effect.diff if diff else ():
            old = "absent" if change.old is None else change.old.value
            new = "absent" if change.new is None else change.new.value
            self.stdout.write(f"         {change.pointer or 'root'}: {old} -> {new}")


def _read(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{name} cannot be read: {error}") from error
