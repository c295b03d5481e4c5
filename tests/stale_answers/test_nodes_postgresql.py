"""Two nodes behind nginx, as docs/operating/nodes.conf configures it: one is killed under load."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from urllib.request import urlopen

from registry.server.revisions import MAX_SILENCE
from tests.nginx import nodes_behind_nginx
from tests.patience import PATIENCE
from tests.serving import Server
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


def read_until(stopped: Event, port: int) -> list[Answer]:
    """Resolve a tag again and again, each time with a connection of its own."""
    answers = []
    while not stopped.is_set():
        sent = time.monotonic()
        with urlopen(
            f"http://127.0.0.1:{port}/api/v1/resolve/acme/board", timeout=PATIENCE
        ) as response:
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
        nodes_behind_nginx(tmp_path, [survivor.port, other.port]) as port,
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
            answers = [answer for job in jobs for answer in job.result(timeout=PATIENCE)]
    assert {answer.status for answer in answers} == {200}
    assert len(answers) > len(published) > 2
    for answer in answers:
        acknowledged = sum(moment <= answer.sent - MAX_SILENCE for moment in published)
        assert answer.major >= acknowledged
