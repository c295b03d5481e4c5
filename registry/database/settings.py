"""Django's settings for a database on PostgreSQL, and for one in a SQLite file."""

from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from registry.environment.variables import positive_count

# The server plans a prepared statement once. By default it would plan each execution, because it
# expects ten values in an array, and so a higher cost than for the one that comes.
GENERIC_PLANS = "-c plan_cache_mode=force_generic_plan"
# Pages that it looks up are in memory, or on disks without a head that moves (decision 192). By
# default it takes one for four pages in a row, and reads a whole table instead of hundreds of rows.
NEAR_PAGES = "-c random_page_cost=1.1"

TIMEOUTS: dict[str, Any] = {  # of connections to PostgreSQL
    "connect_timeout": 5,  # seconds
    "tcp_user_timeout": 5_000,  # milliseconds, for a server that has lost its network
}


def postgresql(url: str) -> dict[str, Any]:
    """Return the database settings for a libpq connection URL."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    from registry.database.postgresql.outage import TrackedConnection

    try:
        options = conninfo_to_dict(url)
    except ProgrammingError:
        options = {}  # libpq's message would contain the password
    if not url.startswith(("postgres://", "postgresql://")) or "dbname" not in options:
        raise ImproperlyConfigured(
            "DATABASE_URL must read postgres://user:password@host:port/name."
        )
    return {
        "ENGINE": "registry.database.postgresql",
        "NAME": options.pop("dbname"),
        "USER": options.pop("user", ""),
        "PASSWORD": options.pop("password", ""),
        "HOST": options.pop("host", ""),
        "PORT": options.pop("port", ""),
        "CONN_MAX_AGE": 0,  # the pool keeps the connections
        "CONN_HEALTH_CHECKS": True,  # replaces connections after a restart of PostgreSQL
        "OPTIONS": {
            **TIMEOUTS,
            "prepare_threshold": 1,  # executions, of prepared cursors only
            **options,
            # Options in the URL come last and win.
            "options": f"{GENERIC_PLANS} {NEAR_PAGES} {options.get('options', '')}".strip(),
            "pool": {
                "min_size": 1,
                "max_size": positive_count("DATABASE_POOL_SIZE", 10),  # one per thread of a process
                "timeout": 0.1,  # seconds; the backend repeats it, for 5 s in all
                "reconnect_timeout": 1,  # seconds; the next request then connects
                "connection_class": TrackedConnection,
            },
        },
    }


def sqlite(path: Path) -> dict[str, Any]:
    """Return the database settings for a SQLite file."""
    return {
        "ENGINE": "registry.database.sqlite",
        "NAME": path,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # A deferred transaction can fail when it first writes; this one waits for the lock.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,  # seconds; SQLite's busy_timeout
            "init_command": (  # Django turns foreign_keys on itself
                "PRAGMA journal_mode=WAL;"  # readers and the writer do not block each other
                "PRAGMA synchronous=FULL;"  # what was acknowledged survives a power failure
                "PRAGMA recursive_triggers=ON;"  # makes REPLACE fire delete triggers
            ),
        },
    }
