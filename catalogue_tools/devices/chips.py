"""Systems on chip: what device trees, dumps of running systems and phone pages say together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from catalogue_tools.arm_dumps import conflicts
from catalogue_tools.devices.chip_features import ChipFeatures, chip_features
from catalogue_tools.devices.cores import Core, core_by_compatible, core_by_name
from catalogue_tools.facts import Row, cached, rows_by, url_of
from catalogue_tools.tags import Disagreement

NAMES = "corrections/socs"
TREES = "linux-device-trees/socs"
DUMPS = "arm-socs-table/socs"
PAGES = "lineageos/socs"

KRYO = re.compile(r"Kryo ([234])\d\d")

Clusters = Mapping[Core, int]


@dataclass(frozen=True, slots=True)
class Chip:
    """A system on chip. `clusters` go from small to large.

    `urls` describe the chip; of these, `core_urls` state the number of cores.
    `certain` is false where only the number of all cores is known: `clusters` then holds the
    smallest core, with that number.
    """

    tag: str
    vendor: str
    model: str
    system: str
    clusters: tuple[tuple[Core, int], ...]
    certain: bool
    features: ChipFeatures
    isa: str
    parent: str
    urls: tuple[str, ...]
    core_urls: tuple[str, ...]

    @property
    def cores(self) -> int:
        return sum(count for _, count in self.clusters)


def chips() -> Iterator[Chip]:
    """Return the chips of the table of names."""
    return map(chip, rows_by(NAMES, "tag"))


@cached
def chip(tag: str) -> Chip:
    """Return the chip with a tag. Raises `KeyError`."""
    return _chip(rows_by(NAMES, "tag")[tag])


def disagreements() -> Iterator[Disagreement]:
    """Yield the numbers of cores on which sources differ, and the features."""
    for tag in rows_by(NAMES, "tag"):
        implied = frozenset[str]().union(*(core.implies for core, _ in chip(tag).clusters))
        yield from conflicts(tag, implied)
        totals = _totals(tag)
        pages = _row(PAGES, tag)
        if pages and sum(pages["clusters"]) > 1:
            totals[page_url(pages)] = sum(pages["clusters"])
        if len(set(totals.values())) > 1:
            choice = f"{chip(tag).cores}: a dump or page can miss cores, a device tree lists all"
            yield Disagreement(tag, "cores", totals, choice)


def tree_cores(cores: Mapping[str, int]) -> dict[Core, int] | None:
    """Return the clusters of a device tree; None if it does not say which cores these are."""
    known = {core_by_compatible(name): count for name, count in cores.items()}
    if None in known or len(known) < len(cores):
        return None
    return {core: count for core, count in known.items() if core}


def _chip(name: Row) -> Chip:
    tag = name["tag"]
    tree, dump, page = _row(TREES, tag), _row(DUMPS, tag), _row(PAGES, tag)
    parent = name.get("bin_of", "")
    if parent and not (tree or dump):
        return _selected_part(name, page)
    clusters = _clusters(tag)
    certain = bool(clusters)
    if page and not clusters:
        clusters = {_small_kryo(page): page["cores"]}
    ordered = tuple(sorted(clusters.items(), key=lambda item: item[0].size))
    features = chip_features(tag, name["system"], [core for core, _ in ordered])
    urls = (
        *([_tree_url(tree)] if tree else ()),
        *(_dump_urls(dump) if dump else ()),
        *([page_url(page)] if page else ()),
        *(core.url for core, _ in ordered if core.name.startswith("Kryo")),
        *features.urls,
    )
    return Chip(
        tag,
        name["vendor"],
        name["model"],
        name["system"],
        ordered,
        certain,
        features,
        tree.get("isa", "") if tree else "",
        parent,
        tuple(dict.fromkeys(urls)),
        _core_urls(tag, page),
    )


def _selected_part(name: Row, page: Row | None) -> Chip:
    whole = chip(name["bin_of"])
    return replace(
        whole,
        tag=name["tag"],
        vendor=name["vendor"],
        model=name["model"],
        system=name["system"],
        parent=whole.tag,
        urls=(page_url(page),) if page else whole.urls,
    )


def _clusters(tag: str) -> Clusters:
    """Return the clusters of the source that counts most cores; of equals dumps, trees, pages."""
    statements = [stated for _, stated in _statements(tag)]
    return max(statements, key=lambda stated: sum(stated.values()), default={})


def _core_urls(tag: str, page: Row | None) -> tuple[str, ...]:
    """Return what states the number of cores that the chip has here."""
    totals = _totals(tag)
    if not totals and page:
        return (page_url(page),)
    return tuple(url for url, total in totals.items() if total == max(totals.values()))


def _totals(tag: str) -> dict[str, int]:
    """Return the numbers of all cores, by the URL of what states them."""
    return {url: sum(clusters.values()) for url, clusters in _statements(tag)}


def _statements(tag: str) -> Iterator[tuple[str, Clusters]]:
    if (row := _row(DUMPS, tag)) and all("count" in core for core in row["cores"]):
        yield _dump_urls(row)[-1], _counted((core["core"], core["count"]) for core in row["cores"])
    if (row := _row(TREES, tag)) and (cores := tree_cores(row["cores"])):
        yield _tree_url(row), cores
    if (row := _row(PAGES, tag)) and (cores := _page_cores(row)):
        yield page_url(row), cores


def _counted(pairs: Iterable[tuple[str, int]]) -> dict[Core, int]:
    counts = Counter[Core]()
    for name, count in pairs:
        counts[core_by_name(name)] += count
    return counts


def _page_cores(row: Row) -> dict[Core, int] | None:
    """Return the clusters of a phone page, which names the cores or Kryo's generation."""
    names, counts = row["cpu"].split(" & "), row["clusters"]
    if kryo := KRYO.match(row["cpu"]):
        if len(counts) < 2 or sum(counts) != row["cores"]:
            return None
        *large, small = counts
        gold, silver = (f"Kryo {kryo[1]}xx {kind}" for kind in ("Gold", "Silver"))
        return _counted([(gold, sum(large)), (silver, small)])
    if any(name.startswith(("Kryo", "Oryon")) for name in names):
        return None
    if len(set(names)) == 1:
        return _counted([(names[0], row["cores"])])
    if len(names) != len(counts):
        return None
    return _counted(zip(names, counts, strict=True))


def _small_kryo(row: Row) -> Core:
    """Return the small core that a page implies by Kryo's generation."""
    generation = KRYO.sub(r"\1", row["cpu"])
    return core_by_name(f"Kryo {generation}xx Silver")


def _dump_urls(row: Row) -> tuple[str, ...]:
    dump = (url_of(DUMPS, 1, row["dump"]),) if "dump" in row else ()
    return (url_of(DUMPS), *dump)


def page_url(row: Row) -> str:
    """Return the address of a chip's page about phones."""
    return url_of(PAGES, path=f"_data/devices/{row['file']}")


def _tree_url(row: Row) -> str:
    return url_of(TREES, path=f"dts/upstream/src/{row['path']}")


def _row(table: str, tag: str) -> Row | None:
    return rows_by(table, "tag").get(tag)
