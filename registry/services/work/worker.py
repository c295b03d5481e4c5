"""The worker: a thread for each task, so that none waits for another."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from threading import Event, Thread

from django.db import DatabaseError, connection

from registry.domain.errors import Refused
from registry.services.core import database_errors
from registry.services.work import leases
from registry.services.work.leases import Lease
from registry.services.work.tasks import Interrupted, Task, TaskFailed

PAUSE = 5  # seconds after a failure; tasks pause for longer before they are due again

log = logging.getLogger("registry.work")


class Worker:
    """Does tasks until it is stopped. Several workers of one database share them."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = tasks
        self._holder = leases.new_holder()
        self._is_stopping = Event()
        self._threads = [Thread(target=self._repeat, args=(task,)) for task in tasks]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End after the mail at hand; jobs are interrupted, and repeated by the next worker."""
        self._is_stopping.set()
        for thread in self._threads:
            thread.join()

    def do_once(self) -> list[str]:
        """Do what is due now, one task after the other; return the names of those that failed."""
        return [task.name for task in self._tasks if not self._attempt(task)]

    def _repeat(self, task: Task) -> None:
        while not self._is_stopping.is_set():
            has_failed = not self._attempt(task)
            connection.close()
            self._is_stopping.wait(max(task.interval, PAUSE) if has_failed else task.interval)

    def _attempt(self, task: Task) -> bool:
        """Do a task if it is due and nobody else does; return False if it failed."""
        try:
            return not task.is_due() or self._do(task)
        except Refused as refusal:
            log.warning("The task %s is put off: %s", task.name, refusal.detail)
        except Exception as error:  # a defect must not end the thread
            if database_errors.report(error) is None:
                log.exception("The task %s failed", task.name)
        return False

    def _do(self, task: Task) -> bool:
        """Do a task unless another worker does; return False if it failed."""
        lease = Lease(task.name, self._holder)
        if not lease.take():
            return True
        try:
            if task.is_due():  # another worker may have done it just now
                task.run(lambda: not self._is_stopping.is_set() and lease.renew())
                leases.record_success(task.name)
            return True
        except Interrupted:
            log.info("The task %s was interrupted", task.name)
        except TaskFailed as failure:
            number = leases.record_failure(task.name, str(failure))
            log.error("The task %s failed, attempt %d: %s", task.name, number, failure)
        except (DatabaseError, Refused):
            raise
        except Exception as error:
            log.exception("The task %s failed", task.name)
            leases.record_failure(task.name, type(error).__name__)
        finally:
            lease.release()
        return False
