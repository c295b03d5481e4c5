"""The CMake package: the example is configured and built with CMake and Clang."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.client.conftest import Ttag
from tests.databases import ROOT
from ttag import __version__
from ttag.canonical_json import canonical, digest_of
from ttag.lock.content import LockedTarget
from ttag.lock.lock import write_lock
from ttag.resolution import LOCKED, Export, Resolution

EXAMPLE = ROOT / "examples" / "cmake"
CLANG = shutil.which("clang-22") or shutil.which("clang")

LIBRARY = "add_library(kernels STATIC kernels.c)\n"

pytestmark = pytest.mark.skipif(
    not (CLANG and shutil.which("cmake")), reason="needs CMake and Clang"
)


class Build:
    """A copy of the example, to be configured and built."""

    def __init__(self, folder: Path, registry: str) -> None:
        self.source = folder / "source"
        shutil.copytree(EXAMPLE, self.source)
        (folder / "bin").mkdir(parents=True)
        program = folder / "bin" / "ttag"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ttag "$@"\n')
        program.chmod(0o755)
        self.environment = {
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "client"),
            "HOME": str(folder),
            "TTAG_REGISTRY": registry,
        }

    def configure(self, *options: str) -> subprocess.CompletedProcess[str]:
        package = self.run("ttag", "cmake").stdout.strip()
        chosen = [f"-DCMAKE_C_COMPILER={CLANG}", f"-DTargetTag_DIR={package}", *options]
        return self.run(
            "cmake", "-B", "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *chosen, check=False
        )

    def build(self) -> str:
        return self.run("cmake", "--build", "build").stdout

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.source,
            env=self.environment,
            capture_output=True,
            text=True,
            check=check,
        )

    def command_of(self, library: str) -> str:
        """Return the command that compiles the source of a library."""
        commands = json.loads((self.source / "build" / "compile_commands.json").read_text())
        (command,) = [each["command"] for each in commands if f"{library}.dir" in each["command"]]
        return str(command)

    def write(self, text: str) -> None:
        """Replace what the example builds."""
        head = "cmake_minimum_required(VERSION 3.20)\nproject(Test LANGUAGES C)\n"
        listing = f"{head}find_package(TargetTag REQUIRED)\n{text}\n"
        (self.source / "CMakeLists.txt").write_text(listing)


@pytest.fixture
def build(tmp_path: Path, registry: str) -> Build:
    """Return a copy of the example in a folder whose name has a space."""
    return Build(tmp_path / "a folder", registry)


def test_example_compiles_each_library_for_its_tag(build: Build) -> None:
    assert build.configure().returncode == 0
    build.build()
    assert "--target=x86_64-unknown-linux-gnu -march=haswell" in build.command_of("kernels")
    assert "--target=arm-none-eabi -mcpu=cortex-m7" in build.command_of("firmware")
    assert "haswell" not in build.command_of("firmware")
    (firmware,) = (build.source / "build").rglob("firmware.dir/*.o")
    header = firmware.read_bytes()[:20]
    assert (header[:4], header[18]) == (b"\x7fELF", 40)  # e_machine is EM_ARM


def test_locked_tag_needs_no_registry(build: Build) -> None:
    build.run("ttag", "lock", "--format", "clang", "aws/c4.4xlarge@1", "arm/soc:aot@1")
    build.environment |= {"TTAG_REGISTRY": "http://127.0.0.1:9", "TTAG_CACHE": "unused"}
    assert build.configure().returncode == 0
    assert "-march=haswell" in build.command_of("kernels")


def test_changed_lock_configures_again(build: Build) -> None:
    build.write("add_library(kernels STATIC kernels.c)\ntarget_tag(kernels aws/c4.4xlarge@1)")
    build.run("ttag", "lock", "--format", "clang", "aws/c4.4xlarge@1")
    build.configure()
    assert "Configuring done" not in build.build()
    lock = build.source / "targets.lock"
    later = time.time() + 5
    os.utime(lock, (later, later))
    assert "Configuring done" in build.build()


def test_new_lock_configures_again_and_a_missing_one_does_not(
    tmp_path: Path, registry: str
) -> None:
    build = Build(tmp_path / "a [x]* folder", registry)  # characters of patterns
    build.write("add_library(kernels STATIC kernels.c)\ntarget_tag(kernels aws/c4.4xlarge@1)")
    assert build.configure().returncode == 0
    assert "Configuring done" not in build.build()
    (build.source / "other.lock").write_text("")
    assert "Configuring done" not in build.build()
    build.run("ttag", "lock", "--format", "clang", "aws/c4.4xlarge@1")
    assert "Configuring done" in build.build()
    assert "Configuring done" not in build.build()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ttag.toml", 'lock = "other.lock"'),
        ("../ttag.toml", "timeout = 30"),
        ("pyproject.toml", '[tool.ttag]\nlock = "other.lock"'),
    ],
)
def test_new_settings_configure_again(build: Build, name: str, text: str) -> None:
    build.write("add_library(kernels STATIC kernels.c)\ntarget_tag(kernels aws/c4.4xlarge@1)")
    assert build.configure().returncode == 0
    assert "Configuring done" not in build.build()
    (build.source / name).write_text(text)
    assert "Configuring done" in build.build()
    assert "Configuring done" not in build.build()


def test_settings_of_other_folders_do_not_configure_again(build: Build) -> None:
    (build.source / "ttag.toml").write_text("timeout = 30")
    build.write("add_library(kernels STATIC kernels.c)\ntarget_tag(kernels aws/c4.4xlarge@1)")
    assert build.configure().returncode == 0
    build.build()
    for name in ("../ttag.toml", "pyproject.toml", "build/ttag.toml", "ttag.json"):
        (build.source / name).write_text("")
        assert "Configuring done" not in build.build()


def test_shared_library_is_linked_with_the_flags(build: Build) -> None:
    build.write("add_library(kernels SHARED kernels.c)\ntarget_tag(kernels aws/c4.4xlarge@1)")
    build.configure("-G", "Unix Makefiles")
    link = build.source / "build" / "CMakeFiles" / "kernels.dir" / "link.txt"
    assert "-march=haswell" in link.read_text()


def test_node_is_selected(build: Build) -> None:
    call = "target_tag(kernels nvidia/jetson-nano:cuda@1.1 NODE /host)"
    build.write(f"add_library(kernels STATIC kernels.c)\n{call}")
    build.configure()
    assert "-mcpu=cortex-a57" in build.command_of("kernels")


def test_flags_with_blanks_and_semicolons_stay_whole(build: Build, tmp_path: Path) -> None:
    program = tmp_path / "printer"
    program.write_text('#!/bin/sh\n[ "$1" = cmake ] || echo "\'-DTEXT=\\"a b;c\\"\' -DB -DB"\n')
    program.chmod(0o755)
    (build.source / "kernels.c").write_text(
        'char text[] = TEXT;\n_Static_assert(sizeof(TEXT) == 6, "");\n'
    )
    build.write("add_library(kernels STATIC kernels.c)\ntarget_tag(kernels acme/board)")
    assert build.configure(f"-DTargetTag_COMMAND={program}").returncode == 0
    build.build()
    assert build.command_of("kernels").count("-DB") == 2


@pytest.mark.parametrize(
    ("listing", "sentence"),
    [
        (
            "add_library(kernels STATIC kernels.c)\ntarget_tag(kernels arm/sco)",
            "There is no tag arm/sco. Did you mean arm/soc? (ttag: 3)",
        ),
        ("target_tag(kernels arm/soc)", "there is no library kernels"),
        (
            "add_library(kernels STATIC kernels.c)\ntarget_tag(kernels arm/soc /host)",
            "unknown arguments /host; expected NODE <pointer>",
        ),
        (
            f'{LIBRARY}target_tag(kernels "arm/soc;aws/c4.4xlarge@1")',
            'expected one reference, not the list "arm/soc;aws/c4.4xlarge@1"',
        ),
        (f"{LIBRARY}target_tag(kernels --help)", "--help is not a tag"),
        (
            f"{LIBRARY}target_tag(kernels arm/soc)\ntarget_tag(kernels aws/c4.4xlarge@1)",
            "kernels is compiled for arm/soc already, not also for aws/c4.4xlarge@1",
        ),
    ],
)
def test_wrong_call_stops_with_a_sentence(build: Build, listing: str, sentence: str) -> None:
    build.write(listing)
    done = build.configure()
    assert done.returncode != 0
    assert sentence in " ".join(done.stderr.split())


def test_one_tag_may_be_named_twice(build: Build) -> None:
    call = "target_tag(kernels arm/soc)"
    build.write(f"add_library(kernels STATIC kernels.c)\n{call}\n{call}")
    assert build.configure().returncode == 0


def test_other_compiler_is_refused(build: Build) -> None:
    pretence = "set(CMAKE_C_COMPILER_ID GNU)"
    build.write(f"{pretence}\nadd_library(kernels STATIC kernels.c)\ntarget_tag(kernels arm/soc)")
    done = build.configure()
    assert done.returncode != 0
    assert "target_tag needs Clang, but CMAKE_C_COMPILER is GNU" in " ".join(done.stderr.split())


def test_package_works_without_the_program_in_the_path(build: Build) -> None:
    (build.source.parent / "bin" / "ttag").unlink()
    del build.environment["PYTHONPATH"]
    options = [f"-DCMAKE_C_COMPILER={CLANG}", f"-DTargetTag_DIR={ROOT / 'client/ttag/cmake'}"]
    python = f"-DTargetTag_PYTHON={sys.executable}"
    done = build.run("cmake", "-B", "build", *options, python, "-DTargetTag_PROGRAM=", check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("version", "code"), [(__version__, 0), (f"{__version__} EXACT", 0), ("99", 1)]
)
def test_package_has_the_version_of_ttag(build: Build, version: str, code: int) -> None:
    build.write("")
    listing = build.source / "CMakeLists.txt"
    listing.write_text(listing.read_text().replace("TargetTag ", f"TargetTag {version} "))
    assert build.configure().returncode == code


def test_inputs_are_the_files_that_may_have_the_settings(ttag: Ttag, tmp_path: Path) -> None:
    work, inner = tmp_path / "work", tmp_path / "work" / "inner"
    inner.mkdir()
    nearest = [inner / "ttag.toml", inner / "pyproject.toml", work / "ttag.toml"]
    own = [*nearest, work / "pyproject.toml"]
    above = [folder / name for folder in work.parents for name in ("ttag.toml", "pyproject.toml")]
    for name, text, expected in (
        ("pyproject.toml", "", [*own, *above, inner / "targets.lock"]),
        ("pyproject.toml", "[tool.ttag]", [*own, work / "targets.lock"]),
        ("ttag.toml", 'lock = "x"', [*nearest, work / "x"]),
    ):
        (work / name).write_text(text)
        run = ttag("cmake", "--inputs", directory=inner)
        assert run.out.splitlines() == list(map(str, expected))


def test_inputs_are_the_settings_and_the_lock(ttag: Ttag, tmp_path: Path) -> None:
    settings = tmp_path / "work" / "ttag.toml"
    settings.write_text('lock = "other.lock"')
    run = ttag("cmake", "--inputs")
    assert run.out.splitlines() == [str(settings), str(tmp_path / "work" / "other.lock")]


def write_locked(build: Build, target: dict[str, Any], flags: str) -> None:
    """Lock a target as acme/board, with flags and the checksum of both."""
    text = canonical(target).decode()
    resolution = Resolution(
        "acme/board", "acme/board", "1.0.0", digest_of(text.encode()), LOCKED, text, {}
    )
    export = Export("acme/board", "clang", flags)
    locked = LockedTarget("https://registry.example.org", resolution, {"clang": export})
    write_lock(build.source / "targets.lock", [locked])


def test_flags_that_are_not_of_the_target_stop_the_build(build: Build) -> None:
    target = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell"}
    write_locked(build, target, "--target=x86_64-linux-gnu -march=haswell -fplugin=evil.so\n")
    build.write("add_library(kernels STATIC kernels.c)\ntarget_tag(kernels acme/board)")
    result = build.configure()
    assert result.returncode != 0
    assert "-fplugin=evil.so" in result.stderr
    assert "(ttag: 5)" in result.stderr
    assert not (build.source / "build" / "compile_commands.json").exists()


def test_unsafe_target_needs_a_switch(build: Build) -> None:
    target = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "keys": ["a/b"]}
    write_locked(build, target, "--target=x86_64-linux-gnu -march=haswell\n")
    call = "add_library(kernels STATIC kernels.c)\ntarget_tag(kernels acme/board{})"
    build.write(call.format(""))
    assert "(ttag: 3)" in build.configure().stderr
    build.write(call.format(" ALLOW_UNSAFE"))
    assert build.configure().returncode == 0
    assert "-march=haswell" in build.command_of("kernels")
