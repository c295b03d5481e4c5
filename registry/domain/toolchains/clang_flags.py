"""Clang's flags for a CPU and its calling convention.

They hold for everything that is built for the machine, so options about the optimisation of
generated kernels (opt-level, fast-math, cl-opt) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.exporting import Subject
from registry.domain.names.near_names import nearest_names
from registry.domain.toolchains.flags import find_cpu_node
from ttag_rules.compatibility.driver_defaults import surplus_of
from ttag_rules.compatibility.options import Compiler
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.compiled_options import FLOAT_ABI, SOFT, compiled_options
from ttag_rules.grammars import TABLES
from ttag_rules.nodes import Node
from ttag_rules.pointer import child
from ttag_rules.triples import Triple

CLANG = TABLES["clang"]
MARCH = "-march"
# Clang's flag for the name of a CPU, by architecture, and which others an architecture has.
CPU_FLAGS: Mapping[str, str] = {name: each["cpu"] for name, each in CLANG["architectures"].items()}


def _architectures_with(property_name: str) -> frozenset[str]:
    architectures = CLANG["architectures"]
    return frozenset(name for name in architectures if architectures[name].get(property_name))


TAKES_FLOAT_ABI = _architectures_with("float_abi")
TAKES_ABI = _architectures_with("abi")
TAKES_GENERIC = _architectures_with("generic")  # clang does not accept all of LLVM's CPU names

# Cores of Arm's M profile only run 32-bit code with the embedded ABI, and have no MMU for an
# operating system: one triple fits them all, and the compiler's default never does.
M_PROFILE, M_PROFILE_TRIPLE = CLANG["m_profile"]

# In TVM and IREE, soft means how calls pass floats, as softfp does; clang's soft also forbids
# instructions for floats.
FLOAT_ABIS: Mapping[str, str] = CLANG["float_abis"]

# A profile of RISC-V is a feature for LLVM. Clang ignores what such a feature implies, floating
# point for one, and reads profiles from -march.
PROFILE = re.compile(CLANG["profile"])

ARM, NEON = frozenset({"arm", "armeb"}), "+neon"
M_OF_TRIPLE = re.compile(r"v[6-8].*m")  # of the M profile, which has nothing but Thumb: thumbv7em
BASE_CPU = "an mcpu such as generic-rv64, to which clang adds nothing"
OF_THIS_MACHINE = frozenset({"native", "host"})  # for a compiler that inspects its own machine
GENERIC: str = CLANG["generic"]  # LLVM's baseline CPU of an architecture

CPU_OPTIONS = frozenset({"kind", "mtriple", "mcpu", "march", "mattr", "mabi", "mfloat-abi"})


@dataclass(frozen=True, slots=True)
class ClangFlags:
    """Clang's flags for one CPU.

    `triple` is the value of `--target`; empty if none is stated, so that clang uses its default, as
    in TVM. `words` are the other flags. `omitted` maps options that have no flag on this
    architecture to the reason.
    """

    node: Node
    triple: str
    words: tuple[str, ...]
    omitted: Mapping[str, str]

    @property
    def written(self) -> frozenset[str]:
        """The pointers of the options that the flags express."""
        names = (CPU_OPTIONS - self.omitted.keys()) & self.node.value.keys()
        return frozenset(child(self.node.pointer, name) for name in names)

    @property
    def reasons(self) -> dict[str, str]:
        """The reasons for omitted options, by pointer."""
        return {child(self.node.pointer, name): reason for name, reason in self.omitted.items()}


# Decision 033: flags are for one machine, so one node is described.
def clang_flags(subject: Subject) -> ClangFlags:
    """Return the flags for a target's CPU.

    Raises `Refused` (FORMAT_UNFIT) if there is no CPU, its architecture is unknown, or clang is
    known to reject or misread it.
    """
    node = find_cpu_node(subject)
    triple = node.value.get("mtriple") or _implied_triple(node, subject.cpus)
    architectures = _architectures(node, triple, subject.cpus)
    flags = {CPU_FLAGS.get(architecture, "") for architecture in architectures}
    cpu_flag = flags.pop() if len(flags) == 1 else ""
    if not (triple or cpu_flag or "march" in node.value):
        raise _architecture_unknown(subject, node)
    omitted = dict(_omitted_options(node, architectures, cpu_flag))
    _refuse_unknown_cpu(subject, node, architectures, omitted)
    _refuse_two_architectures(subject, node)
    _refuse_lost_neon(subject, node, architectures)
    _refuse_lost_thumb(subject, node, Triple.parse(triple))
    _refuse_added_extensions(subject, node)
    return ClangFlags(node, triple, tuple(_other_flags(node, cpu_flag, omitted)), omitted)


def _implied_triple(node: Node, cpus: Mapping[str, frozenset[str]]) -> str:
    """Return the only triple that is possible for a CPU; empty if there are several."""
    cpu = _cpu_name(node)
    is_m_profile = cpu.startswith(M_PROFILE) and cpu in cpus.get("arm", ())
    return M_PROFILE_TRIPLE if is_m_profile else ""


def _cpu_name(node: Node) -> str:
    """Return the name in `mcpu` without the features after it, as in `cortex-m4+nofp`."""
    return str(node.value.get("mcpu", "")).partition("+")[0]


def _architectures(node: Node, triple: str, cpus: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the triple's architecture; without a triple, all that have a CPU of this name."""
    if triple:
        return frozenset({Triple.parse(triple).arch})
    cpu = _cpu_name(node)
    return frozenset(
        architecture for architecture in CPU_FLAGS if cpu in cpus.get(architecture, ())
    )


