"""Injects faults into a registry of its own, and checks what it acknowledges and serves.

    python -m tests.stress [--minutes N] [--database sqlite|postgresql] [--seed N]

Prints a report and writes it to a file. The exit status is 1 if anything was lost or wrong.
"""

import argparse
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.serving import ROOT
from tests.stress import checker, report, slow_clients
from tests.stress.connection import Connection
from tests.stress.disk import Disk, mounted_disk, run_with_disk
from tests.stress.faults import FAULTS, possible_faults
from tests.stress.records import Action, JournalReader, Records
from tests.stress.site import Site, open_site
from tests.stress.state import read_events, read_state, resolve_all

ROLES = ["publish"] * 4 + ["yank", "propose", "read", "read", "read"]
PROCESSES = [["probe"], ROLES, ROLES, ROLES]
TAGS = {Action.PUBLISH, Action.PROPOSE}  # whose subjects are tags
CLIENTS_END = 60  # seconds; a write waits for up to 30
INTERRUPTED = 130  # the exit status after Ctrl-C
SAMPLE = 300  # earlier versions that are checked again after each fault


def main() -> int:
    """Run inside a namespace with a small disk, if possible."""
    options = parse_arguments(sys.argv[1:])
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))  # stops all processes
    disk = mounted_disk()
    if disk is None:
        arguments = ["--seed", str(options.seed), *sys.argv[1:]]
        status = run_with_disk(arguments, options.minutes)
        if status is not None:
            return status
    try:
        text, is_sound = run(options, disk)
    except KeyboardInterrupt:
        return INTERRUPTED
    write_line(text)
    options.report.parent.mkdir(parents=True, exist_ok=True)
    options.report.write_text(text)
    write_line(f"Written to {options.report}.")
    return 0 if is_sound else 1


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(prog="python -m tests.stress", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, metavar="N")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--seed", type=int, help="repeats the order of the faults")
    parser.add_argument("--faults", nargs="+", choices=list(FAULTS), help="by default all")
    parser.add_argument("--report", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    options.seed = secrets.randbelow(10**6) if options.seed is None else options.seed
    options.report = options.report or ROOT / "var" / f"stress-{options.database}.md"
    return options


def run(options: argparse.Namespace, disk: Disk | None) -> tuple[str, bool]:
    """Make a registry, inject faults for some minutes; return the report and whether all held."""
    write_line(f"Seed {options.seed}, {options.database}, {options.minutes:g} minutes")
    slow_clients.allow_many_sockets()
    with open_site(options.database, options.seed, disk) as site:
        reader = JournalReader(site.folder)
        connection = Connection(site.server.port, timeout=30)
        (probed,) = read_events(connection, after=0)[-1:]
        with run_clients(site.folder, site.server.port, site.token):
            injections = inject(site, options, reader)
        site.recover()
        verified = check_everything(site, reader.read(), connection, after=probed.number - 1)
        if site.findings:
            options.report.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(site.server.log, options.report.with_suffix(".log"))
        unique = {finding.text: finding for finding in reversed(site.findings)}
        result = report.Run(
            database=site.database.name,
            seed=options.seed,
            minutes=options.minutes,
            injections=injections,
            records=reader.records,
            findings=sorted(unique.values(), key=lambda finding: (finding.verdict, finding.at)),
            lockouts=site.lockouts,
            verification=f"`manage.py verify`: {verified}",
            left_out=[] if disk else ["a full disk, because no tmpfs could be mounted"],
            server_errors=site.server.errors(),
        )
        return report.render(result), not unique


@contextmanager
def run_clients(folder: Path, port: int, token: str) -> Iterator[None]:
    """Run the processes of the clients."""
    processes = []
    try:
        for index, roles in enumerate(PROCESSES):
            command = [sys.executable, "-m", "tests.stress.clients", str(folder), str(port)]
            process = subprocess.Popen(
                [*command, f"c{index}", *roles], cwd=ROOT, stdin=subprocess.PIPE, text=True
            )
            processes.append(process)
            if process.stdin:
                process.stdin.write(f"{token}\n")
                process.stdin.flush()
        yield
        for process in processes:
            process.communicate(timeout=CLIENTS_END)  # closes standard input
    finally:
        for process in processes:
            process.kill()
            process.wait()


def inject(
    site: Site, options: argparse.Namespace, reader: JournalReader
) -> list[report.Injection]:
    """Inject all faults in random order, again and again, until the time is over."""
    possible = possible_faults(site.database, site.disk)
    names = [name for name in possible if name in (options.faults or possible)]
    deadline = time.monotonic() + 60 * options.minutes
    injections: list[report.Injection] = []
    checked: set[str] = set()
    while time.monotonic() < deadline:
        for name in site.rng.sample(names, len(names)):
            begin = time.monotonic()
            if begin > deadline:
                break
            FAULTS[name](site)
            site.recover()
            injections.append(report.Injection(name, begin, time.monotonic()))
            seconds = injections[-1].end - begin
            write_line(f"{deadline - begin:6.0f} s left: {name}, {seconds:.1f} s")
            check_acknowledged(site, reader.read(), checked)
    return injections


def check_acknowledged(site: Site, records: Records, checked: set[str]) -> None:
    """Check the versions acknowledged since the last fault, and a sample of earlier ones."""
    expected = {
        outcome.result: attempt.digest
        for attempt, outcome in records.acknowledged(Action.PUBLISH, Action.ACCEPT)
    }
    new = sorted(expected.keys() - checked)
    earlier = site.rng.sample(sorted(checked), min(SAMPLE, len(checked)))
    connection = Connection(site.server.port, timeout=30)
    try:
        digests = resolve_all(connection, [*new, *earlier])
    except ConnectionError as error:
        site.report(str(error))
        return
    finally:
        connection.close()
    checked.update(new)
    for reference in [*new, *earlier]:
        if digests.get(reference) != expected[reference]:
            site.findings.append(
                checker.Finding(checker.Verdict.LOST, time.monotonic(), f"{reference} is lost")
            )


def check_everything(site: Site, records: Records, connection: Connection, *, after: int) -> str:
    """Compare all records with the state since an event; return the last line of `verify`."""
    tags = {item.subject for item in records.attempts.values() if item.action in TAGS}
    proposals = {outcome.result for _, outcome in records.acknowledged(Action.PROPOSE)}
    state = read_state(connection, sorted(tags), sorted(proposals), after=after)
    site.findings += checker.find_broken_promises(records, state, delay=site.database.delay)
    for request in site.server.internal_errors():
        site.report(request)
    verified = site.manage("verify")
    messages = (verified.stdout + verified.stderr).splitlines()
    for message in messages if verified.returncode else []:
        site.report(message)
    return messages[-1]


def write_line(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
