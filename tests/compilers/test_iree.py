"""iree-compile accepts the exported flags and generates code for the target."""

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import CompletedProcess
from typing import TypeAlias

import pytest

from catalogue_tools.facts import read_table
from catalogue_tools.gpus.mobile import MALI
from catalogue_tools.names import slug
from registry.domain.closed_nodes import close_node
from registry.domain.document import Json
from registry.domain.exporting import Subject
from registry.domain.formats.iree import FORMAT
from registry.domain.toolchains.iree_devices import (
    ARCHITECTURES,
    CPU_FLAGS,
    CUDA,
    CUDA_ARCHES,
    CUDA_FLAG,
    HIP,
    LOCAL,
    ROCM_CPUS,
    ROCM_FLAGS,
    SELECTION_FLAGS,
    VULKAN,
    VULKAN_FLAGS,
    VULKAN_PRODUCTS,
)
from registry.services.core import shipped_facts
from tests.compilers.objects import is_object_for, passes_floats_in_registers
from tests.domain.builders import KINDS
from tests.domain.formats.subjects import catalogue, subject
from tests.domain.formats.test_iree import flags, written
from tests.profiles import is_thorough
from ttag_rules.nodes import nodes

Compile: TypeAlias = Callable[[Sequence[str]], CompletedProcess[str]]

# On integers, since not every processor has floating point.
PROGRAM = """
func.func @add(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %sum = arith.addi %a, %b : tensor<4xi32>
  return %sum : tensor<4xi32>
}
"""
# Messages of LLVM and IREE for unknown names, which they otherwise ignore.
ERROR_MESSAGES = ("is not a recognized", "Unknown CPU")
STOP_AFTER_FLAGS = "--compile-to=input"  # stops after reading the flags
STOP_AFTER_DEVICES = "--compile-to=preprocessing"  # stops after looking up devices
GPU_ATTRIBUTE = "#iree_gpu.target"