def _architecture_unknown(subject: Subject, node: Node) -> Refused:
    cpu = node.value.get("mcpu")
    has_triple = "mtriple" in subject.kinds.targets[node.kind].options
    expected = "an mtriple" if has_triple else "an mcpu that LLVM knows"
    stated = f"only the CPU {echo(cpu)}, of an unknown architecture" if cpu else "no CPU"
    place = node.pointer or "the root"
    return Refused(
        Code.FORMAT_UNFIT, f"{subject.reference} states {stated}; expected {expected} at {place}."
    )


# Decision 132: no flags are served that clang is known to reject.
def _refuse_unknown_cpu(
    subject: Subject, node: Node, architectures: frozenset[str], omitted: Mapping[str, str]
) -> None:
    known = {cpu for name in architectures for cpu in subject.cpus.get(name, ())}
    cpu = _cpu_name(node)
    if not (cpu and known) or "mcpu" in omitted or cpu in known | OF_THIS_MACHINE:
        return
    message = f"clang 22 has no CPU {echo(cpu)} for {' or '.join(sorted(architectures))}"
    raise _no_flags(subject, node, "mcpu", message, suggestions=nearest_names(cpu, known))


def _refuse_two_architectures(subject: Subject, node: Node) -> None:
    """Refuse a second value for -march, of which clang reads the last only."""
    stated = [*filter(None, [node.value.get("march")]), *_profiles(node)]
    if len(stated) > 1 and _profiles(node):
        message = f"clang reads one -march, not {' and '.join(map(echo, stated))}"
        raise _no_flags(subject, node, "mattr", message)


def _refuse_lost_neon(subject: Subject, node: Node, architectures: frozenset[str]) -> None:
    """Refuse NEON of a generic Arm core: clang's own -d32 and -vfp3 switch it off again."""
    features = node.value.get("mattr", ())
    is_generic = _cpu_name(node) in ("", GENERIC)
    if is_generic and architectures and architectures <= ARM and NEON in features:
        message = f"clang switches {NEON} off again for a generic Arm core"
        expected = "an mcpu that has NEON, such as cortex-a8"
        raise _no_flags(subject, node, "mattr", message, expected)


