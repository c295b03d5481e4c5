#!/usr/bin/env python3
"""Django's command line for the registry."""

import errno
import os
import sys
from importlib import import_module
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError

from registry.services.core import database_errors, request_ids


def main() -> None:
    # `write_mirror` uses the client of the same release.
    sys.path.insert(1, str(Path(__file__).resolve().with_name("client")))
    settings = os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
    try:
        import_module(settings)
    except ImproperlyConfigured as error:
        sys.exit(f"manage.py: {error}")  # a sentence for the operator, not a traceback
    with request_ids.request_context(request_ids.new_command_id(" ".join(sys.argv[1:2]))):
        try:
            execute_from_command_line(sys.argv)
        except (DatabaseError, OSError) as error:
            if sentence := outage(error):
                sys.exit(f"manage.py: {sentence}")
            raise


def outage(error: DatabaseError | OSError) -> str:
    """Return a sentence for a database that cannot serve, or for a full disk; or nothing."""
    if isinstance(error, OSError):
        is_outage = error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
        return f"{error.filename or 'The output'}: {error.strerror}." if is_outage else ""
    refusal = database_errors.refusal(error)
    return refusal.detail if refusal else ""


if __name__ == "__main__":
    main()
