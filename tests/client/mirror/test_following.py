"""A mirror that follows a registry: every change within seconds, and little asked meanwhile."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tests.client.conftest import Ttag
from tests.client.log.fake_registry import FakeRegistry, served
from tests.client.publisher import HASWELL, MINOR, Publisher
from tests.client.scripted_server import ScriptedServer, problem
from tests.databases import ROOT
from tests.patience import PATIENCE
from ttag import Mirror, Registry, SettingsError
from ttag.errors import ExitCode
from ttag.mirror.following import Follower
from ttag.mirror.mirroring import write_mirror

GOAL = 5.0  # seconds from a commit to a mirror on another machine


@contextmanager
def following(follower: Follower) -> Iterator[Follower]:
    """Run a follower in a thread, from its first look that succeeds."""
    thread = Thread(target=follower.run)
    thread.start()
    try:
        wait_until(lambda: follower.freshness.confirmed > 0)
        yield follower
    finally:
        follower.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def wait_until(is_done: Callable[[], bool]) -> float:
    """Return after how many seconds something was true."""
    start = time.monotonic()
    while not is_done():
        assert time.monotonic() - start < PATIENCE
        time.sleep(0.02)
    return time.monotonic() - start


@pytest.fixture
def fake() -> Iterator[FakeRegistry]:
    registry = FakeRegistry()
    registry.publish("acme/board")
    with served(registry):
        yield registry


def test_changes_arrive_within_the_goal(publisher: Publisher, tmp_path: Path) -> None:
    lines: list[str] = []
    tag = publisher.new_tag(HASWELL)
    follower = Follower(
        Registry(publisher.address), tmp_path, ["acme"], ["clang"], report=lines.append
    )
    mirror = tmp_path.as_uri()
    with following(follower):
        assert follower.freshness.full_runs == 1
        version = publisher.publish(tag, MINOR)
        published = wait_until(lambda: Mirror.open(mirror).resolve(tag).version == version)
        publisher.yank(f"{tag}@{version}", "a test")
        yanked = wait_until(lambda: Mirror.open(mirror).resolve(tag).version != version)
        publisher.point("acme/Short", f"{tag}@1")
        wait_until((tmp_path / "index/acme%2F%53hort.json").exists)
        wait_until(lambda: len(lines) == 4)
    assert max(published, yanked) < GOAL + 5, "five seconds, and as many for a busy machine"
    assert follower.freshness.full_runs == 1
    assert [line.split(": ", 1)[1] for line in lines[1:]] == [
        f"version.published {tag}@{version}",
        f"version.yanked {tag}@{version}",
        f"alias.pointed acme/Short to {tag}@1",
    ]


def test_mirror_that_followed_is_the_one_of_a_full_run(
    publisher: Publisher, tmp_path: Path
) -> None:
    base = publisher.new_tag(HASWELL)
    heir = publisher.new_tag({"tag": base})
    followed, whole = tmp_path / "followed", tmp_path / "whole"
    registry = Registry(publisher.address)
    write_mirror(registry, followed, namespaces=["acme"], formats=["clang"])
    publisher.publish(base, MINOR)
    publisher.yank(f"{base}@1.0.0", "a test")
    publisher.point(f"{heir}-alias", heir)
    publisher.deprecate(heir, "a test", base)
    summary = write_mirror(registry, followed, namespaces=["acme"], formats=["clang"])
    assert not summary.reason
    write_mirror(registry, whole, namespaces=["acme"], formats=["clang"])
    assert contents(followed) == contents(whole)
    (version,) = [each for each in versions(followed, heir) if each["version"] == "1.0.0"]
    assert [each["code"] for each in version["warnings"]] == ["DEPRECATED", "PARENT_YANKED"]


def contents(root: Path) -> dict[str, bytes]:
    """Return the files of a mirror by path, less those with the time of the run."""
    paths = [path for path in root.rglob("*") if path.is_file()]
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    del files["mirror.json"], files["SHA256SUMS"]
    return files


def versions(root: Path, tag: str) -> list[dict[str, Any]]:
    index = root / "index" / f"{tag.replace('/', '%2F')}.json"
    document: list[dict[str, Any]] = json.loads(index.read_text())["versions"]
    return document


def test_nothing_but_the_checkpoint_is_asked_for_while_nothing_happens(
    fake: FakeRegistry, tmp_path: Path
) -> None:
    with following(Follower(Registry(fake.address), tmp_path, interval=0.5)) as follower:
        fake.requested.clear()
        looks = follower.freshness.looks
        wait_until(lambda: follower.freshness.looks >= looks + 2)
    assert set(fake.requested) == {"log/checkpoint"}
    assert len(fake.requested) <= 4


def test_registry_that_is_away_is_asked_less_and_less_and_then_followed_again(
    fake: FakeRegistry, tmp_path: Path
) -> None:
    warnings: list[str] = []
    lines: list[str] = []
    follower = Follower(
        Registry(fake.address, timeout=1.0),
        tmp_path,
        report=lines.append,
        warn=warnings.append,
        interval=0.2,
    )
    with following(follower):
        fake.files["checkpoint"] = b"no checkpoint"
        fake.publish("acme/board")
        wait_until(lambda: follower.freshness.failures >= 2)
        assert follower.freshness.problem
        assert len(warnings) == 1, "an outage is one warning"
        assert not follower.look_now(1.0), "readers do not make it ask more often"
        assert Mirror.open(tmp_path.as_uri()).resolve("acme/board").version == "1.0.0"
        del fake.files["checkpoint"]
        wait_until(lambda: not follower.freshness.problem)
        assert Mirror.open(tmp_path.as_uri()).resolve("acme/board").version == "1.1.0"
    assert "the registry answers again" in lines


def test_registry_without_a_log_cannot_be_followed(server: ScriptedServer, tmp_path: Path) -> None:
    server.responses = [problem("ROUTE_UNKNOWN", 404, "There is no such route.")]
    with pytest.raises(SettingsError, match="has no log, without which its changes are unknown"):
        Follower(Registry(server.address), tmp_path).run()


@contextmanager
def run_command(fake: FakeRegistry, folder: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run `ttag mirror copy` in a process of its own."""
    command = [sys.executable, "-m", "ttag", "mirror", "copy", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "client"), "TTAG_REGISTRY": fake.address}
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_the_command_cleanly(
    fake: FakeRegistry, tmp_path: Path, number: signal.Signals
) -> None:
    with run_command(fake, tmp_path, "--follow") as process:
        assert process.stdout
        first = process.stdout.readline()
        assert "everything was read, because there is no mirror yet" in first
        event = fake.publish("acme/board")
        line = process.stdout.readline()
        assert line == f"event {event}: version.published acme/board@1.1.0\n"
        process.send_signal(number)
        assert process.wait(PATIENCE) == 0
    assert not (tmp_path / "copy" / ".unfinished").exists()
    assert Mirror.open((tmp_path / "copy").as_uri()).resolve("acme/board").version == "1.1.0"


