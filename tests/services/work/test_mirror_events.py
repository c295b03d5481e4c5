"""The worker applies events to its mirror as they come."""

import json
from pathlib import Path

import pytest

from registry.domain.errors import Refused
from registry.services.event_log.appending import last_event_number
from registry.services.operations import mirroring
from registry.services.work.mirror_events import MirrorEvents
from registry.services.work.tasks import Interrupted
from registry.services.work.worker import Worker
from tests.publishing import WITHOUT_LINTS, publish
from ttag.mirror.writer import Writer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]
ADDRESS = "https://registry.example.org"


@pytest.fixture(autouse=True)
def unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for the disk, on which other tests write: no test survives a power failure."""
    monkeypatch.setattr("ttag.mirror.writer.flush_to_disk", lambda: None)


@pytest.fixture
def task(tmp_path: Path) -> MirrorEvents:
    return MirrorEvents(tmp_path, ADDRESS, [mirroring.writable_formats()["clang"]])


def event(folder: Path) -> int:
    number: int = json.loads((folder / "mirror.json").read_text())["event"]
    return number


def test_events_are_applied_once(task: MirrorEvents, tmp_path: Path) -> None:
    worker = Worker([task])
    assert worker.do_once() == []
    assert event(tmp_path) == last_event_number()
    assert not task.is_due()
    publish("acme/board", WITHOUT_LINTS)
    assert task.is_due()
    assert worker.do_once() == []
    assert event(tmp_path) == last_event_number()
    assert (tmp_path / "index/acme%2Fboard.json").exists()
    assert (tmp_path / "formats/clang/acme%2Fboard%401.0.0").exists()
    assert not task.is_due()


def test_mirror_that_another_run_writes_is_tried_again(task: MirrorEvents, tmp_path: Path) -> None:
    with Writer.open(tmp_path), pytest.raises(Refused, match="Another process is writing"):
        task.run(lambda: True)
    assert task.is_due()
    task.run(lambda: True)
    assert not task.is_due()


def test_long_run_ends_with_the_worker(task: MirrorEvents, tmp_path: Path) -> None:
    with pytest.raises(Interrupted):
        task.run(lambda: False)
    assert task.is_due()
    assert not (tmp_path / "mirror.json").exists()
    task.run(lambda: True)
    assert event(tmp_path) == last_event_number()
