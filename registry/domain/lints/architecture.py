"""Lints for options that belong to another architecture: ABIs and dispatch keys."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.errors import Fault, echo
from registry.domain.kinds.kinds import Kinds
from registry.domain.lints.facts import LintFacts
from registry.domain.names.near_names import nearest_names
from ttag_rules.nodes import Node
from ttag_rules.pointer import child

ARM = ("aapcs", "aapcs-linux", "aapcs-vfp", "aapcs16", "apcs", "apcs-gnu")
AARCH64 = ("aapcs", "aapcs-soft", "darwinpcs", "pauthtest")
MIPS = ("eabi", "n32", "n64", "o32")
POWERPC64 = ("elfv1", "elfv2")
RISCV32 = ("ilp32", "ilp32d", "ilp32e", "ilp32f")
RISCV64 = ("lp64", "lp64d", "lp64e", "lp64f")
LOONGARCH32 = ("ilp32d", "ilp32f", "ilp32s")
LOONGARCH64 = ("lp64d", "lp64f", "lp64s")

# The calling conventions that LLVM 22 reads from the name of an ABI, by architecture; none for an
# architecture whose back end reads no name.
ABIS: dict[str, tuple[str, ...]] = {
    "aarch64": AARCH64,
    "aarch64_32": AARCH64,
    "aarch64_be": AARCH64,
    "arm": ARM,
    "armeb": ARM,
    "hexagon": (),
    "i386": (),
    "loongarch32": LOONGARCH32,
    "loongarch64": LOONGARCH64,
    "mips": MIPS,
    "mips64": MIPS,
    "mips64el": MIPS,
    "mipsel": MIPS,
    "powerpc64": POWERPC64,
    "powerpc64le": POWERPC64,
    "riscv32": RISCV32,
    "riscv64": RISCV64,
    "s390x": (),
    "x86_64": (),
}
# Architectures that always pass floating-point values in the same registers.
ONE_FLOAT_ABI = frozenset({"aarch64", "aarch64_be", "aarch64_32", "hexagon", "i386", "x86_64"})


def foreign_abi(node: Node, _kinds: Kinds, facts: LintFacts) -> Iterator[Fault]:
    """Warn of an ABI of another architecture."""
    architecture = facts.architecture(node)
    abi, known = node.value.get("mabi"), ABIS.get(architecture)
    if abi is not None and known is not None and abi not in known:
        yield Fault(
            child(node.pointer, "mabi"),
            "ABI_FOREIGN",
            f"{architecture} has no ABI {echo(abi)}",
            f"one of {', '.join(known)}" if known else f"no mabi: {architecture} has one ABI",
            echo(abi),
            nearest_names(abi, known),
        )
    if "mfloat-abi" in node.value and architecture in ONE_FLOAT_ABI:
        yield Fault(
            child(node.pointer, "mfloat-abi"),
            "ABI_FOREIGN",
            f"mfloat-abi has no meaning for {architecture}",
            "no mfloat-abi",
            echo(node.value["mfloat-abi"]),
        )


def foreign_keys(node: Node, _kinds: Kinds, facts: LintFacts) -> Iterator[Fault]:
    """Warn of dispatch keys whose schedules are for another kind or architecture."""
    if not node.kind or not node.is_leaf:
        return
    architecture = facts.architecture(node)
    places = [(f"keys/{index}", key) for index, key in enumerate(node.value.get("keys", ()))]
    if "device" in node.value:
        places.append(("device", node.value["device"]))
    for place, key in places:
        owners = facts.keys.get(key)
        own = {node.kind} | ({architecture} if node.kind in ("llvm", "c") else set())
        if owners is None or own & owners or not (architecture or _names_kinds(owners, facts)):
            continue
        fitting = sorted(name for name, names in facts.keys.items() if own & names)
        yield Fault(
            f"{node.pointer}/{place}",
            "KEYS_FOREIGN",
            f"the schedules of {echo(key)} are for {', '.join(sorted(owners))}",
            f"keys for {' on '.join(filter(None, (node.kind, architecture)))}",
            echo(key),
            tuple(fitting[:3]),
        )


def _names_kinds(owners: frozenset[str], facts: LintFacts) -> bool:
    """Return whether a key belongs to kinds rather than to architectures of CPUs."""
    return not owners & facts.cpus.keys()
