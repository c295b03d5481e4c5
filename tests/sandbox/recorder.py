"""Records which files a program and its children open, and which programs they start.

Many jobs run one after another under one strace, because starting a compiler takes longer than
compiling. Before each job its process asks for a file that does not exist, `MARKER`, which divides
the log.
"""

import codecs
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.patience import PATIENCE

MARKER = "/target-tag-registry-job/"
DRIVER = Path(__file__).with_name("driver.py")
# No path of a signal, no pointers; strings whole, since paths are to be compared.
STRACE = ("-f", "--seccomp-bpf", "-qq", "-y", "-s", "4096", "-e", "signal=none")
TRACED = "trace=file,process,network"
LINE = re.compile(r"(?P<pid>[0-9]+) +(?P<rest>.*)")
CALL = re.compile(r"(?P<name>[a-z0-9_]+)\((?P<arguments>.*)")
UNFINISHED = " <unfinished ...>"
RESUMED = re.compile(r"<\.\.\. [a-z0-9_]+ resumed>(?P<rest>.*)")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
FOLDER = re.compile(r"(?:AT_FDCWD|[0-9]+)<(?P<folder>[^>]*)>, *$")
CHANGING = re.compile(
    r"creat|mkdir(at)?|mknod(at)?|rename(at2?)?|(sym)?link(at)?|unlink(at)?|rmdir|truncate|"
    r"f?chmod(at2?)?|[fl]?chown(at)?|utime(s|nsat)?|l?setxattr|l?removexattr|u?mount2?|chroot"
)
STARTING = frozenset({"execve", "execveat"})
WRITING = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND|O_TMPFILE")
REMOTE = re.compile(r"sa_family=AF_INET")


@dataclass
class Record:
    """What one job did: paths that it wrote, read, looked for, started, and where it connected."""

    written: set[str] = field(default_factory=set)
    opened: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)  # existing or not
    started: set[str] = field(default_factory=set)
    connected: set[str] = field(default_factory=set)
    status: int | None = None

    def beyond(self, honest: "Record") -> "Record":
        """Return what an honest build did not do."""
        return Record(
            self.written - honest.written,
            self.opened - honest.opened,
            self.tried - honest.tried,
            self.started - honest.started,
            self.connected - honest.connected,
            self.status,
        )

    @property
    def is_empty(self) -> bool:
        return not (self.written | self.opened | self.tried | self.started | self.connected)

    def add(self, other: "Record") -> None:
        """Take over what another job did."""
        for name in ("written", "opened", "tried", "started", "connected"):
            getattr(self, name).update(getattr(other, name))


@dataclass(frozen=True)
class Job:
    """A command to run in a folder."""

    command: tuple[str, ...]
    folder: Path


def strace() -> str:
    """Return the path of strace, or skip the test."""
    program = shutil.which("strace")
    if program is None:
        pytest.skip("not installed: strace")
    return program


def command_under(log: Path) -> list[str]:
    """Return the command that records in a log whatever follows it."""
    return [strace(), *STRACE, "-e", TRACED, "-o", str(log)]


def run_jobs(jobs: Iterable[Job], work: Path, environment: Mapping[str, str]) -> list[Record]:
    """Run the jobs one after another, and return what each did."""
    listed = [[[*job.command], str(job.folder)] for job in jobs]
    (work / "jobs.json").write_text(json.dumps(listed))
    log = work / "strace.log"
    command = [*command_under(log), sys.executable, "-IS", str(DRIVER)]
    command += [str(work), str(PATIENCE)]
    subprocess.run(command, env=dict(environment), check=True, stdin=subprocess.DEVNULL)
    records = read_log(log, work)
    statuses = json.loads((work / "statuses.json").read_text())
    assert len(records) == len(statuses) == len(listed)
    for record, status in zip(records, statuses, strict=True):
        record.status = status
    return records


def read_log(log: Path, work: Path) -> list[Record]:
    """Return what was done after each marker, with paths in `work` made comparable."""
    records: list[Record] = []
    for name, arguments in _calls(log.read_text(errors="surrogateescape").splitlines()):
        if MARKER in arguments:
            records.append(Record())
        elif records:
            _note(records[-1], name, arguments, work)
    return records[:-1]  # the last marker is the end


def _calls(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each system call with its arguments and result; threads interrupt each other's."""
    waiting: dict[str, str] = {}
    for line in lines:
        match = LINE.fullmatch(line)
        if match is None:
            continue
        pid, rest = match["pid"], match["rest"]
        if rest.endswith(UNFINISHED):
            waiting[pid] = rest.removesuffix(UNFINISHED)
            continue
        if resumed := RESUMED.fullmatch(rest):
            rest = waiting.pop(pid, "") + resumed["rest"]
        if call := CALL.match(rest):
            yield call["name"], call["arguments"]
    for rest in waiting.values():  # of processes that were killed
        if call := CALL.match(rest):
            yield call["name"], call["arguments"]


def _note(record: Record, name: str, arguments: str, work: Path) -> None:
    succeeded = " = -1 " not in arguments
    if REMOTE.search(arguments):
        record.connected.add(arguments)
    paths = [*_paths(arguments, work)]
    if name in STARTING:
        (record.started if succeeded else record.tried).update(paths[:1])
        return  # what follows are arguments
    record.tried.update(paths)
    flags = STRING.sub("", arguments)
    if CHANGING.fullmatch(name) or (name.startswith("open") and WRITING.search(flags)):
        record.written.update(paths)
    elif name.startswith("open") and succeeded and "O_DIRECTORY" not in flags:
        record.opened.update(paths)


def _paths(arguments: str, work: Path) -> Iterator[str]:
    """Yield the paths in the arguments of a call, in a form that equals that of other jobs."""
    for match in STRING.finditer(arguments):
        text = codecs.decode(match[1], "unicode_escape")
        folder = FOLDER.search(arguments[: match.start()])
        path = text if text.startswith("/") or folder is None else f"{folder['folder']}/{text}"
        if text or folder is None:
            yield comparable(path, work)


def comparable(path: str, work: Path) -> str:
    """Return a path without what differs between equal jobs: folders, processes, random names."""
    path = re.sub(r"//+|/(?:\./)+", "/", path)
    path = re.sub(r"^/proc/[0-9]+/", "/proc/self/", path)
    path = re.sub(r"^/proc/self/(fd|task)/[0-9]+", r"/proc/self/\1", path)
    if path.startswith(f"{work}/temporary"):
        return "$TEMPORARY"
    path = re.sub(
        r"-[0-9a-f]{8}(?=\.[a-z]+\.tmp$)", "-*", path
    )  # as clang names its output at first
    if not path.startswith("/"):
        return f"$BUILD/{path.removeprefix('./')}"
    return re.sub(rf"^{re.escape(str(work))}/[0-9]+(?=/|$)", "$BUILD", path)
