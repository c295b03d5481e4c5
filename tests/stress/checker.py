"""Compares what clients were told with what a registry stores."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from tests.stress.records import NO_RESPONSE, Action, Answer, Attempt, Outcome, Records
from tests.stress.state import State

UNAVAILABLE = {NO_RESPONSE, 503}  # statuses that promise nothing
REFUSALS = {  # further statuses that clients must expect
    Action.PUBLISH: {412},  # another client was faster
    Action.YANK: {409},  # an earlier attempt without a response succeeded
    Action.PROPOSE: set[int](),
    Action.ACCEPT: {409},
}
EVENTS = {
    Action.PUBLISH: "version.published",
    Action.YANK: "version.yanked",
    Action.PROPOSE: "proposal.submitted",
    Action.ACCEPT: "version.published",
}
Number = tuple[int, ...]


class Verdict(StrEnum):
    LOST = "lost"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """A broken promise; `at` is the time of the response that made it."""

    verdict: Verdict
    at: float
    text: str


def find_broken_promises(records: Records, state: State, *, delay: float = 0) -> list[Finding]:
    """Return all broken promises, in the order of time.

    `delay` are the seconds after which a floating reference must show an acknowledged version.
    """
    findings = [
        *lost_writes(records, state),
        *partial_writes(records, state),
        *repeated_writes(state),
        *number_gaps(state),
        *event_order(records, state),
        *wrong_statuses(records),
        *wrong_bytes(records, state),
        *stale_answers(records, delay),
    ]
    return sorted(findings, key=lambda finding: finding.at)


def lost_writes(records: Records, state: State) -> Iterator[Finding]:
    """Find acknowledged writes that are not stored, or not as acknowledged."""
    for attempt, outcome in records.acknowledged(Action.PUBLISH, Action.ACCEPT):
        version = state.versions.get(outcome.result)
        if version is None or version.message != attempt.id:  # another one may have its number
            yield Finding(Verdict.LOST, outcome.received, f"{outcome.result} is lost")
        elif {version.digest, version.computed, outcome.digest} != {attempt.digest}:
            yield Finding(
                Verdict.WRONG,
                outcome.received,
                f"{outcome.result} was published as {attempt.digest}, acknowledged as"
                f" {outcome.digest}, is listed as {version.digest} and resolves to"
                f" {version.computed or 'nothing'}",
            )
    for attempt, outcome in records.acknowledged(Action.YANK):
        version = state.versions.get(attempt.subject)
        if version is None or version.status != "yanked":
            yield Finding(Verdict.LOST, outcome.received, f"the yank of {attempt.subject} is lost")
    for _, outcome in records.acknowledged(Action.PROPOSE):
        if outcome.result not in state.proposals:
            yield Finding(Verdict.LOST, outcome.received, f"proposal {outcome.result} is lost")
    events = {(event.action, event.subject) for event in state.events}
    for attempt, outcome in records.acknowledged():
        event = _expected_event(attempt, outcome)
        if event not in events:
            yield Finding(Verdict.LOST, outcome.received, f"the event {' '.join(event)} is lost")


def partial_writes(records: Records, state: State) -> Iterator[Finding]:
    """Find versions without event or attempt, events without version, and yanks without attempt."""
    published = Counter(
        (event.subject, event.digest)
        for event in state.events
        if event.action == EVENTS[Action.PUBLISH]
    )
    stored = {(version.reference, version.digest) for version in state.versions.values()}
    for reference, digest in sorted(published.keys() | stored):
        if published[reference, digest] != 1 or (reference, digest) not in stored:
            yield Finding(
                Verdict.WRONG,
                0,
                f"{reference}: {published[reference, digest]} events with {digest}",
            )
    yanks = {item.subject for item in records.attempts.values() if item.action is Action.YANK}
    logged = {event.subject for event in state.events if event.action == EVENTS[Action.YANK]}
    for version in state.versions.values():
        attempt = records.attempts.get(version.message)
        if attempt is None or {version.digest, version.computed} != {attempt.digest}:
            yield Finding(Verdict.WRONG, 0, f"{version.reference}: nobody sent this version")
        is_yanked = version.status == "yanked"
        if is_yanked != (version.reference in logged & yanks):
            yield Finding(
                Verdict.WRONG, 0, f"{version.reference}: {version.status} against its yanks"
            )


def repeated_writes(state: State) -> Iterator[Finding]:
    """Find requests that were stored twice; clients propose each tag with one key."""
    for name, count in Counter(version.message for version in state.versions.values()).items():
        if count > 1:
            yield Finding(Verdict.WRONG, 0, f"{name}: one request published {count} versions")
    submitted = [event for event in state.events if event.action == EVENTS[Action.PROPOSE]]
    for tag, count in Counter(event.subject for event in submitted).items():
        if count > 1:
            yield Finding(Verdict.WRONG, 0, f"{tag}: one key submitted {count} proposals")


def number_gaps(state: State) -> Iterator[Finding]:
    """Find gaps between version numbers: in MAJOR, in MINOR of a MAJOR, in PATCH of a MINOR."""
    groups: dict[tuple[str, Number], set[int]] = defaultdict(set)
    for reference in state.versions:
        tag, number = _split(reference)
        for length in range(3):
            groups[tag, number[:length]].add(number[length])
    for (tag, line), numbers in groups.items():
        first = 0 if line else 1
        if numbers != set(range(first, first + len(numbers))):
            prefix = ".".join(map(str, line)) or "the MAJOR numbers"
            yield Finding(Verdict.WRONG, 0, f"{tag}@{prefix}: a gap in {sorted(numbers)}")


def event_order(records: Records, state: State) -> Iterator[Finding]:
    """Find gaps between event numbers, and events that contradict the order of their writes."""
    numbers = [event.number for event in state.events]
    for before, after in pairwise(numbers):
        if after != before + 1:
            yield Finding(Verdict.WRONG, 0, f"event {after} follows event {before}")
    positions = {(event.action, event.subject): event.number for event in state.events}
    writes = [
        (attempt.sent, outcome.received, positions[_expected_event(attempt, outcome)])
        for attempt, outcome in records.acknowledged(Action.PUBLISH, Action.ACCEPT, Action.YANK)
        if _expected_event(attempt, outcome) in positions
    ]
    by_end = sorted(writes, key=lambda write: write[1])
    ends = [received for _, received, _ in by_end]
    highest = 0
    highest_until = [0]
    for _, _, number in by_end:
        highest = max(highest, number)
        highest_until.append(highest)
    for sent, received, number in writes:
        earlier = highest_until[bisect_right(ends, sent)]
        if earlier > number:
            text = f"event {number} is of a write that was sent after event {earlier}"
            yield Finding(Verdict.WRONG, received, text)


def wrong_statuses(records: Records) -> Iterator[Finding]:
    """Find responses with a status that neither succeeds nor asks to try again."""
    for id, outcome in records.outcomes.items():
        attempt = records.attempts[id]
        allowed = UNAVAILABLE | REFUSALS[attempt.action]
        if not 200 <= outcome.status < 300 and outcome.status not in allowed:
            text = f"{attempt.action} {attempt.subject}: {outcome.status} {outcome.code}"
            yield Finding(Verdict.WRONG, outcome.received, text)
    for answer in records.answers:
        if answer.status != 200 and answer.status not in UNAVAILABLE:
            text = f"resolve {answer.reference}: {answer.status} {answer.code}"
            yield Finding(Verdict.WRONG, answer.received, text)


def wrong_bytes(records: Records, state: State) -> Iterator[Finding]:
    """Find answers whose target is not that of the version they name, or of their digest."""
    digests = {version.reference: version.digest for version in state.versions.values()}
    for answer in _successes(records):
        expected = digests.setdefault(answer.version, answer.digest)
        if {answer.digest, answer.computed} != {expected}:
            text = (
                f"resolve {answer.reference}: {answer.version} is {expected}, but the answer says"
                f" {answer.digest} and has the bytes of {answer.computed}"
            )
            yield Finding(Verdict.WRONG, answer.received, text)
        _, _, selector = answer.reference.partition("@")
        if selector.count(".") == 2 and answer.version != answer.reference:
            text = f"resolve {answer.reference}: the answer is {answer.version}"
            yield Finding(Verdict.WRONG, answer.received, text)


@dataclass(frozen=True, slots=True)
class _Available:
    """The time in which a version must be visible: from its acknowledgement to its yank."""

    number: Number
    since: float
    until: float


def stale_answers(records: Records, delay: float) -> Iterator[Finding]:
    """Find floating answers behind a version that was acknowledged `delay` s before the request."""
    yanked = {
        item.subject: item.sent
        for item in sorted(records.attempts.values(), key=lambda item: -item.sent)
        if item.action is Action.YANK
    }
    available: dict[str, list[_Available]] = defaultdict(list)
    for _, outcome in records.acknowledged(Action.PUBLISH, Action.ACCEPT):
        tag, number = _split(outcome.result)
        until = yanked.get(outcome.result, float("inf"))
        available[tag].append(_Available(number, outcome.received, until))
    for answer in _successes(records):
        tag, number = _split(answer.version)
        if "@" in answer.reference:
            continue
        newer = [
            version.number
            for version in available[tag]
            if version.number > number
            and version.since + delay <= answer.sent
            and version.until > answer.received
        ]
        if newer:
            newest = ".".join(map(str, max(newer)))
            text = f"resolve {answer.reference}: {answer.version} after {newest} was acknowledged"
            yield Finding(Verdict.WRONG, answer.received, text)


def probe_times(answers: Iterable[Answer]) -> list[float]:
    """Return the times of the right answers to probes, in order."""
    return sorted(
        answer.received
        for answer in answers
        if answer.is_probe and answer.status == 200 and answer.digest == answer.computed
    )


def longest_gap(times: list[float], begin: float, end: float) -> float:
    """Return the longest time of a period that is without any of the ordered times."""
    inside = times[bisect_left(times, begin) : bisect_right(times, end)]
    return max(after - before for before, after in pairwise([begin, *inside, end]))


def _expected_event(attempt: Attempt, outcome: Outcome) -> tuple[str, str]:
    publishes = attempt.action in {Action.PUBLISH, Action.ACCEPT}
    return EVENTS[attempt.action], outcome.result if publishes else attempt.subject


def _successes(records: Records) -> list[Answer]:
    return [answer for answer in records.answers if answer.status == 200]


def _split(reference: str) -> tuple[str, Number]:
    tag, _, number = reference.partition("@")
    return tag, tuple(map(int, number.split(".")))
