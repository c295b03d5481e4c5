"""Tells of which sources a text has the output, so that the probe can read what was pasted."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ttag_rules.probe.outputs import Outputs

# A line that only the output of the source has, by the name of the source.
SIGNS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(sign, re.MULTILINE)
    for name, sign in {
        "cpuinfo.txt": r"^(?:vendor_id|CPU implementer|CPU part|cpu family|isa|cpu)[ \t]*: ",
        "lscpu.txt": r"^Architecture: +\S",
        "meminfo.txt": r"^MemTotal: +[0-9]+ kB$",
        "sysctl.txt": r"^(?:hw|machdep)\.[\w.]+: ",
        "nvidia-smi.csv": r"^(?:[\w.]+, )*name, [\w.]+",
        "rocminfo.txt": r"^HSA Agents *$|^Agent [0-9]+ *$",
        "clinfo.txt": r"^ *(?:Number of (?:platforms|devices)|Platform Name) +\S",
        "vulkaninfo.txt": r"^VULKANINFO$|^Vulkan Instance Version: |^GPU[0-9]+:$",
        "ldd.txt": r"^ldd \(|^musl libc ",
    }.items()
}


def outputs_in(text: str) -> Outputs:
    """Return a text as the output of each source of which it has a sign; none if of none."""
    return Outputs({name: text for name, sign in SIGNS.items() if sign.search(text)})
