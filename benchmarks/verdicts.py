"""Duration of a verdict in this process, compared with canonical JSON of the same two targets.

PYTHONPATH=client python -m benchmarks.verdicts            ten seconds
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from statistics import median

from benchmarks.environments import print_line
from ttag.canonical_json import canonical
from ttag.compatibility.relation import verdict
from ttag.compatibility.tables import FILE, Tables, shipped_tables
from ttag.mirror.compatibility import Case, Compatibility, content

ROUNDS = 60


def main() -> None:
    """Answer the cases of a mirror, in another order each round, and read the tables."""
    cases = list(Compatibility.from_json(json.loads(content())).cases)
    tables = shipped_tables()
    times: dict[str, list[float]] = {"verdict": [], "JSON": []}
    for _ in range(ROUNDS):
        random.shuffle(cases)
        times["verdict"].append(
            measure(
                lambda case: verdict(case.built_for, case.machine, case.options, tables=tables),
                cases,
            )
        )
        times["JSON"].append(
            measure(
                lambda case: (canonical({**case.built_for}), canonical({**case.machine})), cases
            )
        )
    print_line(f"{len(cases)} cases, {ROUNDS} rounds")
    for name, rounds in times.items():
        spread = f"({1e6 * min(rounds):.1f} to {1e6 * max(rounds):.1f})"
        print_line(f"  {name}: {1e6 * median(rounds):.1f} µs a case {spread}")
    start = time.perf_counter()
    Tables.from_json(json.loads(FILE.read_text(encoding="utf-8")))
    print_line(f"  reading the tables: {1000 * (time.perf_counter() - start):.0f} ms, once")


def measure(ask: Callable[[Case], object], cases: Sequence[Case]) -> float:
    """Return the seconds that a case takes."""
    start = time.perf_counter()
    for case in cases:
        ask(case)
    return (time.perf_counter() - start) / len(cases)


if __name__ == "__main__":
    main()
