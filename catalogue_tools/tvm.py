"""TVM's tags of machines that no other generator describes: what each is.

Options stay as they were, unless dumps of the machine's chip contradict them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from catalogue_tools.arm_dumps import corrected_mattr, urls_of
from catalogue_tools.arm_features import feature_text, implied
from catalogue_tools.facts import Row, read_table
from catalogue_tools.hardware import Statement, measured
from catalogue_tools.tags import GeneratedTag, described_tag

Body = dict[str, Any]


def tags() -> Iterator[GeneratedTag]:
    """Yield the version of each tag that follows the hand-written ones."""
    return map(_tag, read_table("tvm/other_tags").rows)


def _tag(row: Row) -> GeneratedTag:
    facts, urls = row["hardware"], row["urls"]
    identity = {name: value for name, value in facts.items() if name != "cores"}
    vendor, model = facts["vendor"], facts["model"]
    target, correction = row["target"], ""
    if "chip" in row:
        target = _corrected(target, row["chip"])
    if lost := _features(row["target"]) - _features(target):
        correction = f"Linux reports no {feature_text(lost)} on this chip"
    return described_tag(
        row["tag"],
        f"{row['tag'].partition('/')[0]}/tvm",
        target,
        f"What it is: {model if model.startswith(vendor) else f'{vendor} {model}'}",
        Statement(identity, urls),
        Statement(measured(facts, "cores"), urls[:1]),
        sources=(*urls, *(urls_of(row["chip"], lost) if lost else ())),
        correction=correction,
    )


# Decision 135: no dump of a chip contradicts a flag of its tag.
def _corrected(target: Body, chip: str) -> Body:
    """Return the options of a CPU, and of its host, without features that its chip lacks."""
    mattr = corrected_mattr(chip, target["mcpu"], target["mattr"], _architecture(target))
    corrected = {name: value for name, value in target.items() if name != "mattr" or mattr}
    corrected |= {"mattr": mattr} if mattr else {}
    return corrected | ({"host": _corrected(target["host"], chip)} if "host" in target else {})


def _features(target: Body) -> frozenset[str]:
    """Return the features that the code of a CPU may use, of those that Linux reports."""
    if target["kind"] != "llvm":
        return frozenset()
    return implied(target["mcpu"], target.get("mattr", ()), _architecture(target))


def _architecture(target: Body) -> str:
    return "arm" if target["mtriple"].startswith("armv") else "aarch64"
