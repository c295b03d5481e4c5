"""Names of products, as people search for them: without marks, clocks and versions of drivers."""

from __future__ import annotations

import re

MARKS = re.compile(
    r"""\((R|TM|tm)\)               # Intel(R) Xeon(R)
    | \((DRM|LLVM|RADV)\b.*         # what Mesa adds
    | \[0x[0-9a-f]+\]               # the PCI device of a GPU whose name the driver does not know
    | @.*                           # the clock
    | \bwith\ Radeon.*              # the GPU of an APU
    | \b\w+-Core\b | \bProcessor\b | \bCPU\b | \b\d+th\ Gen\b | \braw\b
    | ,\ altivec\ supported""",
    re.VERBOSE,
)
# Names that Linux and macOS print where they know none.
GENERIC = re.compile(r"ARMv.*|Apple processor|-|unknown")
REVISION = re.compile(r" Rev [0-9.]+$")


def product_name(text: str) -> str:
    """Return the name of a processor or GPU, or an empty text if it is none.

    `Intel(R) Xeon(R) Platinum 8480+ @ 2.00GHz` is `Intel Xeon Platinum 8480+`.
    """
    if GENERIC.fullmatch(text):
        return ""
    return " ".join(MARKS.sub(" ", text).replace("( )", " ").split())


def board_name(text: str) -> str:
    """Return the name of a board without its revision."""
    return REVISION.sub("", text)


def with_vendor(vendor: str, name: str) -> str:
    """Return a name with its vendor first, once."""
    return name if name.startswith(vendor) else f"{vendor} {name}"