@pytest.fixture(scope="module")
def iree_compile(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    """Return a function that compiles a program to standard output."""
    # The binary from the package: the command iree-compile starts Python first, four times as slow.
    binaries = pytest.importorskip("iree.compiler.tools.binaries")
    folder = tmp_path_factory.mktemp("iree")
    (folder / "add.mlir").write_text(PROGRAM)
    command = [binaries.find_tool("iree-compile"), "add.mlir", "-o", "-"]
    # To name the functions on its stack takes a crash thirty times as long.
    environment = {**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"}

    def run(words: Sequence[str]) -> CompletedProcess[str]:
        return subprocess.run(
            [*command, *words],
            cwd=folder,
            env=environment,
            capture_output=True,
            check=False,
            errors="replace",
        )

    return run


def compiler_errors(result: CompletedProcess[str]) -> str:
    """Return the errors of the compiler; empty if there are none."""
    lines = [
        line for line in result.stderr.splitlines() if any(text in line for text in ERROR_MESSAGES)
    ]
    return "\n".join(lines) or (result.stderr if result.returncode else "")


def compile_all(
    iree_compile: Compile, commands: Iterable[Sequence[str]]
) -> Iterator[CompletedProcess[str]]:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(iree_compile, commands)


def catalogue_flags() -> set[tuple[str, ...]]:
    """Return the flags of all targets and of all their nodes, including hosts."""
    subjects = list(catalogue().values())
    node_subjects = [
        Subject(root.exact, root.document, KINDS, part=close_node(root.document, node.pointer))
        for root in subjects
        for node in nodes(root.document)
    ]
    exports = filter(None, map(written, [*subjects, *node_subjects]))
    return {tuple(flags(export)) for export in exports}


def with_stop_option(words: tuple[str, ...]) -> tuple[str, ...]:
    """Add the option to stop once unknown names would have been reported.

    With `--thorough`, code for processors is generated too.
    """
    names = {word.partition("=")[0] for word in words}
    if CPU_FLAGS["mcpu"] in names and CPU_FLAGS["mtriple"] not in names:
        # A CPU without triple: the test machine may have another one.
        return (*words, STOP_AFTER_FLAGS)
    is_local = words[: len(SELECTION_FLAGS[LOCAL])] == SELECTION_FLAGS[LOCAL]
    return words if is_local and is_thorough() else (*words, STOP_AFTER_DEVICES)


def architecture(word: str) -> str:
    """Return the flag for a triple with its architecture only."""
    name, _, triple = word.partition("=")
    return f"{name}={triple.partition('-')[0]}"


def pattern(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the flags without the names of processors and features, and systems of triples."""
    names = (CPU_FLAGS["mcpu"], CPU_FLAGS["mattr"], CUDA_FLAG, ROCM_FLAGS["mcpu"])
    return tuple(
        architecture(word) if word.startswith(CPU_FLAGS["mtriple"]) else word
        for word in words
        if word.partition("=")[0] not in names
    )


@pytest.mark.system
def test_all_flags_of_the_catalogue_are_accepted(iree_compile: Compile) -> None:
    """With `--thorough`; otherwise one example per pattern of flags."""
    commands = sorted(map(with_stop_option, catalogue_flags()))
    assert len(commands) > 30
    if not is_thorough():
        commands = sorted({pattern(words): words for words in commands}.values())
        assert len(commands) > 10
    rejected = {
        words: problem
        for words, result in zip(commands, compile_all(iree_compile, commands), strict=True)
        if (problem := compiler_errors(result))
    }
    assert not rejected


@pytest.mark.parametrize(
    ("body", "suffix", "content"),
    [
        (
            {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell"},
            "x86_64.so",
            b"\x7fELF",
        ),
        (
            {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a57"},
            "arm_64.so",
            b"\x7fELF",
        ),
        (
            {
                "kind": "llvm",
                "mtriple": "riscv64-unknown-linux-gnu",
                "mcpu": "sifive-u74",
                "mabi": "lp64d",
            },
            "riscv_64.so",
            b"\x7fELF",
        ),
        (
            {
                "kind": "llvm",
                "mtriple": "armv7a-linux-gnueabihf",
                "mcpu": "cortex-a7",
                "mattr": ["+neon"],
                "mfloat-abi": "hard",
            },
            "arm_32.so",
            b"\x7fELF",
        ),
        ({"kind": "cuda", "arch": "sm_80"}, ".ptx", b".target sm_80"),
        ({"kind": "nvptx", "mcpu": "sm_75"}, ".ptx", b".target sm_75"),
        (
            {"kind": "rocm", "mcpu": "gfx942", "mattr": ["+xnack"]},
            ".hsaco",
            b"gfx942:xnack+",
        ),
        ({"kind": "vulkan", "device": "adreno"}, ".spv", b"\x03\x02\x23\x07"),
        (
            {"kind": "vulkan", "device": "mali", "model": "mali-g78"},
            ".spv",
            b"\x03\x02\x23\x07",
        ),
        (
            {"kind": "metal", "host": {"kind": "llvm", "mtriple": "arm64-apple-ios17.0"}},
            ".metal",
            b"using namespace metal",
        ),
    ],
)
def test_code_is_generated_for_the_target(
    body: Json, suffix: str, content: bytes, iree_compile: Compile, tmp_path: Path
) -> None:
    words = flags(FORMAT.write(subject(body)))
    result = iree_compile([*words, f"--iree-hal-dump-executable-binaries-to={tmp_path}"])
    assert not compiler_errors(result)
    (binary,) = tmp_path.iterdir()
    assert binary.name.endswith(suffix)
    assert content in binary.read_bytes()


@pytest.mark.parametrize(
    ("cpu", "has_unit"), [("cortex-m7", True), ("cortex-m55", True), ("cortex-m3", False)]
)
def test_a_model_for_bare_metal_is_c_and_an_object(
    cpu: str, has_unit: bool, iree_compile: Compile, tmp_path: Path
) -> None:
    body: Json = {"kind": "c", "mcpu": cpu, "executor": "aot", "runtime": "crt"}
    path = tmp_path / "model.o"
    library = f"--iree-llvmcpu-static-library-output-path={path}"
    result = iree_compile([*flags(FORMAT.write(subject(body))), library])
    assert not compiler_errors(result)
    assert "iree_vm_" in result.stdout  # the model as C, on IREE's runtime
    assert path.with_suffix(".h").exists()
    content = path.read_bytes()
    assert is_object_for(content, "arm-none-eabi")
    assert passes_floats_in_registers(content) == has_unit


def test_flags_can_be_read_from_a_file(iree_compile: Compile, tmp_path: Path) -> None:
    file = tmp_path / "flags"
    file.write_text(FORMAT.write(subject({"kind": "cuda", "arch": "sm_80"})).text)
    result = iree_compile([f"@{file}", STOP_AFTER_DEVICES])
    assert 'arch = "sm_80"' in result.stdout


@pytest.mark.system
@pytest.mark.parametrize(
    ("device", "flag", "architecture", "expected"),
    [(CUDA, CUDA_FLAG, "nvptx64", CUDA_ARCHES), (HIP, ROCM_FLAGS["mcpu"], "amdgcn", ROCM_CPUS)],
)
def test_iree_supports_exactly_these_of_the_gpus_known_to_llvm(
    device: str, flag: str, architecture: str, expected: tuple[str, ...], iree_compile: Compile
) -> None:
    names = sorted(shipped_facts.cpus()[architecture])
    commands = [(*SELECTION_FLAGS[device], f"{flag}={name}", STOP_AFTER_DEVICES) for name in names]
    runs = compile_all(iree_compile, commands)
    supported = {name for name, run in zip(names, runs, strict=True) if GPU_ATTRIBUTE in run.stdout}
    assert supported == set(expected)


@pytest.mark.system
def test_iree_knows_exactly_these_mali_by_the_names_of_their_tags(iree_compile: Compile) -> None:
    """A tag of another Mali states no model, because IREE crashes on a name that it lacks."""
    models = [slug(row["name"]) for row in read_table(MALI).rows]
    flag = VULKAN_FLAGS["device"]
    commands = [(*SELECTION_FLAGS[VULKAN], f"{flag}={name}", STOP_AFTER_DEVICES) for name in models]
    runs = compile_all(iree_compile, commands)
    known = {name for name, run in zip(models, runs, strict=True) if GPU_ATTRIBUTE in run.stdout}
    assert known == set(VULKAN_PRODUCTS["mali"])


@pytest.mark.system
def test_iree_supports_exactly_these_architectures(iree_compile: Compile) -> None:
    others = ("hexagon", "loongarch64", "mips64", "powerpc64le", "s390x")
    names = [*ARCHITECTURES, *others]
    flag = CPU_FLAGS["mtriple"]
    commands = [
        (*SELECTION_FLAGS[LOCAL], f"{flag}={name}-linux-gnu", STOP_AFTER_DEVICES) for name in names
    ]
    runs = compile_all(iree_compile, commands)
    supported = [name for name, run in zip(names, runs, strict=True) if run.returncode == 0]
    assert supported == list(ARCHITECTURES)
