"""List what LLVM switches on for processors and features, in the interpreter that has TVM.

It reads a question from standard input, `{architecture: {triple, cpus, triples, features}}`,
and writes `{architecture: {cpus, triples, implies}}`, each of which maps a name to all that
LLVM's back end switches on for it. `lists` of processors with features are answered in order.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

import tvm  # type: ignore[import-not-found, unused-ignore]  # of its own environment
from tvm.target import codegen  # type: ignore[import-not-found, unused-ignore]  # likewise

GENERIC = {"riscv32": "generic-rv32", "riscv64": "generic-rv64"}
WIDTHS = frozenset({"32bit", "64bit"})  # LLVM ends the process if neither is on


def main() -> None:
    """Answer the question on standard input."""
    question = json.load(sys.stdin)
    answers = {name: measure(name, each) for name, each in question.items()}
    json.dump({"llvm": codegen.llvm_version_major(), "architectures": answers}, sys.stdout)


def measure(architecture: str, question: dict[str, Any]) -> dict[str, Any]:
    """Return what is on for each processor, triple, feature, and list of an architecture."""
    triple = question["triple"]
    generic = GENERIC.get(architecture, "generic")
    cleared = [f"-{name}" for name in features(triple, generic) if name not in WIDTHS]
    return {
        "cpus": {cpu: features(triple, cpu) for cpu in question["cpus"]},
        "triples": {name: features(name, generic) for name in question["triples"]},
        "implies": {
            name: features(triple, generic, [*cleared, f"+{name}"]) for name in question["features"]
        },
        "lists": [features(triple, *each) for each in question.get("lists", ())],
    }


def features(triple: str, mcpu: str, mattr: Iterable[str] = ()) -> list[str]:
    """Return what LLVM switches on."""
    return sorted(map(str, codegen.llvm_get_cpu_features(_target(triple, mcpu, mattr))))


def _target(triple: str, mcpu: str = "", mattr: Iterable[str] = ()) -> Any:
    options = {"kind": "llvm", "mtriple": triple, "mcpu": mcpu, "mattr": list(mattr)}
    return tvm.target.Target({name: value for name, value in options.items() if value})


if __name__ == "__main__":
    main()
