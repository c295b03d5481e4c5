"""Loading the shipped catalogue into an empty database, as a command.

python -m benchmarks.load               about half a minute
"""

from __future__ import annotations

import re
import time
from statistics import median

from benchmarks.stage import DATABASES, manage, say

ROUNDS = 3


def main() -> None:
    """Measure on both databases, each time anew."""
    for database, empty in DATABASES.items():
        took, again, versions = [], [], 0
        for _ in range(ROUNDS):
            with empty() as environment:
                took.append(seconds(environment))
                again.append(seconds(environment))
                versions = int(
                    re.findall(r"(\d+)", manage(environment, "shell", "--command", COUNT))[-1]
                )
        say(
            f"{database}: {median(took):.1f} s ({min(took):.1f} to {max(took):.1f}) for {versions}"
            f" versions, {versions / median(took):.0f} versions/s; again, with nothing new:"
            f" {median(again):.1f} s"
        )


COUNT = "from registry.models import Version; print(Version.objects.count())"


def seconds(environment: dict[str, str]) -> float:
    """How long the command takes, from its start to its end."""
    start = time.perf_counter()
    manage(environment, "load_catalogue")
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
