"""Duration of impact and rebase for 10,000 dependents, compared with 1,000 and with publishing.

python -m benchmarks.dependents         about twelve minutes
"""

# ruff: noqa: S603 - runs this module

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.environments import DATABASES, Environment, print_line, run_manage

SIZES = (1_000, 10_000)
DIRECT = 100  # dependents of the base; the others depend on these
INDIVIDUAL = 100  # versions published one by one, for comparison

BASE = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 4}


def main() -> None:
    """Measure on both databases, each step in its own process, to measure its memory."""
    for database, empty in DATABASES.items():
        print_line(database)
        durations = {}
        for size in SIZES:
            with empty() as environment:
                run_manage(environment, "load_catalogue")
                _run(environment, "seed", size)
                individual = _run(environment, "individual", size)
                impact = _run(environment, "impact", size)
                rebase = _run(environment, "rebase", size)
            durations[size] = (impact["seconds"], rebase["seconds"])
            for name, result in (("impact", impact), ("rebase", rebase)):
                print_line(
                    f"  {name} of {size:,}: {result['seconds']:.1f} s, "
                    f"{result['queries']} queries, {result['memory']:.0f} MiB memory growth"
                )
            ratio = individual["seconds"] / INDIVIDUAL / (rebase["seconds"] / size)
            print_line(f"  rebasing : publishing individually, 1 : {ratio:.1f}")
        few, many = (durations[size] for size in SIZES)
        print_line(f"  1,000 : 10,000 dependents, impact 1 : {many[0] / few[0]:.1f}")
        print_line(f"  1,000 : 10,000 dependents, rebase 1 : {many[1] / few[1]:.1f}")


def _run(environment: Environment, step: str, size: int) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.dependents", step, str(size)]
    process = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    result: dict[str, float] = json.loads(process.stdout)
    return result


def _step(name: str, size: int) -> dict[str, float]:
    """Run and measure one step on the database that the environment names."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    import django  # noqa: PLC0415 - needs a database

    django.setup()
    from registry.domain.reference import Tag  # noqa: PLC0415
    from registry.models import User  # noqa: PLC0415 - after django.setup()
    from registry.services.core.permissions import Actor  # noqa: PLC0415 - after django.setup()
    from registry.services.core.transactions import write_lock  # noqa: PLC0415
    from registry.services.namespaces import namespaces  # noqa: PLC0415
    from registry.services.versions import checking, impact, rebasing  # noqa: PLC0415
    from tests.publishing import publish  # noqa: PLC0415

    alice, _ = User.objects.get_or_create(username="alice", is_staff=True)
    base = Tag.parse("acme/base")

    def seed() -> int:
        namespaces.create_namespace("acme", actor=Actor.operator(alice))
        with write_lock():
            publish("acme/base", BASE)
            for index in range(size):
                is_direct = index < DIRECT
                parent = "acme/base" if is_direct else f"acme/child-{index % DIRECT}"
                publish(f"acme/child-{index}", {"tag": parent, "model": f"board-{index}"})
        return size

    def individual() -> int:
        for index in range(INDIVIDUAL):
            publish(f"acme/single-{index}", {"tag": "acme/child-0", "model": f"single-{index}"})
        return INDIVIDUAL

    def count_effects() -> int:
        draft = checking.check(base, json.dumps(BASE | {"mcpu": "znver3"}))
        return sum(1 for _ in impact.iterate_effects(draft))

    def rebase() -> int:
        publish("acme/base", BASE | {"mcpu": "znver3"})
        outcome = rebasing.rebase(rebasing.plan_rebase([base]), actor=Actor.operator(alice))
        return len(outcome.published)

    steps: dict[str, Callable[[], int]] = {
        "seed": seed,
        "individual": individual,
        "impact": count_effects,
        "rebase": rebase,
    }
    return _measure(steps[name])


def _measure(step: Callable[[], int]) -> dict[str, float]:
    from django.db import connection  # noqa: PLC0415 - after django.setup()

    queries = 0

    def count(execute: Callable[..., Any], *arguments: Any) -> Any:
        nonlocal queries
        queries += 1
        return execute(*arguments)

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    with connection.execute_wrapper(count):
        count_done = step()
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {
        "done": count_done,
        "seconds": time.perf_counter() - start,
        "queries": queries,
        "memory": growth / 1024,  # KiB on Linux
    }


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.stdout.write(json.dumps(_step(sys.argv[1], int(sys.argv[2]))))
    else:
        main()
