# ruff: noqa: E501 - tables read best in rows
"""clang takes the flags: from a command substitution, from a response file, and pasted."""

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
from tests.domain.formats.machines import if_fit, machine, machines
from tests.domain.toolchains.test_triples import TRIPLES
from tests.real import tools

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

# How clang says that it does not know a CPU, by its releases.
UNKNOWN_CPU = re.compile(
    "unknown target CPU|unsupported argument '[^']*' to option '-mcpu=|does not support '-mcpu="
)

# Where LLVM does not only put parts in their places: it adds msvc, it leaves eabi out.
REWRITTEN = frozenset({"i686-pc-win32", "armv7-none-linux-androideabi24"})


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("body", "elf"), MACHINES, ids=range(len(MACHINES)))
def test_a_file_is_compiled_for_the_machine(
    body: dict[str, Any], elf: int, form: str, tmp_path: Path
) -> None:
    text = FORMAT.write(machine(body)).text
    put(text, tmp_path)
    tools.run("sh", "-c", FORMS[form].format(text.strip()), "sh", tools.clang(), cwd=tmp_path)
    assert list(tools.machines_of(tmp_path / "add.o")) == [elf]


@pytest.mark.parametrize(("body", "elf"), MACHINES, ids=range(len(MACHINES)))
def test_the_compiler_takes_over_cpu_and_features(
    body: dict[str, Any], elf: int, tmp_path: Path
) -> None:
    put(FORMAT.write(machine(body)).text, tmp_path)
    done = subprocess.run(
        [tools.clang(), "@flags", "-###", "-c", "add.c"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    words = shlex.split(done.stderr.splitlines()[-1])
    assert words[words.index("-target-cpu") + 1] == body["mcpu"]
    features = [words[i + 1] for i, word in enumerate(words) if word == "-target-feature"]
    signs = {feature[1:]: feature[0] for feature in features}  # the last of a name counts
    assert all(signs[feature[1:]] == feature[0] for feature in body.get("mattr", ()))


@pytest.fixture(scope="module")
def catalogue_flags() -> set[str]:
    """The flags of every shipped tag that has any."""
    exports = [if_fit(FORMAT.write, subject) for subject in machines().values()]
    return {export.text for export in exports if export}


@pytest.fixture(scope="module")
def unknown_to_clang(
    catalogue_flags: set[str], tmp_path_factory: pytest.TempPathFactory
) -> set[str]:
    """Those of them that name a CPU which this clang does not know."""
    folder = tmp_path_factory.mktemp("catalogue")
    put_source(folder)

    def is_unknown(numbered: tuple[int, str]) -> bool:
        return not compiles(numbered[1], folder, str(numbered[0]))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        unknown = pool.map(is_unknown, enumerate(catalogue_flags))
        return set(compress(catalogue_flags, unknown))


def test_every_tag_is_compiled_whose_cpu_the_compiler_knows(
    catalogue_flags: set[str], unknown_to_clang: set[str]
) -> None:
    assert len(catalogue_flags - unknown_to_clang) > 20


def test_every_shipped_cpu_is_known(unknown_to_clang: set[str]) -> None:
    if tools.clang_version() < 22:
        pytest.skip("the names of CPUs that ship are those of clang 22")
    known = frozenset[str]().union(*shipped_facts.cpus().values())
    assert not {text for text in unknown_to_clang if cpu_of(text) in known}


def compiles(text: str, folder: Path, name: str) -> bool:
    """Whether the flags are taken; any cause but an unknown CPU fails the test."""
    (folder / name).write_text(text)
    done = subprocess.run(
        [tools.clang(), f"@{name}", "-Werror", "-ffreestanding", "-c", "add.c", "-o", os.devnull],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 or UNKNOWN_CPU.search(done.stderr), done.stderr
    return done.returncode == 0


def cpu_of(text: str) -> str:
    found = re.search(r"-m(?:cpu|arch)=(\S+)", text)
    return found[1] if found else ""


def put(text: str, folder: Path) -> None:
    (folder / "flags").write_text(text)
    put_source(folder)


def put_source(folder: Path) -> None:
    (folder / "add.c").write_text(SOURCE)


@pytest.mark.parametrize(
    ("text", "vendor", "system", "environment"),
    [
        (text, vendor, system, environment)
        for text, _, vendor, system, environment, *_ in TRIPLES
        if text and text not in REWRITTEN
    ],
)
def test_parts_of_triples_stand_where_llvm_puts_them(
    text: str, vendor: str, system: str, environment: str
) -> None:
    if tools.clang_version() < 20:
        pytest.skip("to clang 19, LLVM takes the none of arm-none-eabi for a vendor")
    done = subprocess.run(
        [tools.clang(), f"--target={text}", "-print-target-triple"],
        capture_output=True,
        text=True,
        check=False,  # it also prints a triple that it could not compile for
    )
    found = [*done.stdout.strip().split("-")[1:], "", "", ""][:3]
    unsaid = ("unknown", "none")
    assert [part if part not in unsaid else "" for part in (found[0], found[2])] == [
        vendor,
        environment,
    ]
    assert found[1].startswith(system)
    assert system or found[1] in ("", "unknown")
