"""Writes the results of the race into docs/performance.md."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.environments import find_programs
from benchmarks.race.contenders import NGINX
from benchmarks.race.plot import draw
from benchmarks.race.results import RATIOS, Round, Spread, number, rate, ratio

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs/performance.md"
PLOT = ROOT / "docs/performance.svg"
START, END = "<!-- Results of benchmarks.race -->\n", "<!-- End of results -->\n"


def write(text: str, rounds: Sequence[Round]) -> None:
    """Replace the results in docs/performance.md, and the plot."""
    document = DOCUMENT.read_text(encoding="utf-8")
    before, _, rest = document.partition(START)
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(f"{before}{START}\n{text}\n{END}{after}", encoding="utf-8")
    PLOT.write_text(draw(rounds), encoding="utf-8")


def tables(rounds: Sequence[Round]) -> str:
    """Return the results as tables in Markdown: ratios, then rates."""
    lines = ["| ratio of requests/s | median | minimum to maximum | goal |", "|---|---|---|---|"]
    for name, other, goal in RATIOS:
        spread = ratio(rounds, name, other)
        limits = f"{number(spread.minimum)} to {number(spread.maximum)}"
        lines.append(f"| {name} : {other} | {number(spread.median)} | {limits} | {goal} |")
    lines += ["", f"| contender | to {NGINX} | requests/s |", "|---|---|---|"]
    for name in rounds[0]:
        relative = number(ratio(rounds, name, NGINX).median)
        lines.append(f"| {name} | {relative} | {_rates(rate(rounds, name))} |")
    return "\n".join(lines) + "\n"


def _rates(spread: Spread) -> str:
    return f"{spread.median:,.0f} ({spread.minimum:,.0f} to {spread.maximum:,.0f})"


def circumstances(rounds: int, seconds: int, connections: int) -> str:
    """Return when, on what and how the race runs, in sentences."""
    load, _, _ = os.getloadavg()
    return (
        f"{datetime.now(UTC):%-d %B %Y}; {os.cpu_count()} cores, {_processor()}, "
        f"Python {platform.python_version()}, granian {version('granian')}, "
        f"Django {version('django')}, {_system()}, nginx {_version('nginx', '-v')}, "
        f"docker-registry {_version('docker-registry', '--version')}. {rounds} rounds of "
        f"{seconds} s for each contender, {connections} connections. "
        f"The load average before the race was {load:.1f}.\n"
    )


def _processor() -> str:
    names = re.findall(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    return names[0] if names else platform.machine()


def _system() -> str:
    release = platform.freedesktop_os_release()
    return f"{release['NAME'].partition(' ')[0]} {release.get('VERSION_ID', '')}".strip()


def _version(program: str, option: str) -> str:
    """Return the version of a program as it prints it."""
    command = [find_programs(**{program: program})[program], option]
    result = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - a program of the race
    return re.findall(r"\d+(?:\.\d+)+", result.stdout + result.stderr)[0]
