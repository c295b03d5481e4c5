"""Runs the goal: builds beside a crowd, a busy publisher, slow neighbours and a lost primary.

    python -m tests.stress.crowd [--tags N] [--minutes N] [--database sqlite|postgresql] [--apart]

Prints a report and writes it to a file. A goal that is missed is a figure of the report; the exit
status is 1 only if something was stale, wrong or lost.
"""

import argparse
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.serving import ROOT
from tests.stress import checker
from tests.stress.checker import Finding, Verdict
from tests.stress.connection import Connection
from tests.stress.crowd import report
from tests.stress.crowd.following import behind, follow
from tests.stress.crowd.measurements import (
    SETTLING,
    Phase,
    Replacement,
    first_success,
    measure,
    processor_shares,
    ratio,
    read_jobs,
    read_lookups,
)
from tests.stress.crowd.processor import processor_time
from tests.stress.crowd.resolves import ANSWERS, WRONG, Answers
from tests.stress.crowd.site import Site, open_site
from tests.stress.records import Action, JournalReader, Records
from tests.stress.state import read_events, read_state

CONNECTIONS = 16  # of builds
CROWD = "the crowd's clients"
USING_UP = 10  # seconds in which readers use the burst that they are allowed
ROUNDS = 3
WARMING = 0.25  # of the time: memory fills
RECOVERY = 60  # seconds after a promotion within which a write must be acknowledged
END = 60  # seconds for builds to write their answers
EVENT_GAP = re.compile(r"event (\d+) follows event (\d+)")
DELAYS = {"at all": 0.0, "by more than 50 ms": 0.05, "by more than 2 s": 2.0}  # seconds


