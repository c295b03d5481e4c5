"""Processor time of every GET route against the number of tags, right after a write.

    python -m benchmarks.size FOLDER FOLDER ...   folders as in REGISTRY_VAR, the smallest first
    python -m benchmarks.size URL URL ...         or databases on PostgreSQL, as in DATABASE_URL

Each has a database of its own, as `benchmarks.copy_tags` fills it. The requests run in a process
per database, one at a time, in turn. On PostgreSQL, which must run on this machine, the time of its
process counts as well. Before each, what the process keeps until the next
write is forgotten. `--statements PATH ...` instead prints the statements of requests that take
longest in the database of the environment, with their plans.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.environments import print_line

EXPLAIN = {"sqlite": "EXPLAIN QUERY PLAN", "postgresql": "EXPLAIN ANALYZE"}
TIMES = 5  # requests for each path; the least counts
TAG = "nvidia/geforce-rtx-4090"
SECTIONS = (
    *("tags", "resolved", "composition", "lineage", "used-by", "hardware", "versions"),
    *("source", "formats", "runs-on"),
)
LISTS = (
    *("q=4090", "q=nvidia", "q=gpu", "q=linux", "q=geforce rtx", "q=nothing-has-this"),
    *("namespace=nvidia", "kind=cuda", "vendor=NVIDIA", "arch=sm_89", "status=any"),
    *("sort=used", "sort=published", "sort=machines", "sort=memory", "sort=memory&kind=cuda"),
    *("where=num-cores>=8", "where=keys=cpu", "where=hardware.category=gpu", "where=arch=sm_89"),
    *("where=num-cores>=8&where=keys=cpu", "memory_min=24", "where=mattr=%2Bavx2&sort=memory"),
    "q=nvidia&where=num-cores>=8",
)
PATHS = (
    *(
        "/",
        "/kinds/",
        "/kinds/llvm",
        "/kinds/cuda",
        "/kinds/executor/aot",
        "/kinds/flow",
        "/kinds/hardware",
    ),
    *("/catalogue", "/namespaces/", "/namespaces/nvidia", "/namespaces/nvidia.atom"),
    *("/namespaces/aws", "/tags/", "/tags.csv?namespace=nvidia", "/suggestions?q=rtx"),
    *("/identify", "/submit", "/proposals/", "/events", "/events?namespace=nvidia", "/feed.atom"),
    *("/docs/", "/problems", "/robots.txt", "/sitemap.xml", "/sitemaps/tags-1.xml"),
    *(f"/sitemaps/{name}-1.xml" for name in ("namespaces", "pages")),
    *("/healthz", f"/tags/{TAG}.atom", f"/badges/{TAG}.svg"),
    *(f"/{section}/{TAG}" for section in SECTIONS),
    *(f"/compare?tag={TAG}&tag=nvidia/l4", f"/diff/{TAG}...nvidia/l4"),
    *(f"/tags/?{query}" for query in LISTS),
    *("/api/v1/kinds", "/api/v1/kinds/llvm", "/api/v1/catalogue", "/api/v1/namespaces"),
    *("/api/v1/namespaces/nvidia", "/api/v1/tags", "/api/v1/events", "/api/v1/openapi.json"),
    *(f"/api/v1/{name}/{TAG}" for name in ("resolve", "explain", "tags", "versions", "lineage")),
    *(f"/api/v1/{name}/{TAG}" for name in ("dependents",)),
    *(f"/api/v1/tags?{query}" for query in LISTS),
)


Server = subprocess.Popen[str]
_warm: set[str] = set()


def main(places: list[str]) -> None:
    """Measure every path in the databases in turn, and print a table with ratios."""
    servers = [_server(place) for place in places]
    counts = [_answer(server, "tags") for server in servers]
    heads = " | ".join(f"{count:,.0f} tags" for count in counts)
    print_line(f"| milliseconds of processor time | {heads} | ratio |")
    print_line(f"|---|{'---|' * len(servers)}---|")
    for path in PATHS:
        rounds = [[_answer(server, path) for server in servers] for _ in range(TIMES)]
        times = [min(column) for column in zip(*rounds, strict=True)]
        row = " | ".join(f"{milliseconds:.1f}" for milliseconds in times)
        print_line(f"| `{path}` | {row} | {times[-1] / times[0]:.2f} |")
    for server in servers:
        server.communicate()


def _server(place: str) -> Server:
    """Start a process that measures in the database of a folder or a URL."""
    database = {"DATABASE_URL": place} if "://" in place else {"REGISTRY_VAR": place}
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.size", "--measure"],
        env={**os.environ, "REGISTRY_RESPONSE_MEMORY": "0", **database},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _answer(server: Server, path: str) -> float:
    assert server.stdin  # noqa: S101 - pipes, as stated above
    assert server.stdout  # noqa: S101
    server.stdin.write(f"{path}\n")
    server.stdin.flush()
    if not (line := server.stdout.readline()):
        raise ChildProcessError(f"{path}: see the error above")
    return float(line)


def measure() -> None:
    """Print the milliseconds of each path that is read from the input; once it is warm."""
    client = _client()
    from registry.models import Tag  # noqa: PLC0415 - after django.setup()

    print_line(str(Tag.objects.count()) if sys.stdin.readline().strip() == "tags" else "")
    for line in sys.stdin:
        path = line.strip()
        try:
            if path not in _warm:
                _seconds(client, path)
                _warm.add(path)
            print_line(str(1000 * _seconds(client, path)))
        except ValueError as error:
            sys.stderr.write(f"{error}\n")
            print_line("inf")


def print_statements(paths: list[str]) -> None:
    """Print the statements of paths that take longest, with their plans."""
    client = _client()
    from django.db import connection  # noqa: PLC0415 - after django.setup()

    for path in paths:
        _seconds(client, path)
        timed: list[tuple[float, str, Any]] = []

        def execute(run: Any, sql: str, values: Any, *rest: Any, log: Any = timed) -> Any:
            start = time.perf_counter()
            cursor = run(sql, values, *rest)
            log.append((time.perf_counter() - start, sql, values))
            return cursor

        _forget()
        with connection.execute_wrapper(execute):
            client.get(path)
        print_line(f"{path}: {len(timed)} statements")
        for seconds, sql, values in sorted(timed, key=lambda row: -row[0])[:3]:
            print_line(f"  {1000 * seconds:.1f} ms  {sql[:1500]}  {values!r:.300}")
            with connection.cursor() as cursor:
                cursor.execute(f"{EXPLAIN[connection.vendor]} {sql}", values)
                for *_, step in cursor.fetchall():
                    print_line(f"      {step}")


def _client() -> Any:
    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    import django  # noqa: PLC0415 - needs a database

    django.setup()
    import logging  # noqa: PLC0415

    from django.conf import settings  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    logging.disable(logging.CRITICAL)
    settings.ALLOWED_HOSTS = ["*"]
    return Client()


def _seconds(client: Any, path: str) -> float:
    """Return the processor time of a request. Raise ValueError unless it succeeds."""
    _forget()
    start = time.process_time() + _seconds_of_database()
    response = client.get(path)
    content = b"".join(response) if response.streaming else response.content
    seconds = time.process_time() + _seconds_of_database() - start
    if response.status_code != 200:
        raise ValueError(f"{path}: {response.status_code} {content[:300]!r}")
    return seconds


def _seconds_of_database() -> float:
    """Return the processor time of PostgreSQL's process for this one; 0 on SQLite."""
    from django.db import connection  # noqa: PLC0415 - after django.setup()

    if connection.vendor != "postgresql":
        return 0.0
    connection.ensure_connection()
    driver_connection: Any = connection.connection
    statistics = Path(f"/proc/{driver_connection.info.backend_pid}/schedstat").read_text()
    return int(statistics.split()[0]) / 1e9


def _forget() -> None:
    """Forget what is kept until the next write."""
    from registry.services.core.memory_cache import cache  # noqa: PLC0415 - after django.setup()

    cache.clear()


if __name__ == "__main__":
    if "--measure" in sys.argv:
        measure()
    elif "--statements" in sys.argv:
        print_statements(sys.argv[2:])
    else:
        main(sys.argv[1:])
