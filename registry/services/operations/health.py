"""Readiness checks of this server."""

from __future__ import annotations

from django.db import DatabaseError

from registry.database import release_check
from registry.domain.errors import Code
from registry.models import triggers
from registry.services.core import database_errors
from registry.services.event_log import readiness
from registry.services.operations import replication, write_probe


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
        database_errors.report(error)
        return ["the database does not respond"]
    if write_failure is Code.STORAGE_FULL:
        return ["the storage is full: writes fail, reads work"]
    if write_failure is Code.READ_ONLY:
        return ["the database is read-only: writes fail, reads work"]
    if missing:
        return [f"the trigger {name} is missing" for name in missing]
    return of_log
