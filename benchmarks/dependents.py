"""Impact and rebase of 10,000 dependents, against 1,000, and against publishing each by itself.

python -m benchmarks.dependents            some five minutes
"""

# ruff: noqa: S603 - runs itself

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.stage import DATABASES, Environment, manage, say

SIZES = (1_000, 10_000)
MIDDLE = 100  # of them are made from the base, the others from these
BY_ITSELF = 100  # published one at a time, to compare with

BASE = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 4}


def main() -> None:
    """Measure on both databases; each step is a process of its own, so that memory is its own."""
    for database, empty in DATABASES.items():
        say(database)
        spent = {}
        for size in SIZES:
            with empty() as environment:
                manage(environment, "load_catalogue")
                _run(environment, "stage", size)
                alone = _run(environment, "alone", size)
                impact = _run(environment, "impact", size)
                rebase = _run(environment, "rebase", size)
            spent[size] = (impact["seconds"], rebase["seconds"])
            for name, found in (("impact", impact), ("rebase", rebase)):
                say(
                    f"  {name} of {size:,}: {found['seconds']:.1f} s, {found['queries']} queries, "
                    f"{found['grown']:.0f} MiB more memory"
                )
            ratio = alone["seconds"] / BY_ITSELF / (rebase["seconds"] / size)
            say(f"  rebasing : publishing each by itself, 1 : {ratio:.1f}")
        few, many = (spent[size] for size in SIZES)
        say(f"  1,000 : 10,000 dependents, impact 1 : {many[0] / few[0]:.1f}")
        say(f"  1,000 : 10,000 dependents, rebase 1 : {many[1] / few[1]:.1f}")


def _run(environment: Environment, step: str, size: int) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.dependents", step, str(size)]
    said = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(said.stdout)
    return found


def _step(name: str, size: int) -> dict[str, float]:
    """One step of the measurement, in a process that knows only its own database."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    import django  # noqa: PLC0415 - only here is there a database

    django.setup()
    from registry.domain.reference import Tag  # noqa: PLC0415
    from registry.models import User  # noqa: PLC0415 - once Django is set up
    from registry.services import checking, naming  # noqa: PLC0415
    from registry.services.downstream import impact, rebasing  # noqa: PLC0415
    from registry.services.permissions import Actor  # noqa: PLC0415 - after the setup
    from registry.services.writing import exclusive  # noqa: PLC0415
    from tests.publishing import publish  # noqa: PLC0415

    alice, _ = User.objects.get_or_create(username="alice", is_staff=True)
    base = Tag.parse("acme/base")

    def stage() -> int:
        naming.make_namespace("acme", actor=Actor.operator(alice))
        with exclusive():
            publish("acme/base", BASE)
            for at in range(size):
                middle = at < MIDDLE
                parent = "acme/base" if middle else f"acme/of-{at % MIDDLE}"
                publish(f"acme/of-{at}", {"tag": parent, "model": f"board-{at}"})
        return size

    def alone() -> int:
        for at in range(BY_ITSELF):
            publish(f"acme/alone-{at}", {"tag": "acme/of-0", "model": f"alone-{at}"})
        return BY_ITSELF

    def foresee() -> int:
        draft = checking.check(base, json.dumps(BASE | {"mcpu": "znver3"}))
        return sum(1 for _ in impact.effects(draft))

    def rebase() -> int:
        publish("acme/base", BASE | {"mcpu": "znver3"})
        return rebasing.rebase(rebasing.plan([base]), actor=Actor.operator(alice)).published

    steps: dict[str, Callable[[], int]] = {
        "stage": stage,
        "alone": alone,
        "impact": foresee,
        "rebase": rebase,
    }
    return _measured(steps[name])


def _measured(step: Callable[[], int]) -> dict[str, float]:
    from django.db import connection  # noqa: PLC0415 - Django is set up

    queries = 0

    def count(execute: Callable[..., Any], *arguments: Any) -> Any:
        nonlocal queries
        queries += 1
        return execute(*arguments)

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    with connection.execute_wrapper(count):
        done = step()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {
        "done": done,
        "seconds": time.perf_counter() - start,
        "queries": queries,
        "grown": grown / 1024,  # Linux tells it in KiB
    }


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.stdout.write(json.dumps(_step(sys.argv[1], int(sys.argv[2]))))
    else:
        main()
