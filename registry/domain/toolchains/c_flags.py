"""How clang is told a CPU and its calling convention (design section 8).

Only what holds for everything that is built for the machine: how generated kernels are optimised
(opt-level, fast-math, cl-opt) is not said to a whole build.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from registry.domain.composition import Node
from registry.domain.errors import Code, Refused, echo
from registry.domain.exporting import Subject
from registry.domain.pointer import child
from registry.domain.toolchains.flags import cpu_node
from registry.domain.toolchains.triples import Triple

# The flag by which clang takes the name of a CPU, by architecture.
MARCH, MCPU = "-march", "-mcpu"
BY_MARCH = "x86_64 i386 s390x loongarch64 loongarch32"
BY_MCPU = (
    "arm armeb aarch64 aarch64_be aarch64_32 riscv64 riscv32 hexagon "
    "powerpc64le powerpc64 powerpc powerpcle mips64 mips64el mips mipsel wasm32 wasm64"
)
CPU_FLAGS = {
    **dict.fromkeys(BY_MARCH.split(), MARCH),
    **dict.fromkeys(BY_MCPU.split(), MCPU),
}
TAKES_FLOAT_ABI = frozenset({"arm", "armeb"})
TAKES_ABI = CPU_FLAGS.keys() - {"x86_64", "i386", "s390x", "hexagon", "wasm32", "wasm64"}
TAKES_GENERIC = frozenset(  # clang's names of CPUs are not all of LLVM's
    {"arm", "armeb", "aarch64", "aarch64_be", "aarch64_32", "wasm32", "wasm64"}
    | {"powerpc64le", "powerpc64", "powerpc", "powerpcle"}
)

# Cores of Arm's M profile run nothing but 32-bit code of the embedded ABI, and have no memory
# management for an operating system: one triple fits them all, and the compiler's own never does.
M_PROFILE, M_PROFILE_TRIPLE = "cortex-m", "arm-none-eabi"

GENERIC = "generic"  # LLVM's CPU for an architecture as such

SPOKEN = frozenset({"kind", "mtriple", "mcpu", "march", "mattr", "mabi", "mfloat-abi"})


@dataclass(frozen=True, slots=True)
class Flags:
    """What clang is told of one CPU.

    `triple` is the compiler's target; empty where none is said, and the compiler's own counts, as
    in TVM. `words` are the other flags. `unsaid` are options of a CPU for which this architecture
    has no flag, with the reason.
    """

    node: Node
    triple: str
    words: tuple[str, ...]
    unsaid: Mapping[str, str]

    @property
    def said(self) -> frozenset[str]:
        """The pointers of what the flags say."""
        names = (SPOKEN - self.unsaid.keys()) & self.node.value.keys()
        return frozenset(child(self.node.pointer, name) for name in names)

    @property
    def reasons(self) -> dict[str, str]:
        """Why some options are not said, by pointer."""
        return {child(self.node.pointer, name): why for name, why in self.unsaid.items()}


def c_flags(subject: Subject) -> Flags:
    """The flags for a target's CPU.

    Raises `Refused` (FORMAT_UNFIT) where there is no CPU, or too little is said of it.
    """
    node = cpu_node(subject)
    triple = node.value.get("mtriple") or _certain_triple(node, subject.cpus)
    architectures = _architectures(node, triple, subject.cpus)
    flags = {CPU_FLAGS.get(each, "") for each in architectures}
    cpu_flag = flags.pop() if len(flags) == 1 else ""
    if not (triple or cpu_flag or "march" in node.value):
        raise _too_little(subject, node)
    unsaid = dict(_unsaid(node, architectures, cpu_flag))
    return Flags(node, triple, tuple(_words(node, cpu_flag, unsaid)), unsaid)


def _certain_triple(node: Node, cpus: Mapping[str, frozenset[str]]) -> str:
    """The triple of a CPU that has but one."""
    cpu = node.value.get("mcpu", "")
    is_m_profile = cpu.startswith(M_PROFILE) and cpu in cpus.get("arm", ())
    return M_PROFILE_TRIPLE if is_m_profile else ""


def _architectures(node: Node, triple: str, cpus: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The architecture of the triple; without one, all that have a CPU of the name."""
    if triple:
        return frozenset({Triple.parse(triple).arch})
    cpu = node.value.get("mcpu", "")
    return frozenset(each for each in CPU_FLAGS if cpu in cpus.get(each, ()))


def _too_little(subject: Subject, node: Node) -> Refused:
    cpu = node.value.get("mcpu")
    has_triple = "mtriple" in subject.kinds.targets[node.kind].options
    expected = "an mtriple" if has_triple else "an mcpu that LLVM knows"
    found = f"only the CPU {echo(cpu)}, which does not tell the architecture" if cpu else "no CPU"
    return Refused(
        Code.FORMAT_UNFIT,
        f"{subject.reference} states {found}; expected {expected} at {node.pointer or 'the root'}.",
    )


def _unsaid(node: Node, architectures: frozenset[str], cpu_flag: str) -> Iterator[tuple[str, str]]:
    """The options that no flag says here, each with the reason."""
    here = " or ".join(sorted(architectures)) or "an architecture that is not said"
    if not cpu_flag:
        yield "mcpu", f"no flag for a CPU of {here} is known"
    elif node.value.get("mcpu") == GENERIC and not architectures <= TAKES_GENERIC:
        yield "mcpu", f"clang knows no CPU {GENERIC} of {here}; its own default counts"
    elif cpu_flag == MARCH and "march" in node.value:
        yield "mcpu", "the flag that would say it says march"
    if not architectures or not architectures <= TAKES_ABI:
        yield "mabi", f"no flag names an ABI of {here}"
    if not architectures or not architectures <= TAKES_FLOAT_ABI:
        yield "mfloat-abi", "a flag says it on 32-bit Arm only"


def _words(node: Node, cpu_flag: str, unsaid: Mapping[str, str]) -> Iterator[str]:
    """The flags beside the triple."""
    flags = {"march": MARCH, "mcpu": cpu_flag, "mabi": "-mabi", "mfloat-abi": "-mfloat-abi"}
    for name, flag in flags.items():
        if name in node.value and name not in unsaid:
            yield f"{flag}={node.value[name]}"
    for feature in node.value.get("mattr", ()):
        yield from ("-Xclang", "-target-feature", "-Xclang", feature)
