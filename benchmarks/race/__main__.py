"""Compares the registry with its peers in one run.

    python -m benchmarks.race               about six minutes; needs nginx, wrk and docker-registry
    python -m benchmarks.race --print       does not write docs/performance.md

All run on loopback. wrk loads them in turn, round by round, so that other load on the machine
affects all; the ratios are what matters.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter

from benchmarks.environments import find_programs, print_line
from benchmarks.race import report
from benchmarks.race.contenders import contenders
from benchmarks.race.results import run_rounds
from benchmarks.wrk import CONNECTIONS


def main() -> None:
    """Run the race; print the results and write them into the document."""
    options = parse_options()
    find_programs(**{name: name for name in ("nginx", "wrk", "docker-registry")})
    circumstances = report.circumstances(options.rounds, options.seconds, CONNECTIONS)
    with contenders() as measures:
        rounds = run_rounds(measures, rounds=options.rounds, seconds=options.seconds)
    text = f"{circumstances}\n{report.tables(rounds)}"
    print_line(text)
    if not options.print:
        report.write(text, rounds)


def parse_options() -> Namespace:
    """Read the options of the command line."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3, help="of load per contender and round")
    parser.add_argument("--print", action="store_true", help="only print the results")
    return parser.parse_args()


if __name__ == "__main__":
    main()
