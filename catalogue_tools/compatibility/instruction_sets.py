"""The table of instruction sets: what TVM's LLVM answers, with the reviewed classes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from catalogue_tools.compatibility.feature_classes import (
    FOLDER,
    TUNING,
    Classes,
    additions,
    options,
)
from catalogue_tools.compatibility.front_end import Names, ToolMissing, beyond
from registry.services.core.shipped_facts import CATALOGUE
from ttag_rules.compatibility.tables import FILE, VERSION

INTERPRETER = "TVM_PYTHON"  # the variable with the path of the interpreter that has TVM
COMMAND = "python -m tests.tvm.environment -- python -m catalogue_tools compatibility"
PROGRAM = Path(__file__).with_name("tvm_features.py")
FRONT_END = FOLDER / "front_end.json"  # what clang has beyond TVM's LLVM

TRIPLES = {
    "aarch64": "aarch64-unknown-linux-gnu",
    "arm": "arm-unknown-linux-gnueabihf",
    "loongarch64": "loongarch64-unknown-linux-gnu",
    "powerpc64le": "powerpc64le-unknown-linux-gnu",
    "riscv32": "riscv32-unknown-elf",
    "riscv64": "riscv64-unknown-linux-gnu",
    "s390x": "s390x-unknown-linux-gnu",
    "wasm32": "wasm32-unknown-unknown",
    "x86_64": "x86_64-unknown-linux-gnu",
}
LISTS = {"riscv32": "riscv64", "s390x": "systemz"}  # whose names LLVM lists
BASELINES = {
    "loongarch64": "loongarch64",
    "powerpc64le": "ppc64le",
    "riscv32": "generic-rv32",
    "riscv64": "generic-rv64",
    "x86_64": "x86-64",
}
GENERIC = "generic"
# Besides the baseline: a machine that says one of these has at least its features.
LEVELS = {
    "loongarch64": ("generic-la64",),
    "powerpc64le": ("ppc64",),
    "wasm32": ("mvp", "lime1"),
    "x86_64": ("x86-64-v2", "x86-64-v3", "x86-64-v4"),
}
ARM_SPELLINGS = (
    *("armv4t", "armv5t", "armv5te", "armv6", "armv6k", "armv6kz", "armv6m", "armv6t2"),
    *("armv7", "armv7a", "armv7em", "armv7k", "armv7l", "armv7m", "armv7r", "armv7s", "armv7ve"),
    *("armv8a", "armv8l", "armv8m.base", "armv8m.main", "armv8.1m.main", "armv8r", "armv9a"),
    *("thumbv6m", "thumbv7a", "thumbv7em", "thumbv7m", "thumbv7r"),
    *("thumbv8m.base", "thumbv8m.main", "thumbv8.1m.main"),
)
# A machine without ARM's older encoding, or with sixteen registers, takes something away.
RESTRICTIONS = {"arm": ("noarm",), "riscv32": ("e",), "riscv64": ("e",)}
# The compressed instructions of floating point: LLVM writes them into the attributes of an object.
PARTS = {"riscv32": {"zcd": ["c", "d"], "zcf": ["c", "f"]}, "riscv64": {"zcd": ["c", "d"]}}
UNUSED = frozenset({TUNING, "ignored"})
# Clang says so of RISC-V's zca without floating point, which has the same instructions.
SAME = frozenset({"c"})
PROFILES = {"arm": ("aclass", "mclass", "rclass")}
WIDTHS = frozenset({"32bit", "64bit"})


def generated_texts() -> dict[Path, str]:
    """Return the text of each generated file. Raises `ToolMissing`."""
    answer = ask_tvm(question())
    front_end = front_end_rows(answer)
    return {
        FRONT_END: f"{document_text(front_end)}\n",
        FILE: f"{tables_text(answer, front_end)}\n",
    }


def front_end_rows(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return what clang has beyond the answer of TVM's LLVM, by architecture."""
    return {
        name: beyond(TRIPLES[name], BASELINES.get(name, GENERIC), each)
        for name, each in answer["architectures"].items()
    }