class HeldRegistry(FakeRegistry):
    """A registry that keeps one path waiting until a test lets it go."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path, self.is_asked, self.may_answer = path, Event(), Event()

    def answer(self, path: str, query: dict[str, list[str]]) -> Any:
        if path == self.path:
            self.is_asked.set()
            assert self.may_answer.wait(PATIENCE)
        return super().answer(path, query)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("path", ["log/checkpoint", "events"])
def test_signal_before_the_mirror_is_whole_is_no_success(
    tmp_path: Path, path: str, number: signal.Signals
) -> None:
    held = HeldRegistry(path)
    held.publish("acme/board")
    with served(held), run_command(held, tmp_path, "--follow") as process:
        assert held.is_asked.wait(PATIENCE)
        process.send_signal(number)
        held.may_answer.set()
        assert process.wait(PATIENCE) == 128 + number
        assert process.stderr
        assert "Traceback" not in process.stderr.read()
    assert not (tmp_path / "copy" / "index").exists()


def test_signal_in_a_later_look_is_a_success(tmp_path: Path) -> None:
    held = HeldRegistry("events")
    held.publish("acme/board")
    held.may_answer.set()
    with served(held), run_command(held, tmp_path, "--follow") as process:
        assert process.stdout
        assert "everything was read" in process.stdout.readline()
        held.path = "log/checkpoint"
        held.is_asked.clear()
        held.may_answer.clear()
        assert held.is_asked.wait(PATIENCE)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        held.may_answer.set()


def test_command_answers_while_it_follows(fake: FakeRegistry, tmp_path: Path) -> None:
    options = ["--follow", "--serve", "127.0.0.1:0", "--json"]
    with run_command(fake, tmp_path, *options) as process:
        assert process.stdout
        assert process.stderr
        address = process.stderr.readline().split()[-1]
        change = json.loads(process.stdout.readline())["change"]
        assert change.startswith("everything was read")
        assert Registry(address).resolve("acme/board").version == "1.0.0"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--serve", "127.0.0.1:8000"], "--serve needs --follow"),
        (["--follow", "--serve", "8000"], "'8000' is not HOST:PORT"),
        (["--follow", "--serve", "127.0.0.1:99999"], "is not HOST:PORT"),
        (["--follow", "--serve", "192.0.2.1:1"], "192.0.2.1:1 cannot be served"),
    ],
)
def test_wrong_address_is_refused(ttag: Ttag, options: list[str], message: str) -> None:
    run = ttag("mirror", "copy", *options)
    assert run.code == ExitCode.USAGE
    assert message in run.err
