"""A registry with many tags: nodes, a worker, slow neighbours, and a database to lose."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.issuers import trickling_server
from tests.mail_server import run_mail_server
from tests.postgres import Cluster, cluster
from tests.replication import READ_WRITE, configure, kill, promote, run_standby, url_of
from tests.serving import ROOT
from tests.stress.crowd.disturbances import Crowd
from tests.stress.crowd.resolves import TAGS
from tests.stress.databases import Postgresql, Sqlite
from tests.stress.records import Journal
from tests.stress.server import Server
from tests.stress.site import SETTINGS, create_registry, manage
from tests.working import run_worker

DURABLE = {"max_connections": "80", "shared_buffers": "256MB", "max_wal_size": "2GB"}
PROCESSES = 2  # of all nodes: they are small
NICENESS = 10  # of the node apart, as of the worker's unit: a tenth of what builds get
FREEZE = 8  # seconds for which the primary does not answer; nobody knows that it will not again
STANDBY_LAG = 10  # seconds
LASTING = 24 * 3600  # seconds for which the issuer trickles
WRITE_TAGS = """
import random, pathlib, sys
from registry.models import Entry
tags = list(
    Entry.objects.filter(version__isnull=False).order_by("text").values_list("text", flat=True)
)
random.Random(1).shuffle(tags)
pathlib.Path("{file}").write_text("\\n".join(tags))
"""
TRUST = """
from registry.models import Namespace, TrustedPublisher, User
TrustedPublisher.objects.create(
    namespace=Namespace.objects.get(name="stress"), registrar=User.objects.get(username="alice"),
    issuer="{issuer}", claims="{{}}", subject="x", scopes="publish", pattern="stress",
)
"""


class Replicated:
    """A primary and its synchronous standby, which takes its place."""

    def __init__(self, primary: Cluster, standby: Cluster) -> None:
        self._primary, self._standby = primary, standby
        self.url = url_of(primary, standby, options=READ_WRITE)

    def replace_primary(self) -> float:
        """Freeze the primary for some seconds, kill it and promote the standby; return when."""
        with self._primary.paused():
            time.sleep(FREEZE)
            kill(self._primary)
        promote(self._standby)
        return time.monotonic()


@dataclass
class Site:
    """What a run needs to know of its registry.

    Builds resolve on `nodes`. The crowd uses these too, or a node of its own.
    """

    folder: Path
    environment: Mapping[str, str]
    nodes: list[Server]
    mirrored: Server  # it reads from the standby, if there is one
    servers: list[Server]  # all of them
    crowd: Crowd
    tags: int
    database: type[Sqlite] | type[Postgresql]
    replicated: Replicated | None  # None: SQLite
    has_copies: bool  # of tags, which nobody has published
    processes: dict[str, list[int]] = field(default_factory=dict)  # whose descendants count, too

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of manage.py."""
        return manage(self.environment, *arguments)

    @property
    def ports(self) -> list[int]:
        """Return the ports of the nodes."""
        return [node.port for node in self.nodes]


@contextmanager
def open_site(
    database: str, tags: int, *, data: Path | None = None, is_apart: bool = False
) -> Iterator[Site]:
    """Make a registry with so many tags, at least those written by hand, and start its nodes.

    PostgreSQL can begin with a copy of the `data` of a stopped server that has some. `is_apart`
    gives the crowd a node of its own, to which the system gives less of the processors.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="registry-crowd-")))
        issuer = f"http://127.0.0.1:{stack.enter_context(trickling_server(seconds=LASTING))}"
        mail_server = stack.enter_context(run_mail_server())
        mail_server.goes_on.clear()  # it accepts mail and never says so
        environment = {
            **os.environ,
            **SETTINGS,
            "DATABASE_URL": "",
            "EMAIL_URL": mail_server.url,
            "EMAIL_FROM": "registry@example.org",
            "REGISTRY_METRICS": "1",
            "REGISTRY_TRUSTED_ISSUERS": issuer,
            "REGISTRY_ADDRESS": "http://localhost",
            "REGISTRY_VAR": str(folder / "node-0"),
            "SECRET_KEY": "the key of a run, which all nodes share",
        }
        primary = None
        if database == "postgresql":
            primary = stack.enter_context(cluster(DURABLE, data=data))
            environment["DATABASE_URL"] = primary.url
        token, total = fill(environment, tags, folder / TAGS, issuer)
        replicated, processes = None, dict[str, list[int]]()
        if primary:
            processes["PostgreSQL"] = [primary.pid]
            standby = stack.enter_context(run_standby(primary, is_synchronous=True))
            replicated = Replicated(primary, standby)
            environment["DATABASE_URL"] = replicated.url
            environment["REGISTRY_STANDBY_LAG"] = str(STANDBY_LAG)
            processes["its standby"] = [standby.pid]
        number = PROCESSES if replicated else 1
        nodes = [
            start_node(stack, environment, folder, str(index), workers=PROCESSES // number)
            for index in range(number)
        ]
        worker = stack.enter_context(run_worker(folder / "node-0", environment))
        processes |= {"the nodes": [node.pid for node in nodes], "the worker": [worker.pid]}
        mirrored = nodes[-1]
        if replicated:
            configure(standby, "SET wal_receiver_timeout = '5s'")
            of_standby = {**environment, "DATABASE_URL": standby.url}
            mirrored = start_node(stack, of_standby, folder, "standby", workers=1)
            processes["the node of the standby"] = [mirrored.pid]
        used = nodes
        if is_apart:
            apart = start_node(stack, environment, folder, "apart", workers=1, niceness=NICENESS)
            processes["the node apart"] = [apart.pid]
            used = [apart] * len(nodes)
        ports, others = ([node.port for node in each] for each in (nodes, used))
        crowd = Crowd(ports, others, token, issuer, Journal(folder / "crowd.jsonl"))
        kind = Postgresql if replicated else Sqlite
        servers = list(dict.fromkeys([*nodes, mirrored, *used]))
        yield Site(
            folder,
            environment,
            nodes,
            mirrored,
            servers,
            crowd,
            total,
            kind,
            replicated,
            has_copies=tags > 0,
            processes=processes,
        )


def fill(environment: dict[str, str], tags: int, file: Path, issuer: str) -> tuple[str, int]:
    """Load the catalogue and copies of it, and write the tags into a file.

    Return a token for the namespace `stress`, and the number of tags.
    """
    if tags:
        environment["REGISTRY_CATALOGUE"] = "all"
    token = create_registry(environment)
    if tags:
        command = [sys.executable, "-m", "benchmarks.copy_tags", str(tags)]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
    for code in (WRITE_TAGS.format(file=file), TRUST.format(issuer=issuer)):
        if (done := manage(environment, "shell", "--no-imports", "-c", code)).returncode:
            raise RuntimeError(done.stderr)
    return token, len(file.read_text().splitlines())


def start_node(
    stack: ExitStack,
    environment: Mapping[str, str],
    folder: Path,
    name: str,
    *,
    workers: int,
    niceness: int = 0,
) -> Server:
    """Start a node with a folder of its own, which is stopped with the stack."""
    var = folder / f"node-{name}"
    var.mkdir(exist_ok=True)
    if not (var / "static").exists():
        (var / "static").symlink_to(folder / "node-0" / "static")
    log = folder / f"node-{name}.log"
    server = Server(
        {**environment, "REGISTRY_VAR": str(var)}, log, workers=workers, niceness=niceness
    )
    stack.callback(server.stop)
    server.start()
    return server
