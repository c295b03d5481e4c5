"""Limits of GPUs through a graphics API, as drivers report them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.tags import Disagreement
from registry.domain.document import Json

TABLE = "gpu-limits/mobile"
COLUMNS = frozenset({"api", "gpus", "driver", "source", "url"})  # the others are options


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a GPU for one kind of target: the values of each option, by URL."""

    stated: Mapping[str, Mapping[str, int]]

    @property
    def options(self) -> dict[str, Json]:
        """Return the least that a driver has of each option; false is less than true."""
        return {option: min(values.values()) for option, values in self.stated.items()}

    @property
    def urls(self) -> tuple[str, ...]:
        """Return the pages that state the options, each once."""
        return tuple(dict.fromkeys(url for values in self.stated.values() for url in values))

    def disagreements(self, tag: str) -> Iterator[Disagreement]:
        """Yield the options in which the drivers of a tag's GPU differ."""
        for option, values in self.stated.items():
            if len(set(values.values())) > 1:
                least = str(min(values.values())).lower()
                yield Disagreement(tag, option, values, f"{least}, the least, as drivers differ")


# Decision 139: a limit is the least that a driver reports; what nobody reports is not stated.
def limits(kind: str, gpu: str) -> Limits:
    """Return the limits of a product for a kind of target; none if no source knows it."""
    stated: dict[str, dict[str, int]] = {}
    for row in read_table(TABLE).rows:
        if row["api"] == kind and gpu in row["gpus"]:
            for option in row:
                if option not in COLUMNS:
                    stated.setdefault(option, {})[_url(row)] = row[option]
    return Limits(stated)


def _url(row: Row) -> str:
    return str(row["url"]) if "url" in row else url_of(TABLE, row["source"])
