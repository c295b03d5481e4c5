"""Lists the microcontrollers without RAM, by reason, and what sources state differently."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import read_table
from catalogue_tools.gaps import MISSING
from catalogue_tools.microcontrollers.memory import JUDGED
from catalogue_tools.tags import Disagreement, Missing

CONFLICTS = "corrections/microcontroller_conflicts"
GROUP = MISSING["missing_microcontrollers"]


def tags() -> Iterator[Missing | Disagreement]:
    """Yield the chips without RAM, those with one reason together, then the disagreements."""
    chips: dict[str, list[str]] = {}
    for row in read_table(JUDGED).rows:
        if "ram" not in row:
            chips.setdefault(row["reason"], []).append(row["chip"])
    for reason, names in chips.items():
        yield Missing(f"RAM of {', '.join(names)}", reason, GROUP)
    table = read_table(CONFLICTS)
    for row in table.rows:
        values = {table.url(at["source"], at.get("path", "")): at["value"] for at in row["values"]}
        yield Disagreement(row["tag"], row["fact"], values, row.get("choice", ""))
