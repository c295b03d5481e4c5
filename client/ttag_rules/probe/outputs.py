"""Outputs of tools and files that describe a machine, as text by source."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

MAX_OUTPUT = 1024 * 1024  # bytes of one output; a machine with 512 threads prints 0.8 MiB
LINUX, MACOS = "Linux", "Darwin"
ABSENT, NOT_RECORDED = "not installed", "not in the recording"  # why there is no text


@dataclass(frozen=True, slots=True)
class Source:
    """A file or a command that tells something about a machine.

    `name` is that of the file in a recording. The first of the `commands` that succeeds is used.
    """

    name: str
    path: str = ""
    commands: tuple[tuple[str, ...], ...] = ()
    systems: tuple[str, ...] = (LINUX,)

    @property
    def tool(self) -> str:
        """The name that users know: the command's or the path."""
        return self.commands[0][0] if self.commands else self.path


def _nvidia_smi(columns: str) -> tuple[str, ...]:
    return ("nvidia-smi", f"--query-gpu={columns}", "--format=csv")


def _sysctl(*more: str) -> tuple[str, ...]:
    return ("sysctl", "hw", "machdep.cpu", *more)


SOURCES = (
    Source("uname.txt", commands=(("uname", "-srm"),), systems=(LINUX, MACOS)),
    Source("cpuinfo.txt", "/proc/cpuinfo"),
    Source("lscpu.txt", commands=(("lscpu",),)),
    Source("meminfo.txt", "/proc/meminfo"),
    # Of the container: the root of the machine has neither. Version 2 of control groups, and 1.
    Source("cpu-max.txt", "/sys/fs/cgroup/cpu.max"),
    Source("cpu-quota.txt", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us"),
    Source("cpu-period.txt", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
    Source("ldd.txt", commands=(("ldd", "--version"),)),
    Source("device-tree-model.txt", "/proc/device-tree/model"),
    Source("device-tree-compatible.txt", "/proc/device-tree/compatible"),
    # A name that sysctl does not know makes it fail.
    Source("sysctl.txt", commands=(_sysctl("kern.hv_vmm_present"), _sysctl()), systems=(MACOS,)),
    # Drivers before 510 do not know compute_cap, and refuse the query.
    Source(
        "nvidia-smi.csv",
        commands=(
            _nvidia_smi("name,compute_cap,memory.total,mig.mode.current"),
            _nvidia_smi("name,compute_cap,memory.total"),
            _nvidia_smi("name,memory.total"),
        ),
    ),
    Source("rocminfo.txt", commands=(("rocminfo",), ("/opt/rocm/bin/rocminfo",))),
    Source("clinfo.txt", commands=(("clinfo",),)),
    Source("vulkaninfo.txt", commands=(("vulkaninfo", "--summary"),)),
)


@dataclass
class Outputs:
    """The text of each source that gave one, by name, and the reason why each other did not."""

    texts: dict[str, str] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return the text of a source, or an empty one."""
        return self.texts.get(name, "")

    def is_cut(self, name: str) -> bool:
        """Return whether the text of a source may go on, so that nothing in it can be counted."""
        return len(self.text(name)) >= MAX_OUTPUT

    def is_broken(self, name: str) -> bool:
        """Return whether there is a source, which gave no text."""
        return self.failures.get(name, ABSENT) not in {ABSENT, NOT_RECORDED}

    def reasons(self, *names: str) -> str:
        """Return why sources gave no text, those with the same reason together."""
        tools: dict[str, list[str]] = {}
        for source in SOURCES:
            if source.name in names and source.name in self.failures:
                tools.setdefault(self.failures[source.name], []).append(source.tool)
        return "; ".join(f"{', '.join(each)}: {reason}" for reason, each in tools.items())


def clean(data: bytes) -> str:
    """Return an output as text without characters that could steer a terminal.

    Strings in a device tree end with NUL, which becomes the end of a line.
    """
    text = data[:MAX_OUTPUT].decode("utf-8", "replace").replace("\0", "\n").replace("\r\n", "\n")
    steering = {each for each in set(text) - {*"\n\t"} if unicodedata.category(each)[0] == "C"}
    return text.translate(dict.fromkeys(map(ord, steering)))
