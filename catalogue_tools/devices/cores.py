"""CPU cores by the names of the sources, with what LLVM calls them."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from catalogue_tools.arm_features import implied_by_name, mattr
from catalogue_tools.facts import Row, cached, read_table

TABLE = "corrections/cores"

BIT_MANIPULATION = frozenset({"zba", "zbb", "zbc", "zbs"})  # options of SiFive's U74
GENERIC = "generic-rv64"
LETTERS = frozenset("mafdcbv")
# Extensions that promise something of the platform and change no code.
PROMISES = frozenset({"zicntr", "zihpm", "ziccrse", "ziccamoa", "ziccif", "zicclsm", "za64rs"})


@dataclass(frozen=True, slots=True)
class Core:
    """A type of core. `size` orders cores from small to large."""

    name: str
    mcpu: str
    implies: frozenset[str]
    size: int
    url: str

    def missing_features(self, absent: Set[str]) -> list[str]:
        """Return what `mattr` must switch off: features of the name that a chip lacks."""
        return mattr(absent & self.implies)

    def more_features(self, added: Set[str]) -> list[str]:
        """Return what `mattr` must switch on: features of a chip that the name does not imply."""
        return mattr((), added - self.implies)

    def extensions(self, isa: str) -> list[str]:
        """Return what `mattr` must switch on for a RISC-V core with these extensions."""
        names = isa.split()
        if self.mcpu == GENERIC:
            return [f"+{name}" for name in names if name in LETTERS or _is_code(name)]
        if self.name == "U74":
            return [f"+{name}" for name in names if name in BIT_MANIPULATION]
        return []


def core_by_name(name: str) -> Core:
    """Return the core that dumps and pages call `name`. Raises `KeyError`."""
    return _cores("core")[name]


def core_by_compatible(compatible: str) -> Core | None:
    """Return the core that device trees call `compatible`, None if LLVM's name is unknown."""
    return _cores("compatible").get(compatible)


@cached
def _cores(key: str) -> dict[str, Core]:
    table = read_table(TABLE)
    return {row[key]: _core(row) for row in table.rows if key in row}


def _core(row: Row) -> Core:
    url = read_table(TABLE).url(row.get("source", 0))
    mcpu = row["mcpu"]
    implies = implied_by_name(mcpu) or implied_by_name(mcpu, "arm")
    return Core(row["core"], mcpu, implies, row["size"], url)


def _is_code(extension: str) -> bool:
    return extension.startswith("z") and extension not in PROMISES
