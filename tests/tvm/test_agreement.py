"""TVM, clang and IREE write objects of one format, architecture, float ABI and features.

With `--thorough`, for every leaf of the catalogue that is a CPU; otherwise for one of each family
and two more. Features are compared with all that they imply, by LLVM's own tables.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from registry.domain.document import canonical
from registry.domain.keys.tuning import leaves
from registry.domain.proofs import SETTINGS, read_by_tvm
from registry.services.core import shipped_facts
from tests.domain.builders import KINDS
from tests.domain.shipped import library
from tests.profiles import is_thorough
from tests.tvm.artefacts import Artefact, Writers, iree_compile
from tests.tvm.compiler import Compiler
from ttag.tvm.artefacts.expectations import object_format
from ttag_rules.compiled_options import implied_float_abi
from ttag_rules.triples import Triple

SAMPLE = 2  # leaves besides one of each family
# Names for groups of features, which drivers add and LLVM's processors do not have.
GROUPS = frozenset({"b", "zcd", "zcf", "zks", "zvknc"})
# A part of zvknhb, which the processors have; IREE's LLVM lists it apart.
PARTS = frozenset({"zvknha"})
# Features that the tables of drivers add to those of LLVM's processors. Code that TVM generates
# needs none of them: system registers and instructions of kernels, errata, the linker's
# relaxation, and instructions that TVM never selects.
DRIVER = frozenset(
    {
        *("el2vmsa", "el3", "mec", "rme", "spe-eef", "ccidx", "ssbs", "sgx", "read-tp-tpidruro"),
        *("fix-cortex-a53-835769", "relax", "strict-align", "v8a"),
        *("dsp", "fp16fml"),
    }
)
# IREE keeps a register free, whatever the system does with it.
ADDED = {"clang": GROUPS | DRIVER, "iree": GROUPS | DRIVER | PARTS | {"reserve-x18"}}
# Options that clang reads in another way than TVM, with the reason.
MISREAD_BY_CLANG = {
    "+rva22u64": "a profile needs -march",
    "+rva23u64": "a profile needs -march",
    "+v9a": "clang adds the instructions that Armv9 prescribes, LLVM's feature does not",
}
# Features that newer LLVMs than TVM's add to a CPU; only intrinsics use them.
ADDED_TO_CPU = {"tigerlake": frozenset({"kl", "widekl"})}
# CPUs of which IREE 3.13 makes other code, or none, with the reason.
UNFIT_FOR_IREE = {
    "tt-ascalon-d8": "its LLVM does not know the name, and aborts",
    "sifive-p870": "its LLVM does not know the name, and aborts",
    "sifive-e76": "it passes floats in registers, although its flags say ilp32",
}


def cpus() -> list[dict[str, Any]]:
    """Return the leaves of the catalogue that are CPUs which LLVM knows, with a triple."""
    targets = (
        version.resolution.target
        for versions in library().versions.values()
        for version in versions
    )
    read = (
        read_by_tvm(leaf.own, KINDS)
        for target in targets
        for leaf in leaves(target)
        if leaf.kind == "llvm"
    )
    distinct = {canonical(cpu): cpu for each in read if _is_known(cpu := _code_options(each))}
    return [distinct[key] for key in sorted(distinct)]


def _code_options(read: dict[str, Any]) -> dict[str, Any]:
    """Return what TVM reads of a leaf without settings, which change no object's form."""
    return {name: value for name, value in read.items() if name not in SETTINGS}


def _is_known(leaf: dict[str, Any]) -> bool:
    if "mtriple" not in leaf:
        return False
    known = shipped_facts.cpus().get(Triple.parse(leaf["mtriple"]).arch, frozenset())
    return leaf.get("mcpu", "generic") in known | {"generic"}


def family(leaf: dict[str, Any]) -> tuple[str, str, str]:
    """Return what decides the format, architecture and float ABI of a leaf."""
    triple = leaf["mtriple"]
    return Triple.parse(triple).arch, object_format(triple), implied_float_abi(triple)


