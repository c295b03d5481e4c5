"""The verdicts about pairs of processors and GPUs, as a page and as a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from catalogue_tools.compatibility.instruction_sets import TRIPLES, document_text
from registry.services.core.shipped_facts import CATALOGUE
from ttag_rules.compatibility.devices.architectures import Architecture
from ttag_rules.compatibility.devices.cuda_versions import SUFFIX_CAPABILITIES, TOOLKITS
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.compatibility.verdicts import Answer
from ttag_rules.notations.archspec_names import MACHINES, body

DOCS = CATALOGUE.parent.parent / "docs"
PAGE, FILE = DOCS / "compatibility-matrix.md", DOCS / "compatibility-matrix.json"
COMMAND = "python -m catalogue_tools matrix"
VERSION = 1  # of the form of the file
TITLES = {
    "x86_64": "x86-64",
    "aarch64": "AArch64",
    "powerpc64le": "POWER",
    "riscv64": "RISC-V",
}
CONVENTIONS = {"riscv64": {"mabi": "lp64d"}}  # which features of a name would choose otherwise
HEADING = f"""\
# What runs where

The [verdicts](compatibility.md) about all pairs of [archspec's processors](formats.md#archspec)
and of NVIDIA's GPUs, under Linux, without options of a question. What stands in no column of a row
is `no`.

`{COMMAND}` writes this page, and with it `docs/compatibility-matrix.json`: all pairs
of LLVM's processors within an architecture, with a letter for each verdict: `y`, `c`, `u` or `n`.
"""
COLUMNS = (Answer.YES, Answer.CONDITIONAL, Answer.UNKNOWN)

Body = Mapping[str, Any]


def matrix_texts() -> dict[Path, str]:
    return {PAGE: page_text(), FILE: f"{document_text(file_content())}\n"}


def page_text() -> str:
    """Return the page in Markdown: for each code the machines by verdict."""
    groups = {
        title: {
            name: _with_convention(body(name))
            for name, each in MACHINES.items()
            if each.architecture == architecture
        }
        for architecture, title in TITLES.items()
    }
    groups["NVIDIA"] = {str(each): {"kind": "cuda", "arch": str(each)} for each in _gpus()}
    return "\n".join([HEADING, *map("\n".join, map(_section, groups, groups.values()))])


def file_content() -> dict[str, Any]:
    """Return the verdicts about all of LLVM's processors, by architecture."""
    return {
        "version": VERSION,
        "architectures": {name: _letters(_bodies(name)) for name in sorted(TRIPLES)},
    }


def _section(title: str, bodies: Mapping[str, Body]) -> Iterator[str]:
    yield f"## {title}\n"
    yield f"| built for | {' | '.join(COLUMNS)} |"
    yield f"|---|{'---|' * len(COLUMNS)}"
    for code, built_for in bodies.items():
        machines: dict[Answer, list[str]] = {answer: [] for answer in Answer}
        for name, machine in bodies.items():
            machines[verdict(built_for, machine).answer].append(f"`{name}`")
        cells = (" ".join(machines[answer]) for answer in COLUMNS)
        yield f"| `{code}` | {' | '.join(cells)} |"
    yield ""


def _letters(bodies: Mapping[str, Body]) -> dict[str, Any]:
    rows = {
        code: "".join(verdict(built_for, machine).answer[0] for machine in bodies.values())
        for code, built_for in bodies.items()
    }
    return {"names": [*bodies], "rows": rows}


def _bodies(architecture: str) -> dict[str, Body]:
    table = shipped_tables().instruction_sets[architecture]
    leaf = {"kind": "llvm", "mtriple": TRIPLES[architecture]}
    return {name: _with_convention({**leaf, "mcpu": name}) for name in sorted(table.processors)}


def _with_convention(leaf: Body) -> Body:
    return {**leaf, **CONVENTIONS.get(str(leaf["mtriple"]).partition("-")[0], {})}


def _gpus() -> Iterable[Architecture]:
    """Yield the GPUs that a toolkit compiles for, with code that is for them or a family alone."""
    for number in sorted(TOOLKITS):
        yield Architecture(number)
        for suffix, least in sorted(SUFFIX_CAPABILITIES.items()):
            if number >= least:
                yield Architecture(number, suffix)