def main() -> int:
    """Run, and return the exit status."""
    options = parse_arguments(sys.argv[1:])
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))  # stops all processes
    with open_site(
        options.database, options.tags, data=options.data, is_apart=options.apart
    ) as site:
        result = run(site, options.minutes)
    text = report.render(result)
    options.report.parent.mkdir(parents=True, exist_ok=True)
    options.report.write_text(text)
    write_line(text)
    write_line(f"Written to {options.report}.")
    return 1 if result.findings else 0


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(prog="python -m tests.stress.crowd", description=__doc__)
    parser.add_argument("--tags", type=int, default=0, help="by default those written by hand")
    parser.add_argument("--minutes", type=float, default=2.0, metavar="N")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--data", type=Path, help="of a stopped PostgreSQL that has tags; copied")
    parser.add_argument("--apart", action="store_true", help="give the crowd a node of its own")
    parser.add_argument("--report", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    options.report = options.report or ROOT / "var" / f"crowd-{options.database}.md"
    return options


def run(site: Site, minutes: float) -> report.Run:
    """Measure for so many minutes, and replace the primary after them, if there is one."""
    write_line(f"{site.tags:,} tags, {len(site.nodes)} node(s), {minutes:g} minutes")
    connection = Connection(site.ports[0], timeout=60)
    (last,) = read_events(connection, after=0)[-1:]
    warming = 60 * minutes * WARMING
    length = 60 * minutes * (1 - WARMING) / (2 * ROUNDS)
    with follow(site.folder, site.mirrored.port) as applied, builds(site):
        time.sleep(warming)
        pairs = [(quiet(site, length), disturbed(site, length)) for _ in range(ROUNDS)]
        fault, after = replace_primary(site, length)
    answers = Answers.read(site.folder / ANSWERS)
    if fault:
        fault = recovery(fault, answers, len(site.nodes))
    records = JournalReader(site.folder).read()
    tags = sorted({item.subject for item in records.attempts.values()})
    state = read_state(connection, tags, [], after=last.number)
    findings = checker.find_broken_promises(records, state, delay=site.database.delay)
    findings = [finding for finding in findings if not hidden_event(finding)]
    findings += wrong_answers(site)
    outside = [*(phase for pair in pairs for phase in pair), *after]
    return report.Run(
        database=site.database.name,
        nodes=len(site.nodes),
        tags=site.tags,
        minutes=minutes,
        connections=CONNECTIONS,
        quiet=measure(answers, *(first for first, _ in pairs)),
        disturbed=measure(answers, *(second for _, second in pairs)),
        ratio=ratio(answers, pairs),
        longest=measure(answers, *outside).longest,
        late={
            text: len([*checker.stale_answers(records, seconds)])
            for text, seconds in DELAYS.items()
        },
        findings=findings,
        done=site.crowd.done,
        verification=verify(site, findings),
        writes=len(records.acknowledged(Action.PUBLISH)),
        publications=publication_rate(records, [second for _, second in pairs]),
        behind=behind(records, applied),
        processor={
            group: (processor_shares([first for first, _ in pairs])[group], share)
            for group, share in processor_shares([second for _, second in pairs]).items()
        },
        replacement=fault,
        refused=measure(answers, Phase(fault.begin, fault.end)).refused if fault else 0,
        exceptions=[error for node in site.servers for error in node.errors()],
    )


@contextmanager
def builds(site: Site) -> Iterator[None]:
    """Let builds resolve during a block, in a process of their own."""
    command = [sys.executable, "-m", "tests.stress.crowd.resolves", str(site.folder), "1"]
    process = subprocess.Popen(
        [*command, str(CONNECTIONS), *map(str, site.ports)], cwd=ROOT, stdin=subprocess.PIPE
    )
    site.processes["the builds"] = [process.pid]
    try:
        yield
        process.communicate(timeout=END)  # closes standard input
        if process.returncode:
            raise RuntimeError("the builds failed: see above")
    finally:
        process.kill()
        process.wait()


def quiet(site: Site, seconds: float) -> Phase:
    """Wait while builds are alone; return the phase."""
    time.sleep(SETTLING)
    begin, lookups = time.monotonic(), read_lookups(site.ports)
    before = processor_times(site)
    time.sleep(seconds)
    end, after = time.monotonic(), processor_times(site)
    taken = {group: after[group] - before[group] for group in after}
    return Phase(begin, end, read_lookups(site.ports).since(lookups), taken)


def processor_times(site: Site) -> dict[str, float]:
    """Return the processor time that everything has taken."""
    return processor_time(site.processes, own=CROWD) | read_jobs(
        [server.port for server in site.servers]
    )


def disturbed(site: Site, seconds: float) -> Phase:
    """Wait while everything goes on beside the builds; return the phase."""
    with site.crowd.disturb():
        time.sleep(USING_UP)
        return quiet(site, seconds)


def replace_primary(site: Site, seconds: float) -> tuple[Replacement | None, list[Phase]]:
    """Replace the primary under load; return that, and the phase after it."""
    if not site.replicated:
        return None, []
    with site.crowd.disturb():
        time.sleep(SETTLING)
        begin = time.monotonic()
        promoted = site.replicated.replace_primary()
        written = wait_for_write(site, promoted)
        replacement = Replacement(begin, promoted, written, written)
        return replacement, [quiet(site, seconds)]


def wait_for_write(site: Site, promoted: float) -> float:
    """Return when a publication of after the promotion was acknowledged; infinity if never."""
    reader = JournalReader(site.folder)
    while time.monotonic() < promoted + RECOVERY:
        records = reader.read()
        moments = [
            outcome.received
            for attempt, outcome in records.acknowledged(Action.PUBLISH)
            if attempt.sent >= promoted
        ]
        if moments:
            return min(moments)
        time.sleep(0.1)
    return float("inf")


def recovery(fault: Replacement, answers: Answers, nodes: int) -> Replacement:
    """Return the replacement with the moment when the last node resolved again."""
    ends = [first_success(answers, node, fault.promoted) for node in range(nodes)]
    return Replacement(fault.begin, fault.promoted, fault.written, max(ends))


def publication_rate(records: Records, phases: list[Phase]) -> float:
    """Return the publications a second that were acknowledged in phases."""
    moments = [outcome.received for _, outcome in records.acknowledged(Action.PUBLISH)]
    inside = [moment for moment in moments for phase in phases if phase.begin < moment < phase.end]
    return len(inside) / sum(phase.end - phase.begin for phase in phases)


def wrong_answers(site: Site) -> list[Finding]:
    """Return what builds found wrong, and the requests that failed."""
    texts = json.loads((site.folder / WRONG).read_text())
    texts += [error for node in site.servers for error in node.internal_errors()]
    return [Finding(Verdict.WRONG, 0.0, text) for text in texts]


def hidden_event(finding: Finding) -> bool:
    """Return whether an event is missing that may be one of an account, which only staff sees."""
    numbers = EVENT_GAP.fullmatch(finding.text)
    return numbers is not None and int(numbers[1]) == int(numbers[2]) + 2


def verify(site: Site, findings: list[Finding]) -> str:
    """Run `manage.py verify`, add what it finds, and return its last line."""
    if site.has_copies:
        return "Not verified: copies of tags lack rows that publishing writes."
    verified = site.manage("verify")
    lines = (verified.stdout + verified.stderr).splitlines()
    if verified.returncode:
        findings += [Finding(Verdict.WRONG, 0.0, line) for line in lines]
    return f"`manage.py verify`: {lines[-1]}"


def write_line(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
