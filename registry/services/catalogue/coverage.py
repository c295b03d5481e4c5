"""Counts what the registry has, and reads where the shipped facts come from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from registry.domain.kinds.expected_facts import EXPECTED_FACTS, stated_fact
from registry.domain.kinds.kinds import HARDWARE
from registry.models import Counted, Entry, Total
from registry.services.core import shipped_facts
from registry.services.core.catalogue_files import read_json

CATEGORY = "/hardware/category"
PREFIX = f"/{HARDWARE}/"
UNSTATED = "facts/corrections/unstated_facts.json"


@dataclass(frozen=True, slots=True)
class NamespaceCoverage:
    """The numbers of tags of a namespace: names without variants or families, and versions."""

    namespace: str
    names: int
    families: int
    variants: int
    versions: int


@dataclass(frozen=True, slots=True)
class Source:
    """A public source of facts: its commits that were read, and the tables made from it.

    There are no commits if an index of its files was read.
    """

    repository: str
    commits: tuple[str, ...]
    licences: tuple[str, ...]
    tables: tuple[str, ...]

    @property
    def url(self) -> str:
        """The address of the source, at the first of its commits."""
        tree = f"/tree/{self.commits[0]}" if self.commits else ""
        return f"https://github.com/{self.repository}{tree}"


def namespace_coverage() -> list[NamespaceCoverage]:
    """Return the numbers of each namespace that has tags, most names first. One query.

    Deprecated tags count for their versions only.
    """
    parts = (Counted.NAMES, Counted.FAMILIES, Counted.VARIANTS, Counted.VERSIONS)
    numbers: dict[str, dict[str, int]] = defaultdict(dict)
    rows = Total.objects.filter(counted__in=parts)
    for counted, namespace, number in rows.values_list("counted", "name", "number"):
        numbers[namespace][counted] = number
    coverage = [
        NamespaceCoverage(namespace, *(of_namespace.get(part, 0) for part in parts))
        for namespace, of_namespace in numbers.items()
        if of_namespace.keys() - {Counted.VERSIONS}
    ]
    return sorted(coverage, key=lambda item: (-item.names, item.namespace))


def category_counts() -> dict[str, int]:
    """Return the number of names, without variants or families, by hardware category. One query."""
    names = Total.objects.of(Counted.STATED).items()
    counts = {
        text.removesuffix(CATEGORY): number for text, number in names if text.endswith(CATEGORY)
    }
    return dict(sorted(counts.items()))


@dataclass(frozen=True, slots=True)
class FactCoverage:
    """The number of names of a category that state a fact, and why the others do not."""

    fact: str
    stated: int
    reason: str = ""  # empty if all state it, or nobody has looked into it


@dataclass(frozen=True, slots=True)
class CategoryCoverage:
    """The names of a hardware category, and the facts by which people choose one of them."""

    category: str
    names: int
    facts: tuple[FactCoverage, ...]


def fact_coverage(names: Mapping[str, int]) -> list[CategoryCoverage]:
    """Return the coverage of categories, whose numbers of names are given. One query."""
    stated = _stated_facts()
    reasons = unstated_facts()
    return [
        CategoryCoverage(
            category,
            names[category],
            tuple(
                FactCoverage(fact, count, reasons.get((category, fact), ""))
                if (count := stated[category, fact]) < names[category]
                else FactCoverage(fact, count)
                for fact in facts
            ),
        )
        for category, facts in EXPECTED_FACTS.items()
        if category in names
    ]


def _stated_facts() -> Counter[tuple[str, str]]:
    """Return how many names of a category state a fact, by category and fact."""
    counts: Counter[tuple[str, str]] = Counter()
    for text, number in Total.objects.of(Counted.STATED).items():
        category, _, fact = text.partition(PREFIX)
        counts[category, stated_fact(fact)] += number
    return counts


@lru_cache(maxsize=1)
def unstated_facts() -> Mapping[tuple[str, str], str]:
    """Return why facts are not stated, by category and fact."""
    rows = read_json(shipped_facts.CATALOGUE / UNSTATED)["rows"]
    return {(row["category"], row["fact"]): row["reason"] for row in rows}


def loaded_tags(tags: Sequence[str]) -> frozenset[str]:
    """Return those of some tags that this registry has. One query."""
    return frozenset(Entry.objects.filter(text__in=tags).values_list("text", flat=True))


@lru_cache(maxsize=1)
def sources() -> tuple[Source, ...]:
    """Return the sources of the shipped tables of facts, by name."""
    uses: dict[str, list[tuple[dict[str, Any], str]]] = {}
    for path in sorted((shipped_facts.CATALOGUE / "facts").rglob("*.json")):
        header = read_json(path)["header"]
        for origin in header.get("sources", ()):
            if origin.get("repo"):
                uses.setdefault(origin["repo"], []).append((origin, header["title"]))
    return tuple(
        Source(
            repository,
            _distinct(origin.get("commit") for origin, _ in origins),
            _distinct(origin.get("licence", "") for origin, _ in origins),
            _distinct(title for _, title in origins),
        )
        for repository, origins in sorted(uses.items(), key=lambda item: item[0].lower())
    )


def notices() -> list[dict[str, Any]]:
    """Return the source of each table of facts with its licences, for copies of the registry."""
    return [
        {"source": source.repository, "url": source.url, "licences": list(source.licences)}
        for source in sources()
    ]


def _distinct(texts: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(filter(None, dict.fromkeys(texts)))


@lru_cache(maxsize=1)
def disagreements() -> tuple[dict[str, Any], ...]:
    """Return the facts that sources state differently, each with `tag`, `fact` and `values`."""
    return tuple(read_json(shipped_facts.CATALOGUE / "disagreements.json")["disagreements"])


def disagreements_of(tag: str) -> Sequence[dict[str, Any]]:
    """Return the facts of a tag that sources state differently."""
    return _disagreements_by_tag().get(tag, ())


@lru_cache(maxsize=1)
def _disagreements_by_tag() -> Mapping[str, list[dict[str, Any]]]:
    by_tag: dict[str, list[dict[str, Any]]] = {}
    for item in disagreements():
        by_tag.setdefault(item["tag"], []).append(item)
    return by_tag
