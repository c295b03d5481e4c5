"""The worker: each task by one process, whatever others do, and what is recorded of it."""

import logging
from collections.abc import Callable

import pytest
from django.db import OperationalError

from registry.domain.errors import Code, Refused
from registry.models import Duty
from registry.services.work.leases import Lease
from registry.services.work.tasks import GoOn, Interrupted, TaskFailed
from registry.services.work.worker import Worker

pytestmark = pytest.mark.django_db


class Task:
    """A task that counts its runs, and does what a test wants."""

    interval = 0.01

    def __init__(self, name: str = "mail", run: Callable[[], object] = lambda: None) -> None:
        self.name = name
        self.runs = 0
        self.due = [True]
        self._run = run

    def is_due(self) -> bool:
        return self.due.pop(0) if len(self.due) > 1 else self.due[0]

    def run(self, may_go_on: GoOn) -> None:
        assert may_go_on()
        self.runs += 1
        self._run()


def raising(error: Exception) -> Callable[[], object]:
    def run() -> object:
        raise error

    return run


def test_success_is_recorded_and_the_lease_released() -> None:
    task = Task()
    assert Worker([task]).do_once() == []
    duty = Duty.objects.get()
    assert (task.runs, duty.name, duty.failures) == (1, "mail", 0)
    assert duty.succeeded is not None
    assert (duty.holder, duty.held_until) == ("", None)


def test_task_that_is_not_due_writes_nothing() -> None:
    task = Task()
    task.due = [False]
    Worker([task]).do_once()
    assert task.runs == 0
    assert not Duty.objects.exists()


def test_task_that_another_worker_does_is_left_to_it() -> None:
    task = Task()
    Lease("mail", "another").take()
    assert Worker([task]).do_once() == []
    assert task.runs == 0


def test_task_that_another_worker_has_just_done_is_not_repeated() -> None:
    task = Task()
    task.due = [True, False]
    Worker([task]).do_once()
    assert task.runs == 0
    assert Duty.objects.get().succeeded is None


@pytest.mark.parametrize(
    ("error", "reason"),
    [(TaskFailed("2 findings."), "2 findings."), (ZeroDivisionError(), "ZeroDivisionError")],
)
def test_failure_is_recorded_logged_and_holds_no_other(
    error: Exception, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = Task("verify", raising(error)), Task("backup")
    assert Worker([first, second]).do_once() == ["verify"]
    duty = Duty.objects.get(name="verify")
    assert (duty.failures, duty.reason, duty.succeeded) == (1, reason, None)
    assert duty.held_until is None
    assert second.runs == 1
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_defect_in_a_look_holds_no_other(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Task):
        def is_due(self) -> bool:
            raise ZeroDivisionError

    second = Task("backup")
    Worker([Broken(), second]).do_once()
    assert second.runs == 1
    assert "The task mail failed" in caplog.text


@pytest.mark.parametrize(
    "error", [Interrupted(), Refused(Code.BUSY, "busy"), OperationalError("gone")]
)
def test_interruption_is_neither_success_nor_failure(error: Exception) -> None:
    first, second = Task("verify", raising(error)), Task("backup")
    Worker([first, second]).do_once()
    duty = Duty.objects.get(name="verify")
    assert (duty.failures, duty.failed, duty.succeeded, duty.held_until) == (0, None, None, None)
    assert second.runs == 1
