"""The command line of the registry: `manage.py`, or `target-tag-registry` if it is installed."""

from __future__ import annotations

import errno
import os
import signal
import sys
from importlib import import_module
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError
from django.db.backends.signals import connection_created

from registry.database import release_check
from registry.services.core import database_errors, request_ids

# Operators mend these: space, permissions, limits on the size of files, and disks that fail.
OF_DISK = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EFBIG, errno.EIO}
)


def main() -> None:
    """Run the command that is named; exit with a sentence if the site cannot serve.

    Ctrl-C ends it with 130, as a shell and `ttag` say it, and no traceback.
    """
    program = Path(sys.argv[0]).name
    settings = os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
    try:
        import_module(settings)
    except ImproperlyConfigured as error:
        sys.exit(f"{program}: {error}")  # a sentence for the operator, not a traceback
    except OSError as error:  # of REGISTRY_VAR, or a file in it
        sys.exit(f"{program}: {error.filename}: {error.strerror}; REGISTRY_VAR names the folder.")
    connection_created.connect(release_check.check_first_connection)
    with request_ids.request_context(request_ids.new_command_id(" ".join(sys.argv[1:2]))):
        try:
            execute_from_command_line(sys.argv)
        except (DatabaseError, OSError) as error:
            if sentence := reason(error):
                sys.exit(f"{program}: {sentence}")
            raise
        except (
            KeyboardInterrupt
        ):  # what it had begun is rolled back, and parts of files are deleted
            sys.exit(128 + signal.SIGINT)


def reason(error: DatabaseError | OSError) -> str:
    """Return a sentence for a disk or a database that cannot serve; or nothing."""
    if isinstance(error, OSError):
        is_of_disk = error.errno in OF_DISK
        return f"{error.filename or 'The output'}: {error.strerror}." if is_of_disk else ""
    if sentence := database_errors.damage(error) or database_errors.failed_access(error):
        return sentence
    if refusal := database_errors.refusal(error):
        return refusal.detail
    is_migrating = sys.argv[1:2] == ["migrate"]  # and then the error is the news
    is_cause = not is_migrating and release_check.problem() == release_check.NOT_MIGRATED
    return release_check.UNMIGRATED if is_cause else ""
