"""What builds got during the phases of a run."""

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection
from statistics import median

from tests.stress.crowd.resolves import Answers

LOOKUP = re.compile(r'registry_memory_lookups_total\{result="(\w+)"\} (\S+)')
PROCESSOR = re.compile(
    r'registry_request_processor_seconds_total\{method="(\w+)",route="([^"]*)"\} (\S+)'
)
JOBS = {  # of the nodes, by method and route; the first that matches
    "resolves of Django": re.compile("(GET|POST) /?api/v1/(resolve|digests)"),
    "publications": re.compile("POST /?api/v1/versions"),
    "sign-ups": re.compile("(GET|POST) /?accounts/"),
    "pages and lists": re.compile("GET /?(?!metrics|healthz)"),
}
SETTLING = 0.5  # seconds at the beginning of a phase that do not count


@dataclass(frozen=True, slots=True)
class Lookups:
    """How often the nodes looked for an answer in memory, and had it."""

    hits: float = 0.0
    all: float = 0.0

    def since(self, before: "Lookups") -> "Lookups":
        """Return the lookups since an earlier moment."""
        return Lookups(self.hits - before.hits, self.all - before.all)


def read_lookups(ports: list[int]) -> Lookups:
    """Read the counts of all nodes."""
    counts = [pair for port in ports for pair in LOOKUP.findall(_metrics(port))]
    return Lookups(
        sum(float(number) for result, number in counts if result == "hit"),
        sum(float(number) for _, number in counts),
    )


def read_jobs(ports: list[int]) -> dict[str, float]:
    """Read the processor time of the threads that answer requests, on all nodes."""
    return jobs("\n".join(map(_metrics, ports)))


def jobs(metrics: str) -> dict[str, float]:
    """Return the processor time of each of the `JOBS`."""
    seconds = dict.fromkeys(JOBS, 0.0)
    for method, route, number in PROCESSOR.findall(metrics):
        for job, pattern in JOBS.items():
            if pattern.match(f"{method} {route}"):
                seconds[job] += float(number)
                break
    return seconds


def _metrics(port: int) -> str:
    http = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        http.request("GET", "/metrics")
        return http.getresponse().read().decode()
    finally:
        http.close()


@dataclass(frozen=True, slots=True)
class Phase:
    """A period of a run, and what memory did in it."""

    begin: float
    end: float
    lookups: Lookups = field(default_factory=Lookups)
    processor: Mapping[str, float] = field(default_factory=dict)  # seconds of each group


@dataclass(frozen=True, slots=True)
class Figures:
    """The resolves of some phases: how many succeeded a second, and the seconds of each."""

    rate: float
    misses: float  # a second
    median: float
    p99: float
    longest: float
    refused: int


def measure(answers: Answers, *phases: Phase) -> Figures:
    """Return the figures of phases; rates are medians of the phases."""
    seconds, rates, misses, refused = list[float](), list[float](), list[float](), 0
    for phase in phases:
        first, last = (bisect_left(answers.received, moment) for moment in (phase.begin, phase.end))
        statuses = answers.status[first:last]
        good = statuses.count(200)
        refused += len(statuses) - good
        rates.append(good / (phase.end - phase.begin))
        share = 1 - phase.lookups.hits / (phase.lookups.all or 1)
        misses.append(rates[-1] * share)
        seconds += answers.seconds[first:last]
    ordered = sorted(seconds) or [0.0]
    p99 = ordered[len(ordered) * 99 // 100]
    return Figures(median(rates), median(misses), median(ordered), p99, ordered[-1], refused)


def processor_shares(phases: list[Phase]) -> dict[str, float]:
    """Return the processor time of each group in phases, in cores: seconds per second."""
    length = sum(phase.end - phase.begin for phase in phases)
    return {
        group: sum(phase.processor[group] for phase in phases) / length
        for group in (phases[0].processor if phases else ())
    }


def ratio(answers: Answers, pairs: list[tuple[Phase, Phase]]) -> float:
    """Return the median of the rates in the second phase of each pair over those in the first."""
    return median(
        measure(answers, second).rate / (measure(answers, first).rate or 1)
        for first, second in pairs
    )


@dataclass(frozen=True, slots=True)
class Replacement:
    """A primary that froze at `begin`; its standby was promoted, and `end` was a right answer."""

    begin: float
    promoted: float
    written: float  # when the first write after that was acknowledged
    end: float  # when every node has resolved again

    @property
    def seconds_to_resolve(self) -> float:
        """Return the time from the promotion until all nodes resolve."""
        return self.end - self.promoted

    @property
    def seconds_to_write(self) -> float:
        """Return the time from the promotion until a write is acknowledged."""
        return self.written - self.promoted


def first_success(answers: Answers, node: int, after: float) -> float:
    """Return when a node first answered a request of after a moment; infinity if never."""
    for index in range(bisect_left(answers.received, after), len(answers.received)):
        sent = answers.received[index] - answers.seconds[index]
        if answers.node[index] == node and answers.status[index] == 200 and sent >= after:
            return answers.received[index]
    return float("inf")
