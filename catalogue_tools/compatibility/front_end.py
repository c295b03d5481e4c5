"""Ask clang for features beyond those of LLVM's back end: popcnt with avx, SVE2 with v9a."""

# Decision 149: code has both. Clang writes the features of each function into its program, and
# the back end obeys.

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from os import cpu_count
from typing import Any

CLANG = "clang-22"  # of the release of LLVM that TVM contains
FUNCTION = "void f(void) {}"
ATTRIBUTE = re.compile(r'"target-features"="([^"]*)"')

Names = Mapping[str, Iterable[str]]


class ToolMissing(ValueError):
    """The generator was called without a compiler that it asks."""


def beyond(triple: str, baseline: str, answer: Mapping[str, Names]) -> dict[str, Any]:
    """Return what clang adds to an answer about LLVM's back end.

    `processors` and `features` map a name to what it has beside. A list that denies one of
    `yielding` does without it, wherever that stands. Raises `ToolMissing`.
    """
    bare = set(answer["cpus"].get(baseline, ()))
    features = {name: bare | set(implied) for name, implied in answer["implies"].items()}
    beside = {
        "processors": _beside(triple, {cpu: ((cpu,), on) for cpu, on in answer["cpus"].items()}),
        "features": _beside(
            triple, {name: ((baseline, f"+{name}"), on) for name, on in features.items()}
        ),
    }
    return {**beside, "yielding": _yielding(triple, baseline, beside["features"])}


def switches(triple: str, mcpu: str, *mattr: str) -> list[str]:
    """Return the switches of features that clang hands on; none if it has no such processor."""
    asked = chain.from_iterable(("-target-feature", each) for each in mattr)
    return switches_in("-cc1", "-triple", triple, "-target-cpu", mcpu, *asked, "-w", "-")


def switches_in(*options: str) -> list[str]:
    """Return the switches of features in the program that clang makes of an empty function."""
    text = run_clang(*options, "-emit-llvm", "-o", "-").stdout
    return [each for features in ATTRIBUTE.findall(text) for each in features.split(",")]


def run_clang(*options: str) -> subprocess.CompletedProcess[str]:
    """Compile an empty function. Raises `ToolMissing`."""
    program = shutil.which(CLANG)
    if not program:
        raise ToolMissing(f"{CLANG} is not installed.")
    return subprocess.run(  # noqa: S603 - triples and names of lists
        [program, *options], input=FUNCTION, capture_output=True, text=True, check=False
    )


def _switched_on(triple: str, mcpu: str, *mattr: str) -> set[str]:
    return {text[1:] for text in switches(triple, mcpu, *mattr) if text.startswith("+")}


def _beside(
    triple: str, asked: Mapping[str, tuple[tuple[str, ...], Iterable[str]]]
) -> dict[str, list[str]]:
    with ThreadPoolExecutor(cpu_count()) as pool:
        answers = pool.map(lambda each: _switched_on(triple, *each[0]), asked.values())
    beside = {
        name: sorted(on - set(present))
        for (name, (_, present)), on in zip(asked.items(), answers, strict=True)
    }
    return {name: features for name, features in beside.items() if features}


def _yielding(triple: str, baseline: str, features: Mapping[str, Iterable[str]]) -> list[str]:
    causes = {added: name for name, others in features.items() for added in others}
    return sorted(
        added
        for added, name in causes.items()
        if added not in _switched_on(triple, baseline, f"-{added}", f"+{name}")
    )
