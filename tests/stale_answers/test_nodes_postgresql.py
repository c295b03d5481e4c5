"""Two nodes behind nginx, as docs/operating/nodes.conf configures it: one is killed under load."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from urllib.request import urlopen

from registry.server.revisions import MAX_SILENCE
from tests.compilers.tools import tool
from tests.nginx import write_configuration
from tests.serving import ROOT, Server, free_port, wait_for
from tests.stale_answers.hammer import Hammer
from tests.stale_answers.nodes import nodes
from tests.stress.server import descendants_of

READERS = 4
LOAD = 2  # seconds before and after the death of a node


@dataclass(frozen=True)
class Answer:
    """The answer to a read, and when it was sent."""

    sent: float
    status: int
    major: int


@contextmanager
def nginx(folder: Path, servers: list[Server]) -> Iterator[int]:
    """Run nginx in front of two nodes, and yield its port."""
    program, port = tool("nginx", folders="/usr/sbin"), free_port()
    text = (ROOT / "docs/operating/nodes.conf").read_text()
    addresses = {
        "192.0.2.10:80": port,
        **{f"192.0.2.1{n}:8000": servers[n - 1].port for n in (1, 2)},
    }
    for address, local_port in addresses.items():
        assert address in text
        text = text.replace(address, f"127.0.0.1:{local_port}")
    config = write_configuration(folder, text)
    command = [program, "-e", str(folder / "log"), "-c", str(config), "-g", "daemon off;"]
    process = subprocess.Popen(command)
    try:
        wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=30)


def read_until(stopped: Event, port: int) -> list[Answer]:
    """Resolve a tag again and again, each time with a connection of its own."""
    answers = []
    while not stopped.is_set():
        sent = time.monotonic()
        with urlopen(f"http://127.0.0.1:{port}/api/v1/resolve/acme/board", timeout=60) as response:
            major = int(response.headers["Target-Version"].partition(".")[0])
            answers.append(Answer(sent, response.status, major))
    return answers


def kill(server: Server) -> None:
    """Kill all processes of a node at once."""
    for pid in [server.pid, *descendants_of(server.pid)]:
        os.kill(pid, signal.SIGKILL)


def test_reads_survive_the_death_of_a_node_and_stay_fresh(tmp_path: Path) -> None:
    stopped, published = Event(), list[float]()
    with (
        nodes(tmp_path) as ((survivor, other), token),
        nginx(tmp_path, [survivor, other]) as port,
        ExitStack() as stack,
    ):
        client = Hammer(stack, [survivor.port], token, "board")

        def publish_for(seconds: float) -> None:
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                client.publish(cores=1 + len(published))  # the next MAJOR
                published.append(time.monotonic())

        publish_for(0.1)
        with ThreadPoolExecutor(READERS) as pool:
            jobs = [pool.submit(read_until, stopped, port) for _ in range(READERS)]
            try:
                publish_for(LOAD)
                kill(other)
                publish_for(LOAD)
            finally:
                stopped.set()
            answers = [answer for job in jobs for answer in job.result(timeout=60)]
    assert {answer.status for answer in answers} == {200}
    assert len(answers) > len(published) > 2
    for answer in answers:
        acknowledged = sum(moment <= answer.sent - MAX_SILENCE for moment in published)
        assert answer.major >= acknowledged
