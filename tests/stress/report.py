"""The report of a run, in Markdown."""

import os
import platform
from collections import Counter
from dataclasses import dataclass, field
from statistics import median

from tests.stress.checker import Finding, Verdict, longest_gap, probe_times
from tests.stress.records import Records

SHOWN = 40  # findings
TITLE = "| fault | times | acknowledged writes | lost | wrong answers | longest outage |"


@dataclass(frozen=True, slots=True)
class Injection:
    """A fault with its time, which lasts until the registry has recovered."""

    name: str
    begin: float
    end: float


@dataclass(slots=True)
class Run:
    """All that a report says."""

    database: str
    seed: int
    minutes: float
    injections: list[Injection]
    records: Records
    findings: list[Finding]
    lockouts: list[float]
    verification: str
    left_out: list[str] = field(default_factory=list)
    server_errors: list[tuple[str, int]] = field(default_factory=list)

    def fault_at(self, time: float) -> str:
        """Return the name of the last fault that had begun at a time."""
        names = [injection.name for injection in self.injections if injection.begin <= time]
        return names[-1] if names else "none"


def render(run: Run) -> str:
    """Return the report."""
    answers = len(run.records.answers)
    lines = [
        f"# Stress on {run.database}",
        "",
        f"{run.minutes:g} minutes, seed {run.seed}, {machine()}.",
        (
            f"{len(run.records.acknowledged())} of {len(run.records.attempts)} writes were"
            f" acknowledged; {answers} resolves were sent, and every answer checked."
        ),
        latencies(run),
        run.verification,
        *(f"Not injected: {reason}." for reason in run.left_out),
        "",
        *table(run),
        "",
        *lockouts(run),
        "## Responses to writes",
        "",
        *responses(run),
    ]
    if run.findings:
        lines += ["", "## Findings", ""]
        lines += [
            f"- {finding.verdict}, during “{run.fault_at(finding.at)}”: {finding.text}"
            for finding in run.findings[:SHOWN]
        ]
        lines += [f"- and {len(run.findings) - SHOWN} more"] * (len(run.findings) > SHOWN)
    if run.server_errors:
        lines += ["", "## Exceptions in the server's log", ""]
        lines += [f"- {count} times `{text}`" for text, count in run.server_errors]
    return "\n".join([*lines, ""])


def latencies(run: Run) -> str:
    """Return a sentence on how long requests took that were answered."""
    writes = [outcome.received - attempt.sent for attempt, outcome in run.records.acknowledged()]
    reads = [
        answer.received - answer.sent for answer in run.records.answers if answer.status == 200
    ]
    return f"Writes took {_percentiles(writes)}, resolves {_percentiles(reads)}."


def _percentiles(seconds: list[float]) -> str:
    ordered = sorted(seconds) or [0.0]
    late = ordered[len(ordered) * 99 // 100]
    return f"{median(ordered):.2f} s (median), {late:.1f} s (99 %), {ordered[-1]:.1f} s (most)"


def table(run: Run) -> list[str]:
    """Return the table of faults, with a row for all."""
    acknowledged = Counter(
        run.fault_at(outcome.received) for _, outcome in run.records.acknowledged()
    )
    faults = Counter((finding.verdict, run.fault_at(finding.at)) for finding in run.findings)
    times = Counter(injection.name for injection in run.injections)
    probed = probe_times(run.records.answers)
    rows, longest = [], 0.0
    for name in sorted(times):
        outage = max(
            longest_gap(probed, injection.begin, injection.end)
            for injection in run.injections
            if injection.name == name
        )
        longest = max(longest, outage)
        rows.append(
            f"| {name} | {times[name]} | {acknowledged[name]} | {faults[Verdict.LOST, name]}"
            f" | {faults[Verdict.WRONG, name]} | {outage:.1f} s |"
        )
    lost = sum(finding.verdict is Verdict.LOST for finding in run.findings)
    total = (
        f"| **all** | {times.total()} | {acknowledged.total()} | {lost}"
        f" | {len(run.findings) - lost} | {longest:.1f} s |"
    )
    return [TITLE, "|---|---|---|---|---|---|", *rows, total]


def lockouts(run: Run) -> list[str]:
    """Return a sentence on the write lock after it was held from outside."""
    if not run.lockouts:
        return []
    sentence = (
        "After a release of the write lock, an outside process that tried every half second was"
        f" locked out for at most {max(run.lockouts):.1f} s, median {median(run.lockouts):.1f} s."
    )
    return [sentence, ""]


def responses(run: Run) -> list[str]:
    """Return the table of the responses to writes, by fault."""
    counts: dict[str, Counter[str]] = {}
    for outcome in run.records.outcomes.values():
        status = f"{outcome.status or 'none:'} {outcome.code}"
        counts.setdefault(run.fault_at(outcome.received), Counter())[status.strip()] += 1
    rows = [
        f"| {name} | {', '.join(f'{text}: {count}' for text, count in counter.most_common())} |"
        for name, counter in sorted(counts.items())
    ]
    return ["| fault | responses |", "|---|---|", *rows]


def machine() -> str:
    """Describe the machine."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} processors ({platform.machine()}), {memory:.0f} GiB of memory, Python"
        f" {platform.python_version()}, load {os.getloadavg()[2]:.1f}"
    )