def chosen() -> list[dict[str, Any]]:
    """Return the leaves to compile: all of them, or one of each family and a sample."""
    every = cpus()
    if is_thorough():
        return every
    random.Random(1).shuffle(every)  # noqa: S311 - which tests run is no secret
    families = {family(leaf): leaf for leaf in every}
    return [*families.values(), *every[:SAMPLE]]


@pytest.fixture(scope="module")
def writers(tvm: Compiler, tmp_path_factory: pytest.TempPathFactory) -> Writers:
    return Writers(tvm, tmp_path_factory.mktemp("objects"), iree_compile())


def compilers_for(leaf: dict[str, Any]) -> list[str]:
    """Return the compilers whose objects of a leaf must agree."""
    clang = [] if _is_generic_arm(leaf) else ["clang"]
    return ["tvm", *clang, *([] if leaf.get("mcpu") in UNFIT_FOR_IREE else ["iree"])]


def differences(leaf: dict[str, Any], artefacts: dict[str, Artefact]) -> Iterator[str]:
    """Yield how the objects of clang and IREE differ from TVM's."""
    tvm = artefacts["tvm"]
    for name in artefacts.keys() - {"tvm"}:
        other = artefacts[name]
        for part in ("format", "architecture", "float_abi"):
            if (one := getattr(tvm.object, part)) != (two := getattr(other.object, part)):
                yield f"{part}: {one} and by {name} {two}"
        added = other.features - tvm.features - ADDED[name]
        added -= ADDED_TO_CPU.get(leaf.get("mcpu", ""), frozenset())
        missing = tvm.features - other.features
        if (added or missing) and not (name == "clang" and _is_misread_by_clang(leaf)):
            yield f"{name} adds {sorted(added)}, lacks {sorted(missing)}"


def _is_misread_by_clang(leaf: dict[str, Any]) -> bool:
    """Return whether clang is known to read a leaf in another way."""
    return bool(MISREAD_BY_CLANG.keys() & set(leaf.get("mattr", ())))


def _is_generic_arm(leaf: dict[str, Any]) -> bool:
    """Return whether clang would switch off vfp3, which neon needs: there are no flags for it."""
    is_arm = Triple.parse(leaf["mtriple"]).arch == "arm"
    return is_arm and leaf.get("mcpu", "generic") == "generic"


def test_objects_of_all_compilers_agree(writers: Writers) -> None:
    compiled = chosen()
    assert len(compiled) > SAMPLE + 5
    found = {}
    for leaf in compiled:
        artefacts = dict(writers.artefacts(leaf, compilers_for(leaf)))
        assert artefacts.keys() >= {"tvm", "clang"} & {*compilers_for(leaf)}, leaf
        if problems := list(differences(leaf, artefacts)):
            found[str(leaf)] = problems
    assert not found


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"mtriple": "armv7l-unknown-linux-gnueabi", "mcpu": "cortex-a53"}, "float_abi: soft"),
        ({"mtriple": "aarch64-unknown-linux-gnu"}, "architecture: aarch64 and by clang arm"),
        ({"mtriple": "x86_64-pc-windows-msvc"}, "format: COFF and by clang ELF"),
        ({"mtriple": "armv7l-linux-gnueabihf", "mcpu": "cortex-a7"}, "clang adds"),
    ],
)
def test_objects_that_differ_are_noticed(
    writers: Writers, changed: dict[str, Any], problem: str
) -> None:
    leaf = {"kind": "llvm", "mtriple": "armv7l-linux-gnueabihf", "mcpu": "cortex-a53"}
    clang = dict(writers.artefacts(leaf, ["clang"]))
    mixed = {**clang, **dict(writers.artefacts({"kind": "llvm", **changed}, ["tvm"]))}
    assert any(text.startswith(problem) for text in differences(leaf, mixed))
