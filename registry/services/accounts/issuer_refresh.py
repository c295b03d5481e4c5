"""Fetches the keys of identity providers before jobs need them, in each server process."""

from __future__ import annotations

import logging
import threading

from django.conf import settings
from django.db import DatabaseError, connection

from registry.models import TrustedPublisher
from registry.services.accounts.issuer_keys import issuer_keys
from registry.services.core import database_errors
from registry.services.namespaces.trusted_publishers import trusted_issuers

INTERVAL = 60  # seconds until the keys of a new provider are fetched

log = logging.getLogger("registry.trusted_publishing")


def start() -> None:
    """Start the thread that keeps keys, where trusted publishing is on."""
    if settings.ADDRESS and trusted_issuers():
        threading.Thread(target=_run, name="issuer-refresh").start()


def _run() -> None:
    main = threading.main_thread()
    while main.is_alive():
        try:
            refresh()
        except DatabaseError as error:
            if database_errors.report(error) is None:
                log.exception("The keys of identity providers are not refreshed.")
        finally:
            connection.close()
        main.join(INTERVAL)


def refresh() -> None:
    """Let the keys be fetched that trusted publishers in force may need soon. One query."""
    publishers = TrustedPublisher.objects.filter(issuer__in=trusted_issuers(), revoked=None)
    issuer_keys.refresh(publishers.values_list("issuer", flat=True).distinct())
