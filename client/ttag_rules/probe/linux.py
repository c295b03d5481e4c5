"""The processor of a machine with Linux: `/proc/cpuinfo`, `lscpu` and what completes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ttag_rules.probe import arm, cpuinfo, lscpu, mainframes, riscv, x86
from ttag_rules.probe.cpuinfo import Cpuinfo
from ttag_rules.probe.facts import Core, Notes, Processor, number
from ttag_rules.probe.lscpu import Lscpu
from ttag_rules.probe.names import board_name, product_name
from ttag_rules.probe.outputs import Outputs

ARCHITECTURES = {  # what `uname` calls them, and LLVM
    "amd64": "x86_64",
    "x86_64": "x86_64",
    "aarch64": "aarch64",
    "arm64": "aarch64",
    "armv6l": "armv6",
    "armv7l": "armv7a",
    "armv8l": "armv7a",  # a 32-bit system on a 64-bit processor
    "riscv64": "riscv64",
    "ppc64": "powerpc64",
    "ppc64le": "powerpc64le",
    "s390x": "s390x",
}
BIG_ENDIAN_POWER = ("POWER4", "POWER5", "POWER6", "POWER7")  # Linux runs them in no other way
VENDORS = {x86.INTEL: "Intel", x86.AMD: "AMD", "IBM/S390": "IBM"}
MEMORY = re.compile(r"^MemTotal: *([0-9]{1,15}) kB$", re.MULTILINE)
QUOTA = re.compile(r"([1-9][0-9]{0,15})\s+([1-9][0-9]{0,15})", re.ASCII)
KIB = 1024


def find_processor(outputs: Outputs, notes: Notes) -> Processor | None:
    """Return the processor, or nothing if no output tells what it is."""
    machine = _Machine(
        outputs,
        cpuinfo.parse(outputs.text("cpuinfo.txt")),
        lscpu.parse(outputs.text("lscpu.txt")),
        notes,
    )
    architecture = machine.architecture()
    if not architecture:
        known = ", ".join(sorted(set(ARCHITECTURES.values())))
        notes.missing("the processor", f"record /proc/cpuinfo and lscpu of {known}")
        return None
    cores, threads = machine.counts(architecture)
    processor = Processor(
        machine.triple(architecture),
        machine.core(architecture),
        cores,
        threads,
        machine.vendor(),
        machine.model(),
        machine.memory(),
        machine.fields.cache_bytes(2),
        machine.fields.cache_bytes(3),
    )
    processor.note("cpuinfo.txt" if machine.info.processors else "lscpu.txt", notes)
    machine.note_virtual()
    machine.note_quota(threads)
    return processor


def cpu_share(quota: str) -> float:
    """Return how many processors' time a quota grants, or 0 if it grants all.

    Control groups state microseconds of quota and period; `max` and -1 are no quota.
    """
    match = QUOTA.fullmatch(quota.strip())
    return round(int(match[1]) / int(match[2]), 2) if match else 0


@dataclass(frozen=True, slots=True)
class Board:
    """A board by its name, and its chip, such as `brcm,bcm2711`."""

    model: str
    chip: str


def parse_board(model: str, compatible: str) -> Board:
    """Return the board from `model` and `compatible` of a device tree, whose strings end lines.

    The chip is the last name, the least specific one.
    """
    lines = model.strip().splitlines()
    names = [line.strip() for line in compatible.splitlines() if line.strip()]
    return Board(lines[0].strip() if lines else "", names[-1] if names else "")


@dataclass(frozen=True)
class _Machine:
    """The outputs of a machine, parsed, and the notes about what they tell."""

    outputs: Outputs
    info: Cpuinfo
    fields: Lscpu
    notes: Notes

    def architecture(self) -> str:
        """Return LLVM's name of the architecture: as `uname` states it, else by features."""
        names = (*self.outputs.text("uname.txt").split()[-1:], self.fields.get("Architecture"))
        if stated := next(filter(None, names), ""):
            return ARCHITECTURES.get(stated, "")
        return self._arm() if self.info.get("cpu part") else self._shown()

    def _arm(self) -> str:
        if "asimd" in self.info.flags or number(self.info.get("cpu architecture")) >= 8:
            return "aarch64"
        is_old = "v6" in self.info.get("processor") + self.info.get("model name")
        return "armv6" if is_old else "armv7a"

    def _shown(self) -> str:
        """Return the architecture that the contents of `/proc/cpuinfo` show."""
        power = self.info.get("cpu")
        if power.startswith("POWER") and not power.startswith(BIG_ENDIAN_POWER):
            self.notes.missing("the byte order: little endian is assumed", "uname -m, or lscpu")
            return "powerpc64le"
        evidence = {
            "x86_64": "lm" in self.info.flags or self._is_known_x86(),
            "riscv64": self.info.get("isa").startswith("rv64"),
            "powerpc64": power.startswith("POWER"),
            "s390x": "S390" in self.info.get("vendor_id"),
        }
        return next((name for name, shown in evidence.items() if shown), "")

    def _is_known_x86(self) -> bool:
        """Return whether a part of the file, without flags, numbers a processor that LLVM names."""
        family, model = number(self.info.get("cpu family")), number(self.info.get("model"))
        vendor = self.info.get("vendor_id")
        return not self.info.flags and not x86.identify(vendor, family, model, ()).caveat

    def core(self, architecture: str) -> Core:
        """Return what LLVM is told about the core."""
        info, fields = self.info, self.fields
        if architecture == "x86_64":
            return x86.identify(
                info.get("vendor_id") or fields.get("Vendor ID"),
                number(info.get("cpu family") or fields.get("CPU family")),
                number(info.get("model") or fields.get("Model")),
                info.flags or frozenset(fields.get("Flags").split()),
            )
        if architecture == "riscv64":
            return riscv.identify(info.get("isa"), info.get("uarch"), info.get("marchid"))
        if architecture.startswith("powerpc"):
            return mainframes.identify_power(info.get("cpu") or fields.get("Model name"))
        if architecture == "s390x":
            return mainframes.identify_z(info.get("machine") or fields.get("Machine type"))
        # Flags of a 32-bit system say nothing about features of 64-bit code.
        shown = info.flags or frozenset(fields.get("Flags").split())
        return arm.identify(self._parts(), shown if architecture == "aarch64" else frozenset())

    def _parts(self) -> Iterator[tuple[int, int]]:
        """Yield implementer and part of each core. Old kernels state them once for all.

        `lscpu` alone has their names.
        """
        if not self.info.processors:
            yield from arm.parts_called(self.fields.get("Vendor ID"), self.fields.models)
        for block in self.info.processors:
            implementer = block.get("cpu implementer") or self.info.get("cpu implementer")
            if part := block.get("cpu part") or self.info.get("cpu part"):
                yield number(implementer), number(part)

    def counts(self, architecture: str) -> tuple[int, int]:
        """Return the numbers of physical cores and of logical processors.

        `lscpu` knows better, except for RISC-V: where Linux states no topology it takes the harts
        for threads of one core.
        """
        is_cut = self.outputs.is_cut("cpuinfo.txt")
        listed = (0, 0) if is_cut else (self.info.cores, self.info.threads)
        stated = 0 if architecture == "riscv64" and listed[0] else self.fields.cores
        cores, threads = stated or listed[0], self.fields.threads or listed[1]
        if cores:
            self.notes.learned("lscpu.txt" if stated else "cpuinfo.txt", f"num-cores {cores}")
        else:
            self.notes.missing("num-cores, the number of physical cores", "lscpu prints it")
        return cores, threads

    def triple(self, architecture: str) -> str:
        """Return the triple of the architecture with the C library of the machine."""
        version = self.outputs.text("ldd.txt")
        library = "musl" if "musl" in version.lower() else "gnu"
        if version:
            self.notes.learned("ldd.txt", f"C library {library}")
        else:
            self.notes.missing("the C library: gnu is assumed", "ldd --version")
        suffix = "eabihf" if architecture.startswith("arm") else ""
        return f"{architecture}-unknown-linux-{library}{suffix}"

    def vendor(self) -> str:
        """Return who makes the processor, or for cores of Arm who designs them."""
        if self.info.get("cpu").startswith("POWER"):
            return "IBM"
        if self.board.model:
            return ""  # whoever makes the board, which is not stated
        stated = self.info.get("vendor_id") or self.fields.get("Vendor ID")
        return VENDORS.get(stated) or arm.VENDORS.get(number(self.info.get("cpu implementer")), "")

    def model(self) -> str:
        """Return the name of the board, or of the processor if no board is stated."""
        if self.board.model:
            self.notes.learned("device-tree-model.txt", f"board {self.board.model}")
        if self.board.chip:
            self.notes.learned("device-tree-compatible.txt", f"chip {self.board.chip}")
        name = self.info.get("model name") or self.fields.get("Model name")
        return board_name(self.board.model) or product_name(name)

    @property
    def board(self) -> Board:
        """The board, where the machine has a device tree."""
        return parse_board(
            self.outputs.text("device-tree-model.txt"),
            self.outputs.text("device-tree-compatible.txt"),
        )

    def memory(self) -> int:
        """Return the bytes of main memory, or 0."""
        match = MEMORY.search(self.outputs.text("meminfo.txt"))
        if not match:
            self.notes.missing("main memory", "record /proc/meminfo")
            return 0
        self.notes.learned("meminfo.txt", "main memory, less what the kernel keeps for itself")
        return int(match[1]) * KIB

    def note_quota(self, threads: int) -> None:
        """Note that a container may use fewer processors than it sees."""
        share = cpu_share(
            self.outputs.text("cpu-max.txt")
            or f"{self.outputs.text('cpu-quota.txt')} {self.outputs.text('cpu-period.txt')}"
        )
        if share and (not threads or share < threads):
            seen = f"{threads} logical processors" if threads else "processors"
            self.notes.missing(
                f"how much of the machine a program may use: of {seen}, a quota of the container "
                f"grants the time of {share:g}",
                "lower num-cores if the body is for this container",
            )

    def note_virtual(self) -> None:
        """Note that a hypervisor is below, which may hide and mask what it likes."""
        vendor = self.fields.get("Hypervisor vendor")
        if vendor or "hypervisor" in self.info.flags:
            name = vendor or "by a hypervisor that hides its name"
            self.notes.missing(
                f"the real machine: this one is virtual ({name}) and has a share of it",
                "probe the machine that hosts it",
            )
