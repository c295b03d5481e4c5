"""Families and machines of an imagined cloud, and shortcuts to what generators yield."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from catalogue_tools.clouds import aws, azure, gcp, github, graviton, measured
from catalogue_tools.clouds.machines import Family, Machine
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

URL = "https://example.org/sizes"

Item = GeneratedTag | Disagreement | Missing

C7 = Family(
    name="acme/c7",
    file="acme/c7",
    vendor="Acme",
    title="C7",
    processors="Xeon 1234",
    message="What all C7 share: Xeon 1234",
    mcpu="skylake-avx512",
    threads_per_core=2,
    sources=(URL, "https://example.org/processors"),
    size_sources=(URL,),
    core_sources=("https://example.org/threads",),
)
LARGE = Machine(
    name="acme/c7.large",
    model="c7.large",
    family=C7,
    cores=4,
    threads=8,
    memory_mib=16384,
    sources=(URL,),
    aliases=("acme/C7_Large",),
)


def by_name(items: Iterable[Item]) -> dict[str, GeneratedTag]:
    """Return the tags among items, by name."""
    return {item.name: item for item in items if isinstance(item, GeneratedTag)}


@cache
def shipped() -> dict[str, GeneratedTag]:
    """Return the tags of all clouds, by name."""
    generators: tuple[Callable[[], Iterator[Item]], ...]
    generators = (aws.tags, azure.tags, gcp.tags, github.tags, graviton.tags, measured.tags)
    return by_name(item for generator in generators for item in generator())


def cpu_of(name: str) -> Mapping[str, Any]:
    """Return the body, with the options of its parents, of the CPU that runs a machine's host."""
    body: dict[str, Any] = {}
    while name:
        own = dict(shipped()[name].body)
        parent = own.pop("host", "") or own.pop("tag", "")
        body = {**own, **body}
        name = str(parent).partition("@")[0]
    return body
