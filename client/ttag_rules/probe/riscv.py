"""Cores of RISC-V: by the name of their design if LLVM knows it, else by their extensions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttag_rules.probe.facts import Core, implied

DESIGNS = {  # what `uarch` states, without `-mc` for several cores
    "sifive,bullet0": "sifive-u74",
    "sifive,p550": "sifive-p550",
    "sifive,u54": "sifive-u54",
    "sifive,u74": "sifive-u74",
    "spacemit,x60": "spacemit-x60",
}
ARCHITECTURE_IDS = {"0x8000000058000001": "spacemit-x60"}  # `marchid`, where `uarch` is absent
# Of the extensions below, those that LLVM 22 implies.
IMPLIED = {
    "sifive-u54": "- m a f d c zicsr zifencei",
    "sifive-u74": "sifive-u54",
    "sifive-p550": "sifive-u54 zba zbb",
    "spacemit-x60": (
        "sifive-p550 v zbc zbs zfh zfhmin zicbom zicbop zicboz zicond zihintpause zvfh zvfhmin"
    ),
}
LETTERS = "mafdcv"
# Extensions that change which instructions are generated, in the order of the specification.
EXTENSIONS = (
    *("zicbom", "zicbop", "zicboz", "zicond", "zicsr", "zifencei", "zihintpause", "zawrs"),
    *("zfa", "zfh", "zfhmin", "zba", "zbb", "zbc", "zbs", "zcb", "zvfh", "zvfhmin"),
)
PARTS = ("zca", "zcd", "zcf", "zve", "zvl", "zmmul", "zaamo", "zalrsc")  # of c, v, m and a
ISA = re.compile(r"rv(32|64)([a-z]+)((?:_[a-z0-9]+)*)")


def identify(isa: str, design: str, architecture_id: str = "") -> Core:
    """Return LLVM's name of a core and the extensions that the name does not imply."""
    match = ISA.fullmatch(isa.lower())
    extensions = [*_extensions(match[2], match[3])] if match else []
    mcpu = DESIGNS.get(design.removesuffix("-mc")) or ARCHITECTURE_IDS.get(architecture_id, "")
    known = implied(mcpu, IMPLIED)
    mattr = tuple(f"+{name}" for name in extensions if name not in known)
    left_out = _left_out(match[3]) if match else ()
    mabi = "lp64d" if "d" in extensions else "lp64"
    if mcpu:
        return Core(mcpu, mattr, mabi, left_out=left_out)
    what = f"the design {design}" if design else "a core that does not state its design"
    return Core(
        "generic-rv64",
        mattr,
        mabi,
        f"LLVM has no name for {what}; its extensions are listed",
        left_out,
    )


def _left_out(names: str) -> tuple[str, ...]:
    """Return the extensions that change no code of compilers, or that LLVM does not know."""
    stated = {name for name in names.split("_") if name and not name.startswith(PARTS)}
    return tuple(sorted(stated - {*EXTENSIONS}))


def _extensions(letters: str, names: str) -> Iterator[str]:
    letters = letters.replace("g", "imafd")
    yield from (letter for letter in LETTERS if letter in letters)
    stated = names.split("_")
    yield from (name for name in EXTENSIONS if name in stated)
