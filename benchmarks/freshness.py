"""The time after which an acknowledged change is in every answer.

    python -m benchmarks.freshness          about a minute

Clients change tags and resolve them through all processes at once. On SQLite, one server has two
processes; on PostgreSQL, two servers have one each.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from statistics import quantiles

from benchmarks.environments import print_line
from tests.postgres import postgres
from tests.stale_answers.nodes import hammer_all, nodes

SECONDS = 20


def main() -> None:
    """Measure on both databases."""
    os.environ.pop("DATABASE_URL", None)
    os.environ.setdefault("SECRET_KEY", "the key of a temporary registry")
    measure("SQLite")
    with postgres() as url:
        os.environ["DATABASE_URL"] = url
        measure("PostgreSQL")


def measure(database: str) -> None:
    """Print the distribution of delays over all changes."""
    with tempfile.TemporaryDirectory() as folder, nodes(Path(folder)) as (servers, token):
        results = hammer_all([server.port for server in servers], token, SECONDS)
    delays = [delay for result in results for delay in result.delays]
    percentiles = quantiles(delays, n=100, method="inclusive")
    answers = sum(result.answers for result in results)
    print_line(
        f"{database}: {len(delays)} checks of {answers} answers; the last stale answer came "
        f"{1000 * percentiles[49]:.1f} ms (median), {1000 * percentiles[98]:.1f} ms (99 %), "
        f"{1000 * max(delays):.1f} ms (most) after the acknowledgement"
    )


if __name__ == "__main__":
    main()
