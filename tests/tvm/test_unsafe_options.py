"""Real TVM opens no file, loads nothing and prints nothing because of what a body may state."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from registry.domain.checks.unsafe_text import UNSAFE_SETTINGS
from tests.compilers.tools import tool
from tests.domain.builders import refusal, target_of
from tests.profiles import is_thorough
from tests.tvm.compiler import Compiler
from tests.tvm.traced import MARK
from ttag_rules.flow_names import BOOLEANS, INTEGERS
from ttag_rules.llvm_options import COMPILER_OPTIONS, PASSING, CompilerOption

SCRIPT = Path(__file__).with_name("traced.py")
CPU: dict[str, Any] = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell"}
DSP: dict[str, Any] = {"kind": "llvm", "mtriple": "hexagon", "mcpu": "hexagonv68"}
HEXAGON = DSP | {"kind": "hexagon", "vtcm-capacity": 4194304, "num-cores": 4}
SETTINGS = sorted((BOOLEANS | INTEGERS) - UNSAFE_SETTINGS.keys())
DUMP = "-ir-dump-directory:string=dumped"
# At level 0, since LLVM calls the system for every word that it prints, which strace slows down.
WRITES = {**CPU, "opt-level": 0, "cl-opt": ["-print-after-all", DUMP]}
STOPS = {**HEXAGON, "llvm-options": ["-no-option-of-llvm"]}
PRINTING = [
    {**CPU, "opt-level": 0, "cl-opt": ["-print-after-all"]},
    {**CPU, "mattr": ["+help"]},
    {**CPU, "mattr": ["+cpuhelp"]},
]
OPENED = re.compile(
    r'\b(?:open(?:at2?)?|execve(?:at)?|mkdir(?:at)?|creat)\((?:AT_FDCWD, )?"([^"]+)"'
)
SCRATCH = re.compile(re.escape(os.environ.get("TMPDIR", "/tmp")) + r"(/[a-z0-9_]{8})?")  # noqa: S108 - of the script's own output


def written(row: CompilerOption, option: str, number: int) -> str:
    """Return a compiler option, with a number if it takes one."""
    if row.type == "bool":
        return f"-{row.name}"
    return f"-{row.name}{':uint' if option == 'cl-opt' else ''}={number}"


def built_number(row: CompilerOption) -> int:
    """Return the number to compile with: the largest that a body may state only if thorough.

    With that, `unroll-threshold` compiles for seconds; which files are opened does not depend on
    it.
    """
    return row.maximum if is_thorough() else min(row.maximum, 1024)


def builds() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what to compile under strace, by name; the first of each family is without options."""
    families = {
        "cpu": (CPU, "cl-opt"),
        "dsp": (DSP, "cl-opt"),
        "hexagon": (HEXAGON, "llvm-options"),
    }
    for family, (target, option) in families.items():
        yield family, {"target": target, "config": {}}
        for row in COMPILER_OPTIONS.values():
            stated = {**target, option: [written(row, option, built_number(row))]}
            yield f"{family} {row.name}", {"target": stated, "config": {}}
    for name in SETTINGS:
        yield f"setting {name}", {"target": CPU, "config": {name: name in BOOLEANS or 1}}
    yield "writes", {"target": WRITES, "config": {}}
    yield "stops", {"target": STOPS, "config": {}}


class Observed:
    """The results of the builds, and the files that each opened for the first time."""

    def __init__(self, python: str, folder: Path) -> None:
        log, names = folder / "strace.log", [name for name, _ in builds()]
        flags = ["-f", "-qq", "--seccomp-bpf", "-s", "4096", "-e", "trace=%file", "-o", str(log)]
        finished = subprocess.run(
            [tool("strace"), *flags, python, "-P", str(SCRIPT)],
            input="".join(json.dumps(build) + "\n" for _, build in builds()),
            capture_output=True,
            text=True,
            cwd=folder,
            check=True,
        )
        results = [json.loads(line) for line in finished.stdout.splitlines()]
        parts = log.read_text().split(f'"{MARK}')[1:]
        self.results = dict(zip(names, results, strict=True))
        self.opened = {
            name: {path for path in OPENED.findall(part) if not SCRATCH.fullmatch(path)}
            for name, part in zip(names, parts, strict=True)
        }


@pytest.fixture(scope="module")
def observed(python: str, tmp_path_factory: pytest.TempPathFactory) -> Observed:
    """All builds, in one process of TVM under strace. Skipped where strace is not installed."""
    return Observed(python, tmp_path_factory.mktemp("strace"))


@pytest.mark.parametrize("row", COMPILER_OPTIONS.values(), ids=COMPILER_OPTIONS)
@pytest.mark.parametrize("family", ["cpu", "dsp", "hexagon"])
def test_tvm_accepts_a_listed_option_and_opens_no_file(
    observed: Observed, family: str, row: CompilerOption
) -> None:
    plain, result = observed.results[family], observed.results[f"{family} {row.name}"]
    assert result["messages"] == plain["messages"]
    assert result.get("error") == plain.get("error")  # hexagon needs its linker after the options
    assert ("length" in result) == (family != "hexagon")
    assert observed.opened[f"{family} {row.name}"] <= observed.opened[family]


@pytest.mark.parametrize("name", SETTINGS)
def test_tvm_opens_no_file_because_of_a_pass_setting(observed: Observed, name: str) -> None:
    assert observed.opened[f"setting {name}"] <= observed.opened["cpu"]
    assert observed.results[f"setting {name}"]["messages"] == ""


def test_an_option_that_is_not_listed_writes_files_or_stops_llvm(observed: Observed) -> None:
    assert any("dumped" in path for path in observed.opened["writes"])
    assert observed.results["stops"]["error"] != observed.results["hexagon"]["error"]


@pytest.mark.parametrize("target", PRINTING)
def test_reserved_names_and_other_options_make_llvm_print(
    tvm: Compiler, target: dict[str, Any]
) -> None:
    assert len(tvm.call("generate", target=target)["messages"]) > 1000


@pytest.mark.parametrize("target", [WRITES, STOPS, *PRINTING])
def test_the_registry_refuses_them(target: dict[str, Any]) -> None:
    assert refusal(lambda: target_of(target)).code == "OPTION_UNSAFE"


@pytest.mark.parametrize("option", sorted(PASSING))
def test_the_registry_accepts_the_largest_numbers(option: str) -> None:
    target = HEXAGON if option == "llvm-options" else CPU
    rows = [row for row in COMPILER_OPTIONS.values() if option in row.options]
    texts = [written(row, option, row.maximum) for row in rows]
    assert target_of({**target, option: texts})
