"""The registry's server, as a process that can be killed, stopped and started again."""

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tests.serving import ROOT, free_port
from tests.stress.connection import Connection

WORKERS = 2
NICE = ("nice", "-n")  # 0 changes nothing
KILL = 10  # seconds to wait for processes to end
START = 180  # seconds; on an idle machine it takes two
SHOWN = 12  # exceptions of the log
INTERNAL_ERROR = re.compile(r" registry\.access \[\S+\] (\S+ \S+ 500) ")
EXCEPTION = re.compile(r"\s*((?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Full|Timeout)\b.*)")


def server_command(port: int, workers: int) -> list[str]:
    """Return the command line of the server, as in the Makefile."""
    return [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", str(workers)]


class Server:
    """A server on a port of its own, with its log in a file."""

    def __init__(
        self,
        environment: Mapping[str, str],
        log: Path,
        *,
        workers: int = WORKERS,
        niceness: int = 0,
    ) -> None:
        self.port = free_port()
        self.log = log
        self._environment = environment
        self._workers = workers
        self._niceness = niceness
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it responds."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*NICE, str(self._niceness), *server_command(self.port, self._workers)],
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                process_group=0,  # to kill all its processes at once
            )
        deadline = time.monotonic() + START
        while time.monotonic() < deadline and self._process.poll() is None:
            if self.status("/healthz") == 200:
                return
            time.sleep(0.05)
        raise TimeoutError(f"the server does not respond on port {self.port}")

    def status(self, path: str) -> int:
        """Return the status of a request, 0 without a response."""
        connection = Connection(self.port, timeout=2)
        try:
            return connection.get(path).status
        finally:
            connection.close()

    @property
    def pid(self) -> int:
        """Its main process. Requires that it was started."""
        assert self._process
        return self._process.pid

    @property
    def workers(self) -> list[int]:
        """The processes that answer requests."""
        return children_of(self._process.pid) if self._process else []

    @property
    def is_running(self) -> bool:
        """True if its main process runs; granian ends if a worker dies twice within 5.5 s."""
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """Kill all its processes at once, as a crash of the machine does."""
        if self._process:
            family = descendants_of(self._process.pid)
            self._signal(signal.SIGKILL)
            self._process.wait()
            wait_for_exit(family)

    def stop(self) -> None:
        """Terminate it, and kill what is left after some seconds."""
        if self._process and self.is_running:
            self._signal(signal.SIGCONT)
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=KILL)
        self.kill()

    def _signal(self, number: int) -> None:
        """Send a signal to all its processes, also to those whose parent has ended."""
        if self._process:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)

    def internal_errors(self) -> list[str]:
        """Return the requests that the log answers with 500."""
        return sorted(set(INTERNAL_ERROR.findall(self.log.read_text(errors="replace"))))

    def errors(self) -> list[tuple[str, int]]:
        """Return the most frequent exceptions in the log, with their numbers left out."""
        lines = self.log.read_text(errors="replace").splitlines()
        texts = (match[1] for line in lines if (match := EXCEPTION.fullmatch(line)))
        return Counter(re.sub(r"\b\d+\b", "N", text)[:160] for text in texts).most_common(SHOWN)


def send_signal(pid: int, number: int) -> None:
    """Send a signal, unless the process has ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    try:
        return [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except (FileNotFoundError, ProcessLookupError):
        return []


def descendants_of(pid: int) -> list[int]:
    """Return these processes, and those that they have started."""
    children = children_of(pid)
    return [*children, *(each for child in children for each in descendants_of(child))]


def wait_for_exit(pids: list[int], seconds: float = KILL) -> None:
    """Wait until processes have ended; they may be children of others."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and any(is_running(pid) for pid in pids):
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    """Return whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
