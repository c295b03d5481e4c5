"""The format `cmake`: the system, the flags of the CPU, and the CUDA architectures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ttag.canonical_json import is_same
from ttag.texts.claimed_text import Claim, Unexpected, shown
from ttag.texts.clang import find_cpu, has_cpu, stated_triples
from ttag.texts.grammar import Item, parse
from ttag.texts.triples import GENERIC, architecture, environment, is_same_triple, processor, system
from ttag_rules.closed_nodes import effective_host
from ttag_rules.compatibility.devices.architectures import Architecture
from ttag_rules.grammars import TABLES
from ttag_rules.nodes import Node, nodes

CMAKE = TABLES["cmake"]
LANGUAGES = ("C", "CXX", "ASM")
SPECIFIC_CUDA = re.compile(CMAKE["specific_cuda"])
ANDROID = re.compile(r"android[a-z]*([0-9]*)")
CUDA = "cuda"


def check(claim: Claim) -> None:
    """Raise `Unexpected` unless the text is the toolchain file of the target."""
    values = {item.name: item.value for item in parse("cmake", claim.text)}
    if values.pop("comment", "") != claim.reference:
        raise Unexpected(f"is not that of {claim.reference}")
    cuda = values.pop(CUDA, "")
    gpus = [each for each in nodes(claim.target) if each.kind == CUDA and "arch" in each.value]
    if values:
        cpu = _check_cpu(claim, values)
        gpus = [gpu for gpu in gpus if is_same(effective_host(gpu), cpu.value)]
    elif not gpus or has_cpu(claim):
        raise Unexpected("lacks the CPU of the target")
    stated = set(filter(None, cuda.split(";")))
    if stated not in _cuda_architectures([str(gpu.value["arch"]) for gpu in gpus]):
        raise Unexpected(f"has the CUDA architectures {shown(cuda)}, which are not the target's")


def _cuda_architectures(arches: Sequence[str]) -> tuple[set[str], ...]:
    """Return what CMake is told of GPUs: what registries write now, and what they wrote.

    nvcc refuses code for sm_100 beside that for sm_100f, and knows sm_101 as sm_110. Earlier ones
    wrote so; up to release 0.1, they wrote sm_90a without PTX for later GPUs.
    """
    bare = {arch.removeprefix("sm_") for arch in arches}
    named = {str(Architecture.parse(arch) or arch).removeprefix("sm_") for arch in arches}
    now, before = ({each for arch in names for each in _with_ptx(arch)} for names in (named, bare))
    return now - {arch.removesuffix("f") for arch in named if arch.endswith("f")}, before, bare


def _with_ptx(arch: str) -> tuple[str, ...]:
    """Return the architectures of a GPU: sm_90a and its like go with PTX of the plain one."""
    specific = SPECIFIC_CUDA.fullmatch(arch)
    return (f"{arch}-real", f"{specific[1]}-virtual") if specific else (arch,)


def _check_cpu(claim: Claim, values: dict[str, str]) -> Node:
    flags = {values.pop(f"flags {language}", "") for language in LANGUAGES}
    targets = {values.pop(f"target {language}", "") for language in LANGUAGES}
    if len(flags) > 1 or len(targets) > 1:
        raise Unexpected("has different flags for its languages")
    (line,), (target,) = flags, targets
    items = parse("clang", line.replace("\\@", "@") + "\n") if line else []
    is_android = values.get("system") == "Android"
    if target:
        items = [Item("target", target), *items]
    cpu = _find_cpu(claim, items, is_android)
    triples = stated_triples(cpu)
    expected = _system_values(triples[0]) if triples else {}
    is_android = expected.get("system") == "Android"
    if not is_android:
        expected["compilers"] = ""
    if triples and not is_android and not is_same_triple(target, triples[0]):
        raise Unexpected("lacks the triple of the target")
    if values != expected:
        name, value = min({*values.items()} ^ {*expected.items()})
        raise Unexpected(f"{'holds' if name in values else 'lacks'} {shown(f'{name} {value}')}")
    return cpu


def _find_cpu(claim: Claim, items: list[Item], is_android: bool) -> Node:
    """Return the CPU that flags describe; for Android, CMake makes the triple itself."""
    if not is_android:
        return find_cpu(claim, items)
    error = Unexpected("describes a CPU that is not in the target")
    for node in nodes(claim.target):
        for triple in stated_triples(node):
            try:
                return find_cpu(claim, [Item("target", triple), *items])
            except Unexpected as unexpected:
                error = unexpected
    raise error


def _system_values(triple: str) -> dict[str, str]:
    """Return the values for the system of a triple."""
    arch = architecture(triple)
    if android := ANDROID.fullmatch(environment(triple)):
        values = {"system": "Android", "processor": CMAKE["android_processors"].get(arch, arch)}
        return values | ({"version": android[1]} if android[1] else {})
    name = CMAKE["systems"][system(triple)]
    values = {"system": name, "processor": processor(triple)}
    return values | ({"generic": ""} if name == GENERIC else {})
