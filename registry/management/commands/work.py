"""Send news, webhooks and mail, purge caches and run the nightly jobs, until stopped."""

from __future__ import annotations

import os
import signal
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, time as time_of_day
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError

from registry.database import release_check
from registry.management.base import RegistryCommand
from registry.management.commands.write_mirror import add_format_option
from registry.services.notices import reader
from registry.services.operations import mirroring
from registry.services.webhooks import events
from registry.services.work import leases
from registry.services.work.cache_purges import cache_purges
from registry.services.work.log_reading import LogReading
from registry.services.work.mail_delivery import MailDelivery, NewsMail
from registry.services.work.mirror_events import MirrorEvents
from registry.services.work.nightly import NightlyJob
from registry.services.work.owner_factors import OwnerFactors
from registry.services.work.tasks import Task
from registry.services.work.webhook_posting import WebhookPosting
from registry.services.work.worker import Worker

TIMES = {  # UTC; the verification reads what the backup has stored
    "clean-up": time_of_day(1),
    "backup": time_of_day(2),
    "verify": time_of_day(3),
    "mirror": time_of_day(4),
}
FORGETTABLE = {  # jobs that need an option, with their duties
    "backup": ["backup"],
    "verify": ["verify"],
    "mirror": ["mirror", "mirror-events"],
}
KEPT_BACKUPS = 14
LOOK = 0.5  # seconds between two looks at whether the parent is there


class Command(RegistryCommand):
    """`manage.py work`. Any number may run; each duty is done by one of them at a time."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="do what is due now, and end")
        parser.add_argument("--verify", action="store_true", help="verify the registry nightly")
        parser.add_argument("--backups", type=Path, metavar="DIR", help="back up to this folder")
        parser.add_argument(
            "--keep", type=int, default=KEPT_BACKUPS, help="backups in it; default %(default)s"
        )
        parser.add_argument("--mirror", type=Path, metavar="DIR", help="keep a mirror there")
        add_format_option(parser)
        parser.add_argument(
            "--at",
            action="append",
            default=[],
            type=job_time,
            metavar="JOB=HH:MM",
            help="another time, in UTC; by default "
            + ", ".join(f"{name}={at:%H:%M}" for name, at in TIMES.items()),
        )
        parser.add_argument(
            "--forget",
            choices=FORGETTABLE,
            help="take a job that no worker has any more out of the metrics, and end",
        )
        parser.add_argument(
            "--parent", type=int, metavar="PID", help="end when this process, the parent, does"
        )

    def handle(
        self, *_args: Any, once: bool, parent: int | None, forget: str | None, **options: Any
    ) -> None:
        """Work until SIGTERM or SIGINT, do what is due now, or forget a job."""
        if forget:
            self._forget(forget, is_alone=not (once or _chosen_jobs(options)))
            return
        _refuse_idle(options)
        with suppress(DatabaseError):  # without its database, the worker waits for it
            release_check.refuse_other_release()
        worker = Worker(list(_tasks(**options)))
        if once:
            if failed := worker.do_once():
                raise CommandError(f"Failed: {', '.join(failed)}.")
            return
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _end)
        try:
            worker.start()
            while parent is None or os.getppid() == parent:
                time.sleep(LOOK)
        except _Ended:
            pass
        finally:
            worker.stop()

    def _forget(self, job: str, *, is_alone: bool) -> None:
        """Forget when a job last ran. Raises `CommandError` if a worker is at it."""
        if not is_alone:
            raise CommandError("--forget starts no worker: use it without --once and jobs.")
        if leases.forget(FORGETTABLE[job]):
            self.stdout.write(f"{job} is forgotten. A worker that still has it runs it again now.")
        else:
            self.stdout.write(f"{job} never ran, so there is nothing to forget.")


class _Ended(Exception):
    """A signal asks this process to end."""


def _end(number: int, _frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise _Ended


def job_time(text: str) -> tuple[str, time_of_day]:
    """Return the job and the time of an option. Raises `ArgumentTypeError`."""
    name, _, value = text.partition("=")
    try:
        at = datetime.strptime(value, "%H:%M").replace(tzinfo=UTC).time()
    except ValueError:
        at = None
    if at is None or name not in TIMES:
        expected = f"one of {', '.join(TIMES)}, and a time, such as backup=02:00"
        raise ArgumentTypeError(f"expected {expected}, not “{text}”")
    return name, at


def _chosen_jobs(options: Mapping[str, Any]) -> list[str]:
    return [name for name in ("backups", "verify", "mirror") if options[name]]


def _refuse_idle(options: Mapping[str, Any]) -> None:
    """Raise `CommandError` for an option of a job that no other option asks for."""
    if options["keep"] < 1:
        raise CommandError("--keep is at least 1.")
    if options["formats"] and not options["mirror"]:
        raise CommandError("--format needs --mirror: it is about the files of a mirror.")
    needed = {"backup": "backups", "verify": "verify", "mirror": "mirror"}
    for job, _time in options["at"]:
        if job in needed and not options[needed[job]]:
            option = f"--{needed[job]}"
            raise CommandError(f"--at {job}=… needs {option}: without it, there is no such job.")


def _tasks(
    *,
    verify: bool,
    backups: Path | None,
    keep: int,
    mirror: Path | None,
    formats: Sequence[str],
    at: Sequence[tuple[str, time_of_day]],
    **_: Any,
) -> Iterator[Task]:
    """Yield the tasks that the options name, and those that every registry has."""
    times = TIMES | dict(at)
    job = partial(NightlyJob, program=(sys.executable, sys.argv[0]))
    yield LogReading(reader.NAME, reader.has_unread_events, reader.read_events)
    yield LogReading(events.NAME, events.has_unread_events, events.read_events)
    yield WebhookPosting()
    yield OwnerFactors()
    if settings.SENDS_MAIL:
        yield NewsMail()
        yield MailDelivery()
    yield from cache_purges()
    yield job("clean-up", times["clean-up"], lambda: ["clean_up", "--verbosity", "0"])
    if backups:
        yield job("backup", times["backup"], lambda: _backup(backups, keep))
    if verify:
        yield job("verify", times["verify"], lambda: ["verify", "--quiet"])
    if mirror:
        if not settings.ADDRESS:
            raise CommandError("A mirror names the address of its registry: set REGISTRY_ADDRESS.")
        chosen = ["--format", *formats] if formats else []
        command = ["write_mirror", str(mirror), "--full", "--address", settings.ADDRESS, *chosen]
        yield job("mirror", times["mirror"], lambda: command)
        forms = mirroring.writable_formats()
        yield MirrorEvents(mirror, settings.ADDRESS, [forms[name] for name in sorted({*formats})])


def _backup(folder: Path, keep: int) -> list[str]:
    """Return the arguments of a backup that is named after the day."""
    return ["backup", str(folder / f"{datetime.now(UTC):%Y-%m-%d}.gz"), "--keep", str(keep)]
