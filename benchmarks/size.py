"""Processor time of every GET route against the number of tags, right after a write.

    python -m benchmarks.size FOLDER FOLDER ...   folders as in REGISTRY_VAR, the smallest first

Each folder has a database of its own, as `benchmarks.copy_tags` fills it. The requests run in a
process per database, one at a time. Before each, what the process keeps until the next write is
forgotten: that is the request which readers wait for. `--statements` prints those that take
longest in the last database, with the plan of SQLite.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.environments import print_line

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


def main(folders: list[str]) -> None:
    """Measure every path in each folder, and print a table with the ratio of last and first."""
    columns = [_measured_in(folder) for folder in folders]
    counts = [column.pop("tags") for column in columns]
    heads = " | ".join(f"{count:,.0f} tags" for count in counts)
    print_line(f"| milliseconds of processor time | {heads} | ratio |")
    print_line(f"|---|{'---|' * len(columns)}---|")
    for path in columns[0]:
        times = [column[path] for column in columns]
        row = " | ".join(f"{seconds:.1f}" for seconds in times)
        print_line(f"| `{path}` | {row} | {times[-1] / times[0]:.2f} |")


def _measured_in(folder: str) -> dict[str, float]:
    """Return the milliseconds of each path with the database of a folder."""
    command = [sys.executable, "-m", "benchmarks.size", "--measure"]
    environment = {**os.environ, "REGISTRY_VAR": folder, "REGISTRY_RESPONSE_MEMORY": "0"}
    printed = subprocess.run(  # noqa: S603 - runs this module
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    measured: dict[str, float] = json.loads(printed.splitlines()[-1])
    return measured


def measure() -> None:
    """Print the milliseconds of each path, as JSON."""
    client = _client()
    from registry.models import Tag  # noqa: PLC0415 - after django.setup()

    times = {path: 1000 * min(_seconds(client, path)) for path in PATHS}
    print_line(json.dumps({"tags": Tag.objects.count(), **times}))


def print_statements(paths: list[str]) -> None:
    """Print the statements of paths that take longest, with their plans."""
    client = _client()
    from django.db import connection  # noqa: PLC0415 - after django.setup()

    for path in paths:
        list(_seconds(client, path))
        timed: list[tuple[float, str, Any]] = []

        def execute(run: Any, sql: str, values: Any, *rest: Any, log: Any = timed) -> Any:
            start = time.process_time()
            cursor = run(sql, values, *rest)
            log.append((time.process_time() - start, sql, values))
            return cursor

        _forget()
        with connection.execute_wrapper(execute):
            client.get(path)
        print_line(f"{path}: {len(timed)} statements")
        for seconds, sql, values in sorted(timed, key=lambda row: -row[0])[:3]:
            print_line(f"  {1000 * seconds:.1f} ms  {sql[:1500]}  {values!r:.300}")
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}", values)
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


def _seconds(client: Any, path: str) -> Iterator[float]:
    """Yield the processor time of requests. Raise ValueError unless they succeed."""
    for _ in range(TIMES):
        _forget()
        start = time.process_time()
        response = client.get(path)
        content = b"".join(response) if response.streaming else response.content
        yield time.process_time() - start
        if response.status_code != 200:
            raise ValueError(f"{path}: {response.status_code} {content[:300]!r}")


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
