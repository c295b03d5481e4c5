"""Duration of publishing onto an inheritance chain of depth 16, compared with depth 1.

python -m benchmarks.publish            about half a minute
"""

# ruff: noqa: S603 - runs this module

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from statistics import median

from benchmarks.environments import DATABASES, print_line, run_manage

DEPTH = 16
ROUNDS = 60


def main() -> None:
    """Measure on both databases, each in a process of its own."""
    for database, empty in DATABASES.items():
        with empty() as environment:
            run_manage(environment, "load_catalogue")
            command = [sys.executable, "-m", "benchmarks.publish", "measure"]
            output = subprocess.run(
                command, env=environment, stdout=subprocess.PIPE, text=True, check=True
            ).stdout
        shallow, deep = json.loads(output)
        print_line(f"{database}: medians of {ROUNDS} publications each, in turn")
        for depth, result in ((1, shallow), (DEPTH, deep)):
            duration, queries = median(result["seconds"]), set(result["queries"])
            print_line(f"  depth {depth:2}: {1000 * duration:.1f} ms, {sorted(queries)} queries")
        ratio = median(deep["seconds"]) / median(shallow["seconds"])
        print_line(f"  ratio 1 : {ratio:.2f}")


def measure() -> None:
    """Publish onto the first and the last link of a chain in turn; write the results as JSON."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    import django  # noqa: PLC0415 - needs a database

    django.setup()
    from django.db import connection  # noqa: PLC0415 - after django.setup()
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    from registry.models import User  # noqa: PLC0415
    from registry.services.core.permissions import Actor  # noqa: PLC0415 - after django.setup()
    from registry.services.namespaces import namespaces  # noqa: PLC0415
    from tests.publishing import chain, publish  # noqa: PLC0415

    alice = User.objects.create_user("alice")
    namespaces.create_namespace("acme", actor=Actor.operator(alice))
    last = chain(DEPTH)
    parents = {"shallow": "acme/link-0", "deep": last}
    results: dict[str, dict[str, list[float]]] = {
        name: {"seconds": [], "queries": []} for name in parents
    }
    for index in range(ROUNDS):
        for name, parent in parents.items():
            body = {"tag": parent, "num-cores": 1000 + index}
            with CaptureQueriesContext(connection) as captured:
                publish(f"acme/{name}-counted-{index}", body)
            results[name]["queries"].append(len(captured))
            start = time.perf_counter()
            publish(f"acme/{name}-{index}", body)
            results[name]["seconds"].append(time.perf_counter() - start)
    sys.stdout.write(json.dumps(list(results.values())))


if __name__ == "__main__":
    measure() if sys.argv[1:] == ["measure"] else main()
