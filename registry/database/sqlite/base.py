"""Django's backend for SQLite, except that only the owner of the database can read and write it.

It has password hashes, token digests and email addresses, and its folder is not always private. And
queries end with their deadline.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base

from registry.database import deadlines

PRIVATE = 0o600
COMPANIONS = ("-wal", "-shm", "-journal")  # SQLite gives new ones the mode of the database


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to a SQLite database, whose files it makes private."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.execute_wrappers.append(deadlines.refuse_late)

    def get_new_connection(self, conn_params: Any) -> Any:
        """Return a connection. Creates the file if there is none, as SQLite would."""
        if not self.is_in_memory_db():
            make_private(Path(conn_params["database"]))
        connection = super().get_new_connection(conn_params)
        connection.set_progress_handler(deadlines.has_passed, deadlines.STEPS)
        return connection


def make_private(path: Path) -> None:
    """Give a database and its companions the mode 0600, whatever umask and folder are.

    Leaves alone what belongs to another user or cannot be changed. SQLite reports what it cannot
    open.
    """
    with suppress(OSError):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
        os.fchmod(descriptor, PRIVATE)  # a umask may have taken bits of the owner
        os.close(descriptor)
    for name in (path, *(Path(f"{path}{ending}") for ending in COMPANIONS)):
        with suppress(OSError):
            if stat.S_IMODE(name.stat().st_mode) & ~PRIVATE:
                name.chmod(PRIVATE)