def _refuse_lost_thumb(subject: Subject, node: Node, triple: Triple) -> None:
    """Refuse Thumb of Arm's A and R profile: clang compiles for Arm unless told -mthumb."""
    is_default = triple.os == "windows" or _cpu_name(node).startswith(M_PROFILE)
    if (
        is_default
        or not triple.processor.startswith("thumb")
        or M_OF_TRIPLE.search(triple.processor)
    ):
        return
    message = f"clang compiles {echo(triple.processor)} to Arm's other instructions"
    raise _no_flags(subject, node, "mtriple", message, "arm, as armv7a")


def _refuse_added_extensions(subject: Subject, node: Node) -> None:
    """Refuse a list of extensions of RISC-V to which clang adds its own, as it does to no CPU's."""
    code = Processor.from_leaf(node.pointer, node.value, shipped_tables())
    is_listed = code.architecture.startswith("riscv") and code.mattr and not _profiles(node)
    if not is_listed or code.instruction_set is None or "march" in node.value:
        return
    own = (code.features() or frozenset()) | code.instruction_set.switched_off(code.mattr)
    if added := surplus_of(code, Compiler.CLANG).features - own:
        message = f"clang adds {', '.join(sorted(added))} where no processor is stated"
        raise _no_flags(subject, node, "mattr", message, BASE_CPU)


def _no_flags(
    subject: Subject,
    node: Node,
    option: str,
    message: str,
    expected: str = "",
    *,
    suggestions: Sequence[str] = (),
) -> Refused:
    """Return the error for an option of a CPU that clang rejects or misreads."""
    return Refused(
        Code.FORMAT_UNFIT,
        f"{message}, so there are no flags for {subject.reference}.",
        faults=[Fault(child(node.pointer, option), Code.FORMAT_UNFIT, message, expected)],
        suggestions=suggestions,
    )


def _profiles(node: Node) -> list[str]:
    """Return the profiles of RISC-V among the features of a CPU."""
    features = node.value.get("mattr", ())
    return [match[1] for match in map(PROFILE.fullmatch, features) if match]


def _omitted_options(
    node: Node, architectures: frozenset[str], cpu_flag: str
) -> Iterator[tuple[str, str]]:
    """Yield the options without a flag on this architecture, with the reasons."""
    names = " or ".join(sorted(architectures)) or "an unknown architecture"
    if not cpu_flag:
        yield "mcpu", f"no CPU flag is known for {names}"
    elif node.value.get("mcpu") == GENERIC and not architectures <= TAKES_GENERIC:
        yield "mcpu", f"clang has no CPU {GENERIC} for {names}; its default is used"
    elif cpu_flag == MARCH and "march" in node.value:
        yield "mcpu", "its flag is used for march"
    if not architectures or not architectures <= TAKES_ABI:
        yield "mabi", f"there is no ABI flag for {names}"
    if not architectures or not architectures <= TAKES_FLOAT_ABI:
        yield "mfloat-abi", "only 32-bit Arm has a flag for it"


def _other_flags(node: Node, cpu_flag: str, omitted: Mapping[str, str]) -> Iterator[str]:
    """Yield the flags except the triple."""
    flags = {"march": MARCH, "mcpu": cpu_flag, "mabi": "-mabi", "mfloat-abi": "-mfloat-abi"}
    options = _with_soft_calls(node.value)
    for name, flag in flags.items():
        if name in options and name not in omitted:
            value = options[name]
            yield f"{flag}={FLOAT_ABIS.get(value, value) if name == FLOAT_ABI else value}"
    for profile in _profiles(node):
        yield f"{MARCH}={profile}"
    for feature in node.value.get("mattr", ()):
        if PROFILE.fullmatch(feature):
            continue
        yield from ("-Xclang", "-target-feature", "-Xclang", feature)


def _with_soft_calls(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return options that state a float ABI where clang would also forbid instructions for it."""
    float_abi = compiled_options(options).get(FLOAT_ABI)
    return {**options, FLOAT_ABI: float_abi} if float_abi == SOFT else options