def tables_text(answer: Mapping[str, Any], front_end: Mapping[str, Any]) -> str:
    return document_text(
        {
            "version": VERSION,
            "source": {"tool": f"LLVM {answer['llvm']} as built into TVM", "command": COMMAND},
            "instruction_sets": {
                name: _table(name, each, front_end[name])
                for name, each in answer["architectures"].items()
            },
        }
    )


def document_text(value: Any, depth: int = 0) -> str:
    """Return JSON in which mappings have a line for each member, and lists have one line."""
    if not isinstance(value, dict) or not value:
        return json.dumps(value)
    indent = " " * depth
    members = ",\n".join(
        f"{indent} {json.dumps(name)}: {document_text(member, depth + 1)}"
        for name, member in value.items()
    )
    return f"{{\n{members}\n{indent}}}"


def question() -> dict[str, Any]:
    """Return what to ask of each architecture."""
    processors = _names("llvm_cpus.json", "cpus")
    features = _names("llvm_features.json", "features")
    return {
        name: {
            "triple": triple,
            "cpus": processors[LISTS.get(name, name)],
            "triples": [f"{each}-none-eabi" for each in ARM_SPELLINGS if name == "arm"],
            "features": [each for each in features[LISTS.get(name, name)] if each not in WIDTHS],
        }
        for name, triple in TRIPLES.items()
    }


def _names(file: str, member: str) -> dict[str, list[str]]:
    document = json.loads((CATALOGUE / file).read_text(encoding="utf-8"))
    names: dict[str, list[str]] = document[member]
    return names


def ask_tvm(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what TVM's LLVM answers. Raises `ToolMissing`."""
    interpreter = os.environ.get(INTERPRETER)
    if not interpreter:
        raise ToolMissing(f"{INTERPRETER} is not set. Run {COMMAND}.")
    command = [interpreter, str(PROGRAM)]
    text = json.dumps(asked)
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=True)  # noqa: S603 - the interpreter of the caller
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def _with_64_bits(architecture: str) -> str:
    """Return the architecture whose classes are used."""
    return "riscv64" if architecture == "riscv32" else architecture


def _table(
    architecture: str, answer: Mapping[str, Any], front_end: Mapping[str, Any]
) -> dict[str, Any]:
    classes = Classes(_with_64_bits(architecture))
    baseline = BASELINES.get(architecture, GENERIC)
    implied = answer["implies"]
    beside, more = (_used(classes, implied, front_end[name]) for name in ("features", "processors"))
    processors = {name: sorted({*on, *more.get(name, ())}) for name, on in answer["cpus"].items()}
    tables = (processors, implied, beside)
    names = sorted({*implied, *chain.from_iterable(chain(*map(dict.values, tables)))})

    def without_tuning(table: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
        return {
            name: [each for each in features if classes.class_of(each) != TUNING]
            for name, features in sorted(table.items())
        }

    return {
        "baseline": baseline,
        "levels": sorted({GENERIC, baseline, *LEVELS.get(architecture, ())}),
        "profiles": list(PROFILES.get(architecture, ())),
        "restrictions": list(RESTRICTIONS.get(architecture, ())),
        "guarded": list(classes.of_class("guarded", names)),
        "ignored": list(classes.of_class("ignored", names)),
        "processors": without_tuning(processors),
        "spellings": without_tuning(
            {name.partition("-")[0]: features for name, features in answer["triples"].items()}
        ),
        "additions": additions(architecture),
        "optional": options(architecture),
        "parts": PARTS.get(architecture, {}),
        "implied": without_tuning(implied),
        "beside": beside,
        "yielding": front_end["yielding"],
    }


def _used(classes: Classes, implied: Names, table: Names) -> dict[str, list[str]]:
    """Return what programs use of the features of a table, with what those imply."""
    used = {
        name: {each for each in features if classes.class_of(each) not in UNUSED} - SAME
        for name, features in table.items()
    }
    return {
        name: sorted({*features, *chain.from_iterable(implied.get(each, ()) for each in features)})
        for name, features in used.items()
        if features
    }
