"""The RSGI application of one server process; `manage.py serve` starts granian with it."""

from __future__ import annotations

import gc
import logging
import sys

# Nearly all objects of the start live until the end; looking for others is a sixth of it.
gc.disable()

from registry.wsgi import application as wsgi_application  # sets Django up

# isort: split
from django.conf import settings
from django.db import connection

from registry.http.access_log import log as access_log
from registry.server.answer_records import AnswerRecords
from registry.server.application import Application
from registry.server.garbage import keep_collections_short
from registry.server.idle_connections import IdleConnections, share_of_network
from registry.server.memory import Memory
from registry.server.replay import Replay
from registry.server.revisions import PostgresqlRevisions, SqliteRevisions
from registry.services.accounts import issuer_refresh
from registry.services.core import shipped_facts, usage
from registry.services.operations import replication
from registry.web.documents import library

SWITCH_INTERVAL = 0.001  # seconds that a thread may compute while another waits; Python's is 0.005


def _records() -> AnswerRecords:
    """Return the records of this process, which are logged if access is."""
    (handler,) = logging.getLogger().handlers
    if not access_log.isEnabledFor(logging.INFO) or not isinstance(handler, logging.StreamHandler):
        return AnswerRecords(None)
    return AnswerRecords(handler, as_json=settings.LOG == "json")


def _application() -> Application:
    """Return the application, with what its settings ask for."""
    is_postgresql = connection.vendor == "postgresql"
    reads_positions = is_postgresql and settings.STANDBY_LAG > 0
    replay, revisions = None, None
    if is_postgresql and (settings.RESPONSE_MEMORY or reads_positions):
        revisions = PostgresqlRevisions(settings.DATABASE_URL, reads_positions=reads_positions)
        replay = Replay(revisions.position) if reads_positions else None
    memory, close = None, None
    if settings.RESPONSE_MEMORY:
        known = revisions or SqliteRevisions(settings.DATABASES["default"]["NAME"])
        records = _records()
        memory, close = Memory(known, records, max_bytes=settings.RESPONSE_MEMORY), records.close
    return Application(
        wsgi_application,
        shortcut=memory,
        replay=replay,
        close=close,
        idle_connections=idle_connections,
    )


sys.setswitchinterval(SWITCH_INTERVAL)  # decision 153: a resolve waits for a page several times
usage.start(replication.is_standby)  # which would refuse them, every ten seconds
issuer_refresh.start()
library.pages()  # imports every page, too
shipped_facts.machine_names()  # 0.1 s that no search is to wait for

idle_connections = IdleConnections(share_of_network())
if not settings.PROXIES:  # all connections are those of a proxy, which bounds its clients
    idle_connections.start()

application = _application()

keep_collections_short()
gc.enable()
