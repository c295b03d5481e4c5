"""The journal of what clients sent and received.

Each process appends to a file of its own, one JSON object per line. Times are seconds of the
monotonic clock, which all processes of a machine share.
"""

import json
import os
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path

NO_RESPONSE = 0  # the status of a request without a complete response


class Action(StrEnum):
    """The writes that clients send."""

    PUBLISH = "publish"
    YANK = "yank"
    PROPOSE = "propose"
    ACCEPT = "accept"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A write, recorded before it is sent. `digest` is that of the body, if it publishes one."""

    id: str  # the message of the version
    action: Action
    subject: str  # a tag, an exact reference or the number of a proposal
    sent: float
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The response to an attempt: `result` is the version or the number that it names."""

    id: str
    received: float
    status: int
    code: str = ""
    result: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a resolve. `computed` is the digest of the received target."""

    client: str
    reference: str
    sent: float
    received: float
    status: int
    code: str = ""
    version: str = ""
    digest: str = ""
    computed: str = ""
    is_probe: bool = False


Record = Attempt | Outcome | Answer


class Journal:
    """Appends records to a file; several threads may share it."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, record: Record) -> None:
        line = json.dumps([type(record).__name__, asdict(record)])
        os.write(self._file, f"{line}\n".encode())


def _parse(line: bytes) -> Record:
    name, values = json.loads(line)
    if name == Attempt.__name__:
        return Attempt(**values | {"action": Action(values["action"])})
    return Outcome(**values) if name == Outcome.__name__ else Answer(**values)


@dataclass(slots=True)
class Records:
    """All records of a run."""

    attempts: dict[str, Attempt] = field(default_factory=dict)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    answers: list[Answer] = field(default_factory=list)

    def add(self, record: Record) -> None:
        match record:
            case Attempt():
                self.attempts[record.id] = record
            case Outcome():
                self.outcomes[record.id] = record
            case Answer():
                self.answers.append(record)

    def acknowledged(self, *actions: Action) -> list[tuple[Attempt, Outcome]]:
        """Return the writes that succeeded, each with its response."""
        pairs = ((self.attempts[id], outcome) for id, outcome in self.outcomes.items())
        return [
            (attempt, outcome)
            for attempt, outcome in pairs
            if 200 <= outcome.status < 300 and attempt.action in (actions or tuple(Action))
        ]


class JournalReader:
    """Reads the journals in a folder, each line once."""

    def __init__(self, folder: Path) -> None:
        self.records = Records()
        self._folder = folder
        self._offsets: dict[Path, int] = {}

    def read(self) -> Records:
        """Add what has been written since; a last line that is not complete yet is left out."""
        for path in sorted(self._folder.glob("*.jsonl")):
            with path.open("rb") as file:
                file.seek(self._offsets.get(path, 0))
                lines, _, _ = file.read().rpartition(b"\n")
            self._offsets[path] = self._offsets.get(path, 0) + len(lines) + bool(lines)
            for line in lines.splitlines():
                self.records.add(_parse(line))
        return self.records
