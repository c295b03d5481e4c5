"""Measures pages with Lighthouse, which loads them as a phone on a slow network would.

    python -m benchmarks.lighthouse         about eight minutes

Prints the scores of ten pages: of performance the median of five runs, of accessibility, best
practices and search engine optimization the lowest. Exits with 1 if a score misses its goal.
"""

# ruff: noqa: S603 - runs only Lighthouse, with fixed arguments

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from statistics import median

from benchmarks.environments import (
    find_programs,
    print_line,
    run_manage,
    shipped_server,
    sqlite,
)

PACKAGE = "lighthouse@12.8.2"
GOALS = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}
RUNS = 5
ATTEMPTS = 3
FLAGS = "--headless=new --no-sandbox --disable-gpu"
PAGES = (  # robots.txt keeps search engines away from lists and comparisons
    "/",
    "/tags/nvidia/geforce-rtx-4090",
    "/tags/aws/c5.9xlarge",
    "/tags/arm/soc:aot",
    "/hardware/nvidia/geforce-rtx-4090",
    "/versions/arm/soc:aot",
    "/kinds/llvm",
    "/namespaces/nvidia",
    "/docs/quick-start",
    "/submit",
)

Scores = Mapping[str, int]  # by category, of 100


def main() -> None:
    """Measure all pages of a registry with the shipped catalogue."""
    programs = find_programs(npx="npm", chromium="chromium")
    with sqlite() as environment:
        run_manage(environment, "load_catalogue")
        run_manage(environment, "collectstatic", "--no-input", "--verbosity", "0")
        print_line(f"| page | {' | '.join(GOALS)} |")
        print_line(f"|---|{'---|' * len(GOALS)}")
        scores = {}
        with shipped_server(environment) as port:
            for path in PAGES:
                scores[path] = measure(f"http://127.0.0.1:{port}{path}", programs)
                row = (str(scores[path][name]) for name in GOALS)
                print_line(f"| `{path}` | {' | '.join(row)} |")
    misses = [
        f"{path}: {name} {result[name]}, goal {goal}"
        for path, result in scores.items()
        for name, goal in GOALS.items()
        if result[name] < goal
    ]
    if misses:
        sys.exit("\n".join(misses))


def measure(url: str, programs: Mapping[str, str]) -> Scores:
    """Return the scores of a page."""
    runs = [run(url, programs) for _ in range(RUNS)]
    return {name: _combine(name, [scores[name] for scores in runs]) for name in GOALS}


def run(url: str, programs: Mapping[str, str]) -> Scores:
    """Return the scores of one run. The package is downloaded on first use.

    Chromium now and then loses the trace of a page load; Lighthouse then asks to be run again.
    """
    options = [f"--only-categories={','.join(GOALS)}", f"--chrome-flags={FLAGS}"]
    for _ in range(ATTEMPTS):
        process = subprocess.run(
            [programs["npx"], "--yes", PACKAGE, url, "--quiet", "--output=json", *options],
            env={**os.environ, "CHROME_PATH": programs["chromium"]},
            stdout=subprocess.PIPE,
            check=False,
        )
        if process.returncode == 0:
            break
    process.check_returncode()
    categories = json.loads(process.stdout)["categories"]
    return {name: round(100 * (categories[name]["score"] or 0)) for name in GOALS}


def _combine(name: str, scores: Sequence[int]) -> int:
    return round(median(scores)) if name == "performance" else min(scores)


if __name__ == "__main__":
    main()
