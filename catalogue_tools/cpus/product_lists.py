"""Lists of x86 products: facts on which they agree, and what they state differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from catalogue_tools.corrections import TABLE as CORRECTIONS
from catalogue_tools.facts import Row, cached, read_table, rows_by
from catalogue_tools.hardware import Statement, fact_name, measured
from catalogue_tools.tags import Disagreement
from registry.domain.document import Json

TABLE = "cpu-lists/x86_cpus"
FIELDS = ("cores", "threads", "p", "e", "mhz", "boost_ghz", "l2_mib", "l3_mib", "tdp_w", "launched")
CHOICES = {  # why a tag has one of several values, by field
    "boost_ghz": "The highest, which two sources state: it includes Turbo Boost Max 3.0.",
    "cores": "What the lists agree on: the dump is of a machine with cores switched off.",
    "l3_mib": "What the chip itself reports in its dump, as another source does.",
    "threads": "What the lists agree on: the dump is of a machine with threads switched off.",
}


def statements(tag: str) -> list[Statement]:
    """Return the facts that the lists state of a product, by the pages that state them."""
    row = _rows().get(tag, {})
    groups: dict[tuple[str, ...], dict[str, Json]] = {}
    for field in FIELDS:
        if field in row:
            urls = tuple(
                _url(row, source) for source in row.get("by", {}).get(field, row["sources"])
            )
            groups.setdefault(urls, {}).update(measured(row, field))
    return [Statement(facts, urls) for urls, facts in groups.items()]


def differing(tag: str) -> frozenset[str]:
    """Return the facts of a product that the sources of the lists state differently."""
    return frozenset(map(fact_name, _rows().get(tag, {}).get("differ", ())))


def disagreements() -> Iterator[Disagreement]:
    """Yield what the lists state differently."""
    for row in read_table(TABLE).rows:
        for field, values in row.get("differ", {}).items():
            facts = {_url(row, int(source)): _value(field, values[source]) for source in values}
            yield Disagreement(row["tag"], fact_name(field), facts, _choice(row, field))


def pages(row: Row) -> tuple[str, ...]:
    """Return the pages that state a product at all."""
    return tuple(_url(row, source) for source in row["sources"])


@cached
def _corrections() -> Mapping[tuple[str, str], str]:
    rows = read_table(CORRECTIONS).rows
    return {(row["tag"], row["fact"]): row["reason"] for row in rows}


@cached
def _rows() -> Mapping[str, Row]:
    return rows_by(TABLE, "tag")


def _choice(row: Row, field: str) -> str:
    if reason := _corrections().get((row["tag"], fact_name(field))):
        return reason
    return CHOICES[field] if field in row else ""


def _value(field: str, value: Json) -> Json:
    (measure,) = measured({field: value}, field).values()
    return measure


def _url(row: Row, source: int) -> str:
    """Return the address of a source; of the last one, that of the dump."""
    table = read_table(TABLE)
    is_dump = source == len(table.header["sources"]) - 1
    return table.url(source, row["dump"] if is_dump else "")
