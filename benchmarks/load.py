"""Duration of the command `load_catalogue` on an empty database.

python -m benchmarks.load               about half a minute
"""

from __future__ import annotations

import re
import time
from statistics import median

from benchmarks.environments import DATABASES, print_line, run_manage

ROUNDS = 3


def main() -> None:
    """Measure on both databases, each time with an empty one."""
    for database, empty in DATABASES.items():
        first_runs, second_runs, versions = [], [], 0
        for _ in range(ROUNDS):
            with empty() as environment:
                first_runs.append(seconds(environment))
                second_runs.append(seconds(environment))
                versions = int(
                    re.findall(r"(\d+)", run_manage(environment, "shell", "--command", COUNT))[-1]
                )
        print_line(
            f"{database}: {median(first_runs):.1f} s"
            f" ({min(first_runs):.1f} to {max(first_runs):.1f}) for {versions} versions,"
            f" {versions / median(first_runs):.0f} versions/s;"
            f" second run, nothing new: {median(second_runs):.1f} s"
        )


COUNT = "from registry.models import Version; print(Version.objects.count())"


def seconds(environment: dict[str, str]) -> float:
    """Return how long the command takes, including its start."""
    start = time.perf_counter()
    run_manage(environment, "load_catalogue")
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
