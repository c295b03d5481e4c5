"""The registry under stress: its database, its server, and a client of the program itself."""

import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.serving import ROOT
from tests.stress.checker import Finding, Verdict
from tests.stress.clients import PROBED, Writer, new_target
from tests.stress.databases import Database, run_database
from tests.stress.disk import Disk
from tests.stress.records import Journal
from tests.stress.server import Server

RESTART = 2  # seconds after which a server that has ended is started again, as systemd does
RECOVERY = 120  # seconds within which a registry must take writes again
SETTINGS = {f"REGISTRY_RATE_{name}": "none" for name in ("ANONYMOUS", "ACCOUNT")}
SETTINGS["REGISTRY_CATALOGUE"] = "basic"  # generated tags would fill the small disk
COMMANDS = (  # of `make serve`
    ["migrate", "--verbosity", "0"],
    ["load_catalogue"],
    ["collectstatic", "--no-input", "--verbosity", "0"],
)


@dataclass
class Site:
    """A registry with what its faults need. Its own writer shows whether it has recovered."""

    folder: Path  # of the journals
    environment: Mapping[str, str]
    server: Server
    database: Database
    disk: Disk | None
    writer: Writer
    token: str
    rng: random.Random
    findings: list[Finding] = field(default_factory=list)
    lockouts: list[float] = field(default_factory=list)  # seconds after each release
    count: int = 0

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of manage.py."""
        return manage(self.environment, *arguments)

    def report(self, text: str) -> None:
        self.findings.append(Finding(Verdict.WRONG, time.monotonic(), text))

    def publish(self, tag: str) -> str | None:
        """Publish a version; return its reference if it is acknowledged."""
        self.count += 1
        target = new_target(self.rng, f"site-{self.count}")
        return self.writer.publish(tag, target, target)

    def recover(self) -> None:
        """Wait until the registry is ready and has acknowledged a write."""
        deadline = time.monotonic() + RECOVERY
        while time.monotonic() < deadline:
            if not self.server.is_running:
                time.sleep(RESTART)
                self.server.start()
            if self.server.status("/readyz") == 200 and self.publish("stress/recovered"):
                return
            time.sleep(0.2)
        self.report(f"no write was acknowledged within {RECOVERY} s of a fault")


@contextmanager
def open_site(database_name: str, seed: int, disk: Disk | None) -> Iterator[Site]:
    """Make a registry and start its server; remove both at the end."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="registry-stress-")))
        var = (disk.folder if disk else folder) / "var"
        var.mkdir()
        database = stack.enter_context(
            run_database(database_name, var, disk.folder if disk else None)
        )
        environment = {**os.environ, **database.environment, **SETTINGS}
        environment["REGISTRY_VAR"] = str(var)
        token = create_registry(environment)
        server = Server(environment, folder / "server.log")
        stack.callback(server.stop)
        server.start()
        writer = Writer(Journal(folder / "site.jsonl"), server.port, token, "site")
        site = Site(folder, environment, server, database, disk, writer, token, random.Random(seed))
        if not site.publish(PROBED):
            raise RuntimeError(f"{PROBED} could not be published")
        yield site


def create_registry(environment: Mapping[str, str]) -> str:
    """Fill an empty database; return a token for the namespace `stress`."""
    for command in COMMANDS:
        if (done := manage(environment, *command)).returncode:
            raise RuntimeError(done.stderr)
    scopes = ["--scopes", "publish", "yank", "propose", "admin"]
    output = manage(environment, "bootstrap", "alice", "stress", *scopes).stdout
    return re.findall(r"ttr_\S+", output)[0]


def manage(environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of manage.py."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
