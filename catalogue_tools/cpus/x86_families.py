"""Microarchitectures of x86: the families that products inherit from."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.hardware import Statement
from catalogue_tools.llvm_targets import LINUX, llvm_target
from catalogue_tools.tags import Disagreement, GeneratedTag, described_tag

TABLE = "llvm/x86_families"
VENDORS = {"amd": "AMD", "intel": "Intel"}
ANY_CORE = "Core"  # in the title of a family of several microarchitectures
DETECTION = 0  # the source that names processors as programs detect them at run time


def tags() -> Iterator[GeneratedTag | Disagreement]:
    """Yield a family for each microarchitecture, and the names that LLVM is not of one mind on."""
    for row in read_table(TABLE).rows:
        yield _family(row)
        if detected := row.get("at_run_time"):
            values = {url_of(TABLE, DETECTION): detected, _url(row): row["mcpu"]}
            yield Disagreement(row["tag"], "mcpu", values, _choice(row, detected))


def families_by_code() -> dict[str, str]:
    """Return the families by the names that tables of products give them."""
    return {code: row["tag"] for row in read_table(TABLE).rows for code in row["codes"]}


def family_title(tag: str) -> str:
    return str(rows_by(TABLE, "tag")[tag]["title"])


def _choice(row: Row, detected: str) -> str:
    if "reason" in row:
        return f"{row['mcpu']}, not {detected}. {row['reason']}"
    return (
        f"{row['mcpu']}, the name that LLVM has for it. Detection at run time groups it "
        f"with {detected}."
    )


def _family(row: Row) -> GeneratedTag:
    tag, title, vendor = row["tag"], row["title"], VENDORS[row["tag"].partition("/")[0]]
    body = llvm_target(LINUX["x86"], row["mcpu"])
    facts = {"category": "cpu-core", "vendor": vendor, "family": title}
    message = row.get("message", f"What all processors with {vendor}'s {title} cores share")
    return described_tag(tag, tag, body, message, Statement(facts, [_url(row)]), is_family=True)


def _url(row: Row) -> str:
    return url_of(TABLE, row["source"])
