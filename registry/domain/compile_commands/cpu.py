"""The CPU that a compile command states, as options of the kind llvm."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from registry.domain.compile_commands import arm
from registry.domain.compile_commands.options import (
    ABI,
    ARCH,
    CPU,
    FEATURE,
    FLOAT_ABI,
    FPU,
    FRONT_END_FEATURE,
    MODE,
    TRIPLE,
    Options,
)
from registry.domain.compile_commands.words import Word
from registry.domain.errors import echo
from registry.domain.toolchains.clang_flags import CPU_FLAGS
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.triple_normalization import normalize
from ttag_rules.triples import Triple

ARM, AARCH64, X86, RISCV = "arm", "aarch64", ("x86_64", "i386"), ("riscv32", "riscv64")
ISA = re.compile(
    r"rv(?P<bits>32|64)(?P<letters>[a-z]+)(?P<names>(?:_(?!\w*[0-9]p[0-9])[a-z][a-z0-9]*)*)"
)
LETTERS = "mafdqcvbh"
OF_GENERAL_USE = "imafd"
MATTR, MTRIPLE = "mattr", "mtriple"


@dataclass(slots=True)
class CpuReader:
    """Reads the options of a CPU; `notes` say what is left open or read otherwise."""

    options: Options
    triple: str  # of `--target`, or of the compiler's name
    notes: list[str] = field(default_factory=list)
    node: dict[str, Any] = field(default_factory=dict)

    def read(self) -> dict[str, Any]:
        """Return the options of the kind llvm; none if the command states no CPU.

        Raises `CommandError`.
        """
        for name in (ARCH, CPU):
            for word in self.options.words(name):
                self._refuse_native(word)
        features = [word.text for word in self.options.words(FEATURE)]
        of_front_end = [word.text for word in self.options.words(FRONT_END_FEATURE)]
        architecture = self._architecture()
        if architecture == ARM:
            self._read_arm()
        elif architecture == AARCH64:
            self._read_aarch64()
        elif architecture in RISCV:
            self._read_riscv(architecture)
        else:
            self._read_other(architecture)
        self._add_triple(architecture)
        mattr = [*_last_of_each([*self.node.pop(MATTR, []), *features]), *of_front_end]
        order = (MTRIPLE, CPU, MATTR, FLOAT_ABI, ABI)
        self.node |= {MATTR: mattr} if mattr else {}
        return {name: self.node[name] for name in order if name in self.node}

    def _refuse_native(self, word: Word) -> None:
        if word.text.partition("+")[0] in ("native", "host"):
            message = f"{echo(word.text)} is the machine that builds, whatever it is"
            raise self.options.error("OPTION_INVALID", message, word, "the name of its processor")

    def _architecture(self) -> str:
        """Return LLVM's name of the architecture; empty if nothing states it."""
        if self.triple:
            return self._with_mode(Triple.parse(self.triple).arch)
        if self.options.words(MODE) and self.options.words(MODE)[0].text in ("-mthumb", "-marm"):
            return ARM
        march, cpu = self.options.value(ARCH), self.options.value(CPU)
        name = march.text if march else ""
        if FPU in self.options or FLOAT_ABI in self.options:
            return ARM
        if re.match(r"armv[89]", name) and not re.match(r"armv8(\.1)?-[mr]", name):
            return AARCH64
        if name.startswith("arm"):
            return ARM
        if isa := ISA.fullmatch(name):
            return f"riscv{isa['bits']}"
        if cpu and cpu.text.partition("+")[0] in arm.M_PROFILE:
            return ARM
        return ""

    def _with_mode(self, architecture: str) -> str:
        """Return the architecture that -m32 and -m64 choose. Raises `CommandError`."""
        for word in self.options.words(MODE):
            is_64 = architecture.endswith("64")
            if architecture == ARM and word.text in ("-mthumb", "-marm"):
                continue
            if architecture in (*X86, "aarch64") and (word.text == "-m64") == is_64:
                continue
            message = f"{word.text} contradicts the triple {echo(self.triple)}"
            raise self.options.error("OPTION_INVALID", message, word, "a triple of that size")
        return architecture

    def _add_triple(self, architecture: str) -> None:
        if self.triple:
            normal = normalize(self.node.get(MTRIPLE) or self.triple)
            if normal != self.triple:
                self.notes.append(f"the triple {self.triple} is {normal} to compilers")
            self.node[MTRIPLE] = normal
        elif MTRIPLE not in self.node and (self.node or of_features(self.options)):
            of = f", a triple of {architecture}" if architecture else ""
            self.notes.append(f"no triple is stated: add mtriple{of}")

    def _read_other(self, architecture: str) -> None:
        """Read the name of a CPU; on x86, -march states it."""
        for mode in self.options.words(MODE):
            if not architecture and mode.text != "-m64":
                message = f"{mode.text} changes a triple that is not stated"
                raise self.options.error("OPTION_MISSING", message, mode, "--target")
        flag = CPU_FLAGS.get(architecture, "").removeprefix("-")
        march, cpu = self.options.value(ARCH), self.options.value(CPU)
        for name in (FPU, FLOAT_ABI):
            if flag_of_arm := self.options.value(name):
                message = f"-{name} is a flag of 32-bit Arm"
                raise self.options.error("OPTION_INVALID", message, flag_of_arm)
        word = (march or cpu) if not flag else march if flag == ARCH else cpu
        other = cpu if word is march else march
        if other:
            message = f"-{CPU if other is cpu else ARCH}={other.text} does not state a processor"
            where = f" on {architecture}" if architecture else f" beside {echo(word and word.text)}"
            raise self.options.error("OPTION_INVALID", message + where, other)
        if word:
            self.node[CPU] = self._plain(word)
        if abi := self.options.value(ABI):
            if architecture in (*X86, ""):
                message = f"-mabi={abi.text} is another calling convention"
                raise self.options.error("OPTION_INVALID", message, abi, "no -mabi")
            self.node[ABI] = abi.text

    def _plain(self, word: Word) -> str:
        if "+" in word.text or "." in word.text.partition("-")[0]:
            message = f"{echo(word.text)} is not the name of one processor"
            raise self.options.error("OPTION_INVALID", message, word, "a name such as haswell")
        return word.text

    def _only(self) -> tuple[Word | None, Word | None]:
        """Return -march and -mcpu, of which one states the machine."""
        march, cpu = self.options.value(ARCH), self.options.value(CPU)
        if march and cpu:
            message = f"-march={march.text} and -mcpu={cpu.text} both state the machine"
            raise self.options.error("TWO_TARGETS", message, cpu, "one of them")
        return march, cpu

    def _processor(self, word: Word, table: Mapping[str, str]) -> None:
        """Add a processor with its extensions, as in `cortex-a76+nocrypto`."""
        name, *extensions = word.text.split("+")
        if "." in name:
            message = f"{echo(name)} names several processors"
            raise self.options.error("TWO_TARGETS", message, word, "the smallest of them")
        self.node[CPU] = name
        self._extensions(word, arm.without_half_of_crypto(extensions), table)

    def _extensions(self, word: Word, extensions: list[str], table: Mapping[str, str]) -> None:
        for extension in extensions:
            features = arm.extension_features(extension, table)
            if features is None:
                message = f"the extension {echo(extension)} of {echo(word.text)} is not known"
                raise self.options.error("OPTION_INVALID", message, word)
            self.node.setdefault(MATTR, []).extend(features)

    def _read_aarch64(self) -> None:
        march, cpu = self._only()
        for name in (FPU, FLOAT_ABI):
            if word := self.options.value(name):
                message = f"-{name} is a flag of 32-bit Arm"
                raise self.options.error("OPTION_INVALID", message, word)
        if cpu:
            self._processor(cpu, arm.FEATURES_64)
        if march:
            name, *extensions = march.text.split("+")
            features = arm.architecture_features(name)
            if features is None:
                message = f"{echo(name)} is not an architecture of 64-bit Arm"
                raise self.options.error("OPTION_INVALID", message, march, "such as armv8.2-a")
            self.node[MATTR] = features
            self._extensions(march, arm.expanded(name, extensions), arm.FEATURES_64)
        if abi := self.options.value(ABI):
            if abi.text != "lp64":
                message = f"-mabi={abi.text} is another calling convention"
                raise self.options.error("OPTION_INVALID", message, abi, "lp64")
            self.options.others.append(abi)

    def _read_arm(self) -> None:
        march, cpu = self._only()
        if not self.triple and (march or not cpu):
            self._refuse_without_system()
        if cpu:
            self._processor(cpu, arm.FEATURES_32)
        processor = "" if cpu is None else self.node[CPU]
        self._read_fpu(processor, march or cpu)
        self._read_float_abi(march or cpu)
        architecture = arm.M_PROFILE.get(processor, "")
        if march:
            name, *extensions = march.text.split("+")
            architecture = arm.ARCHITECTURES.get(name, "")
            if not architecture:
                message = f"{echo(name)} is not an architecture of 32-bit Arm that is read"
                raise self.options.error("OPTION_INVALID", message, march, "such as armv7-a")
            self._extensions(march, extensions, arm.FEATURES_32)
        if not self.triple and not architecture:
            self._refuse_without_system()
        if abi := self.options.value(ABI):
            self.node[ABI] = abi.text
        triple = self.triple or "arm-none-eabi"
        if not self.triple:
            self.notes.append("no triple is stated: M profile, so bare metal with the embedded ABI")
        first, dash, rest = triple.partition("-")
        self.node[MTRIPLE] = normalize(f"{self._with_encoding(architecture or first)}{dash}{rest}")

    def _refuse_without_system(self) -> NoReturn:
        """Raise `CommandError` at the first flag of 32-bit Arm."""
        message = "nothing states the system and calling convention of 32-bit Arm"
        flags = (ARCH, CPU, FLOAT_ABI, FPU, MODE)
        word = next(word for name in flags for word in self.options.words(name))
        raise self.options.error("OPTION_MISSING", message, word, "--target")

    def _with_encoding(self, architecture: str) -> str:
        """Return an architecture with the instructions, Arm or Thumb, that the last flag states."""
        modes = [word.text for word in self.options.words(MODE)]
        if not modes or architecture in {*arm.M_PROFILE.values()}:
            return architecture
        wanted, other = ("thumb", "arm") if modes[-1] == "-mthumb" else ("arm", "thumb")
        return re.sub(f"^{other}", wanted, architecture)

    def _read_fpu(self, processor: str, stated: Word | None) -> None:
        word = self.options.value(FPU)
        if not word or word.text in ("auto", arm.DEFAULT_FPUS.get(processor)):
            return
        features = arm.fpu_features(word.text)
        if features is None:
            message = f"{echo(word.text)} is not an FPU of 32-bit Arm that is read"
            raise self.options.error("OPTION_INVALID", message, word, ", ".join(arm.FPUS))
        self._refuse_registers(stated, f"-{FPU}={word.text}")
        self.node.setdefault(MATTR, []).extend(features)

    def _read_float_abi(self, stated: Word | None) -> None:
        word = self.options.value(FLOAT_ABI)
        if not word:
            has_none = stated and stated.text in arm.WITHOUT_FPU and FPU not in self.options
            if self._is_soft_unless_stated() and not has_none:
                self.notes.append(f"{FLOAT_ABI} is soft, the default of compilers for bare metal")
                self._use_soft_floats(stated)
            return
        if word.text not in ("hard", "soft", "softfp"):
            message = f"{echo(word.text)} is not a float ABI"
            raise self.options.error("OPTION_INVALID", message, word, "hard, soft or softfp")
        # A target's `soft` is how calls pass floats; without an FPU it has `+soft-float` too.
        self.node[FLOAT_ABI] = "hard" if word.text == "hard" else "soft"
        if word.text == "softfp":
            self.notes.append(
                f"-{FLOAT_ABI}=softfp is {FLOAT_ABI} soft, which leaves the FPU in use"
            )
        elif word.text == "soft":
            self._use_soft_floats(stated)

    def _is_soft_unless_stated(self) -> bool:
        """Return whether compilers use no FPU for the triple; Arm's own compiler does."""
        triple = Triple.parse(self.triple or "arm-none-eabi")
        return triple.os in ("", "none") and triple.abi == "eabi" and triple.vendor != "arm"

    def _use_soft_floats(self, stated: Word | None) -> None:
        self._refuse_registers(stated, f"{FLOAT_ABI} soft")
        if fpu := self.options.value(FPU):
            self.notes.append(f"left out -{FPU}={fpu.text}: no FPU is used with soft floats")
        extensions = self.node.get(MATTR, [])
        self.node[MATTR] = [each for each in extensions if each[1:] not in arm.FPU_FEATURES]
        self.node[MATTR] += ["-mve", "-mve.fp"] if self.node.get(CPU) in arm.WITH_MVE else []
        self.node[MATTR].append("+soft-float")
        self.node[FLOAT_ABI] = "soft"

    def _refuse_registers(self, stated: Word | None, other: str) -> None:
        """Refuse extensions for vectors beside a flag that decides on their registers."""
        extensions = stated.text.split("+")[1:] if stated else []
        if stated and not arm.WITH_REGISTERS.isdisjoint(extensions):
            message = f"{echo(stated.text)} and {other} both decide on registers for vectors"
            raise self.options.error("OPTION_INVALID", message, stated, "one of them")

    def _read_riscv(self, architecture: str) -> None:
        march, cpu = self._only()
        abi = self.options.value(ABI)
        if cpu:
            self.node[CPU] = self._plain(cpu)
            if not abi:
                message = f"the calling convention of {echo(cpu.text)} is not stated"
                raise self.options.error("OPTION_MISSING", message, cpu, "-mabi=lp64d or such")
        if march:
            self._read_isa(march, architecture)
        if abi:
            self.node[ABI] = abi.text

    def _read_isa(self, march: Word, architecture: str) -> None:
        isa = ISA.fullmatch(march.text)
        if not isa or f"riscv{isa['bits']}" != architecture:
            message = f"{echo(march.text)} is not a list of extensions of {architecture}"
            raise self.options.error("OPTION_INVALID", message, march, "such as rv64gc_zba")
        letters = isa["letters"].replace("g", OF_GENERAL_USE)
        base, letters = letters[:1], letters[1:]
        if base not in "ie" or not set(letters) <= set(LETTERS):
            message = f"{echo(march.text)} has letters that are not read"
            raise self.options.error("OPTION_INVALID", message, march, f"i or e, then {LETTERS}")
        names = [name for name in isa["names"].split("_") if name]
        general = ["zicsr", "zifencei"] if "g" in isa["letters"] else []
        base_features = ["e"] if base == "e" else []
        self.node[MATTR] = [f"+{each}" for each in (*base_features, *letters, *general, *names)]
        if ABI not in self.options:
            size = "lp64" if isa["bits"] == "64" else "ilp32"
            instructions = shipped_tables().instruction_sets[architecture]
            has = instructions.closure(instructions.baseline, tuple(self.node[MATTR]))
            suffix = "e" if base == "e" else next((each for each in "df" if each in has), "")
            self.node[ABI] = f"{size}{suffix}"
            self.notes.append(f"mabi is {size}{suffix}, the default of compilers")


# Decision 196: compilers let the last flag about a feature count.
def _last_of_each(features: list[str]) -> list[str]:
    """Return the last word on each feature, as clang's driver passes them on."""
    last = {feature[1:]: index for index, feature in enumerate(features)}
    return [features[index] for index in sorted(last.values())]


def of_features(options: Options) -> bool:
    """Return whether a command states a CPU."""
    return any(name in options for name in (TRIPLE, CPU, ARCH, FPU, FLOAT_ABI, ABI, FEATURE))
