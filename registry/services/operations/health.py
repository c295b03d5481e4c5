"""Readiness checks of this server."""

from __future__ import annotations

from django.db import DatabaseError

from registry.database import release_check
from registry.domain.errors import Code
from registry.models import triggers
from registry.services.core import database_errors
from registry.services.event_log import readiness
from registry.services.operations import replication, write_probe

FAILURES = {
    Code.STORAGE_FULL: "the storage is full: writes fail, reads work",
    Code.READ_ONLY: "the database is read-only: writes fail, reads work",
    Code.STORAGE_DAMAGED: "the database is damaged: restore the last backup into a new one",
}


def problems(*, check_writes: bool = True) -> list[str]:
    """Return the reasons why the server is not ready; an empty list if it is.

    Without `check_writes`, it only reads, as inside a snapshot.
    """
    try:
        if problem := release_check.problem():
            return [problem]
        missing = triggers.missing()
        if check_writes and replication.is_standby() and not missing:
            problem = replication.lag_problem()
            return [problem] if problem else []
        write_failure = write_probe.write_failure() if check_writes else None
        of_log = readiness.problems() if check_writes and write_failure is None else []
    except DatabaseError as error:
        refusal = database_errors.report(error)
        write_failure = refusal.code if refusal else None
        if write_failure is not Code.STORAGE_DAMAGED:
            return ["the database does not respond"]
    if write_failure:
        return [FAILURES[write_failure]]
    if missing:
        return [f"the trigger {name} is missing" for name in missing]
    return of_log
