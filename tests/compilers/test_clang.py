# ruff: noqa: E501 - tables read best in rows
"""clang accepts the exported flags: substituted, from a response file, and pasted."""

import os
import re
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from itertools import compress
from pathlib import Path
from typing import Any

import pytest

from registry.domain.formats.clang import FORMAT
from registry.services.core import shipped_facts
from tests.compilers import tools
from tests.domain.formats.machines import if_fit, machine, machines
from tests.profiles import is_thorough
from tests.rules.test_triples import TRIPLES

SOURCE = "int add(int a, int b) { return a + b; }\n"
FORMS = {
    "substituted": '"$1" $(cat flags) -Werror -ffreestanding -c add.c -o add.o',
    "response file": '"$1" @flags -Werror -ffreestanding -c add.c -o add.o',
    "pasted": '"$1" {} -Werror -ffreestanding -c add.c -o add.o',
}
MACHINES: list[tuple[dict[str, Any], int]] = [
    ({"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "mattr": ["+avx2", "-fma"]}, tools.X86_64),
    ({"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a72", "mattr": ["+neon", "+crc"]}, tools.AARCH64),
    ({"kind": "llvm", "mtriple": "armv7l-linux-gnueabihf", "mcpu": "cortex-a7", "mattr": ["+neon"], "mfloat-abi": "hard"}, tools.ARM),
    ({"kind": "c", "mcpu": "cortex-m7"}, tools.ARM),
    ({"kind": "llvm", "mtriple": "thumbv7em-none-eabihf", "mcpu": "cortex-m4", "mabi": "aapcs"}, tools.ARM),
    ({"kind": "llvm", "mtriple": "riscv64-unknown-elf", "mcpu": "sifive-u74", "mabi": "lp64d"}, tools.RISCV),
    ({"kind": "hexagon", "mtriple": "hexagon", "mcpu": "hexagonv68", "mattr": ["+hvxv68"]}, tools.HEXAGON),
]  # fmt: skip

# Messages of different clang releases for an unknown CPU.
UNKNOWN_CPU = re.compile(
    "unknown target CPU|unsupported argument '[^']*' to option '-mcpu=|does not support '-mcpu="
)

# Triples of which LLVM also changes parts: it adds msvc, or omits eabi.
REWRITTEN = frozenset({"i686-pc-win32", "armv7-none-linux-androideabi24"})


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("body", "elf"), MACHINES, ids=range(len(MACHINES)))
def test_object_file_is_for_the_machine(
    body: dict[str, Any], elf: int, form: str, tmp_path: Path
) -> None:
    text = FORMAT.write(machine(body)).text
    write_flags(text, tmp_path)
    tools.run("sh", "-c", FORMS[form].format(text.strip()), "sh", tools.clang(), cwd=tmp_path)
    assert list(tools.machines_of(tmp_path / "add.o")) == [elf]


@pytest.mark.parametrize(("body", "elf"), MACHINES, ids=range(len(MACHINES)))
def test_compiler_uses_cpu_and_features(body: dict[str, Any], elf: int, tmp_path: Path) -> None:
    write_flags(FORMAT.write(machine(body)).text, tmp_path)
    result = subprocess.run(
        [tools.clang(), "@flags", "-###", "-c", "add.c"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    words = shlex.split(result.stderr.splitlines()[-1])
    assert words[words.index("-target-cpu") + 1] == body["mcpu"]
    features = [words[i + 1] for i, word in enumerate(words) if word == "-target-feature"]
    signs = {feature[1:]: feature[0] for feature in features}  # the last one for a name counts
    assert all(signs[feature[1:]] == feature[0] for feature in body.get("mattr", ()))


@pytest.fixture(scope="module")
def catalogue_flags() -> set[str]:
    """Return the flags of all shipped tags that have any; without --thorough, one for each CPU."""
    exports = [if_fit(FORMAT.write, subject) for subject in machines().values()]
    texts = {export.text for export in exports if export}
    return texts if is_thorough() else {*{cpu_of(text): text for text in sorted(texts)}.values()}


@pytest.fixture(scope="module")
def unknown_to_clang(
    catalogue_flags: set[str], tmp_path_factory: pytest.TempPathFactory
) -> set[str]:
    """Return the flags with a CPU that this clang does not know."""
    folder = tmp_path_factory.mktemp("catalogue")
    write_source(folder)

    def is_unknown(numbered: tuple[int, str]) -> bool:
        return not compiles(numbered[1], folder, str(numbered[0]))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        unknown = pool.map(is_unknown, enumerate(catalogue_flags))
        return set(compress(catalogue_flags, unknown))


def test_tags_with_a_known_cpu_compile(
    catalogue_flags: set[str], unknown_to_clang: set[str]
) -> None:
    assert len(catalogue_flags - unknown_to_clang) > 20


def test_every_shipped_cpu_name_is_known(unknown_to_clang: set[str]) -> None:
    if tools.clang_version() < 22:
        pytest.skip("the shipped CPU names are those of clang 22")
    names = frozenset[str]().union(*shipped_facts.cpus().values())
    assert not {text for text in unknown_to_clang if cpu_of(text) in names}


def compiles(text: str, folder: Path, name: str) -> bool:
    """Return whether clang accepts the flags. Fail the test for errors other than unknown CPUs."""
    (folder / name).write_text(text)
    result = subprocess.run(
        [tools.clang(), f"@{name}", "-Werror", "-ffreestanding", "-c", "add.c", "-o", os.devnull],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0 or UNKNOWN_CPU.search(result.stderr), result.stderr
    return result.returncode == 0


def cpu_of(text: str) -> str:
    match = re.search(r"-m(?:cpu|arch)=(\S+)", text)
    return match[1] if match else ""


def write_flags(text: str, folder: Path) -> None:
    (folder / "flags").write_text(text)
    write_source(folder)


def write_source(folder: Path) -> None:
    (folder / "add.c").write_text(SOURCE)


@pytest.mark.parametrize(
    ("text", "vendor", "system", "environment"),
    [
        (text, vendor, system, environment)
        for text, _, vendor, system, environment, *_ in TRIPLES
        if text and text not in REWRITTEN
    ],
)
def test_parts_of_triples_are_those_of_llvm(
    text: str, vendor: str, system: str, environment: str
) -> None:
    if tools.clang_version() < 20:
        pytest.skip("up to clang 19, LLVM parses the none of arm-none-eabi as a vendor")
    result = subprocess.run(
        [tools.clang(), f"--target={text}", "-print-target-triple"],
        capture_output=True,
        text=True,
        check=False,  # prints the triple even if it cannot compile for it
    )
    parts = [*result.stdout.strip().split("-")[1:], "", "", ""][:3]
    empty = ("unknown", "none")
    assert [part if part not in empty else "" for part in (parts[0], parts[2])] == [
        vendor,
        environment,
    ]
    assert parts[1].startswith(system)
    assert system or parts[1] in ("", "unknown")
