"""Processor time of text searches among 100,000 tags, compared with SQLite's FTS5.

    python -m benchmarks.first_hits                     about 15 minutes, on both databases
    python -m benchmarks.first_hits PostgreSQL 20000    on one database, among fewer tags

All searches of `registry/catalogue/first_hits.json` run in this process, in turn with the same
words in an FTS5 table over the same texts, sorted by bm25; then those of `absent.json`. Times on
PostgreSQL include that of its process, which Linux counts. The share of wanted first hits is that
of the catalogue alone; then its copies are added.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import quantiles

from benchmarks.environments import DATABASES, Environment, print_line, run_manage

TAGS = 100_000
LIMIT = 50  # rows of a page
ROUNDS = 3
MEASURE = "measure"  # the argument of the process that searches

Search = Callable[[str], object]


def main() -> None:
    """Measure among the catalogue's tags, then among their copies."""
    arguments = sys.argv[1:]
    if arguments == [MEASURE]:
        measure()
        return
    total = arguments.pop() if arguments and arguments[-1].isdecimal() else str(TAGS)
    for database in arguments or DATABASES:
        print_line(f"{database}:")
        with DATABASES[database]() as environment:
            run_manage(environment, "load_catalogue")
            print_line(run_manage(environment, "find_wanted").strip().splitlines()[-1])
            run_module(environment, "copy_tags", total)
            run_module(environment, "first_hits", MEASURE)


def run_module(environment: Environment, name: str, *arguments: str) -> None:
    """Run another benchmark in a process of its own."""
    command = [sys.executable, "-m", f"benchmarks.{name}", *arguments]
    subprocess.run(command, env=environment, check=True)  # noqa: S603 - of this package


def measure() -> None:
    """Print the times of all searches, and their ratios to those of FTS5."""
    import django  # noqa: PLC0415 - needs a database

    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    django.setup()
    from registry.services.core import shipped_facts  # noqa: PLC0415 - after django.setup()
    from registry.services.search.search_query import SearchQuery  # noqa: PLC0415
    from registry.services.search.searching import search  # noqa: PLC0415

    def search_tags(text: str) -> object:
        return search(SearchQuery(text))

    texts = [text for group in shipped_facts.first_hits().values() for text in group]
    absent = [text for group in shipped_facts.absent().values() for text in group]
    peer = partial(search_peer, build_peer())
    own, other = [], []
    for text in texts:
        own.append(milliseconds(search_tags, text))
        other.append(milliseconds(peer, text))
    none = [milliseconds(search_tags, text) for text in absent]
    for name, times in (("registry", own), ("FTS5", other), ("absent", none)):
        median, high = percentile(times, 50), percentile(times, 95)
        print_line(f"{name:9} p50 {median:6.1f} ms, p95 {high:6.1f}, max {max(times):6.1f}")
    ratios = [percentile(own, rank) / percentile(other, rank) for rank in (50, 95)]
    print_line(f"registry : FTS5 {ratios[0]:.1f} at p50, {ratios[1]:.1f} at p95")


def build_peer() -> sqlite3.Connection:
    """Return a database with an FTS5 table of each tag's names, values and message."""
    from registry.models import Attribute, Entry, Name  # noqa: PLC0415 - after django.setup()

    texts: dict[int, list[str]] = {}
    for tag, name in Name.objects.values_list("tag", "text").iterator():
        texts.setdefault(tag, []).append(name)
    for tag, value in Attribute.objects.values_list("tag", "text").iterator():
        texts[tag].append(value)
    for tag, message in Entry.objects.values_list("pk", "version__message").iterator():
        texts[tag].append(message or "")
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE peer USING fts5(text)")
    rows = ((tag, " ".join(parts)) for tag, parts in texts.items())
    connection.executemany("INSERT INTO peer (rowid, text) VALUES (?, ?)", rows)
    return connection


def search_peer(connection: sqlite3.Connection, text: str) -> list[tuple[int]]:
    """Return the best matches of all words, completed, or else of any of them."""
    words = ['"' + word.replace('"', "") + '"*' for word in text.split()]
    statement = "SELECT rowid FROM peer WHERE peer MATCH ? ORDER BY bm25(peer) LIMIT ?"
    rows = connection.execute(statement, (" AND ".join(words), LIMIT)).fetchall()
    return rows or connection.execute(statement, (" OR ".join(words), LIMIT)).fetchall()


def milliseconds(search: Search, text: str) -> float:
    """Return the least processor time of some searches."""
    times = []
    for _ in range(ROUNDS):
        start = processor_seconds()
        search(text)
        times.append(1000 * (processor_seconds() - start))
    return min(times)


def processor_seconds() -> float:
    """Return the time of this process and of the one that PostgreSQL runs for its connection."""
    from django.db import connection  # noqa: PLC0415 - after django.setup()

    if connection.vendor != "postgresql":
        return time.process_time()
    connection.ensure_connection()
    backend = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
    return time.process_time() + int(backend.read_text().split()[0]) / 1e9


def percentile(times: Sequence[float], rank: int) -> float:
    """Return a percentile of some times."""
    return quantiles(times, n=100)[rank - 1]


if __name__ == "__main__":
    main()
