"""Reads the catalogue that ships with the code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.utils.functional import cached_property

from registry.domain.document import Json, canonical
from registry.domain.errors import Refused
from registry.domain.lints.facts import LintFacts
from registry.domain.names.machine_names import MachineNames
from registry.domain.proofs import Compiler, CompilerFacts, Proof, Reach
from registry.domain.resolution.body_references import body_references
from registry.services.core.catalogue_files import read_json, read_tags

CATALOGUE = Path(__file__).resolve().parents[2] / "catalogue"
WRITTEN = "tags"  # folder of hand-written tag files
BASIC = "basic"  # the value of CATALOGUE that selects these
GENERATED = "generated"  # folder of tag files that `python -m catalogue_tools generate` writes


@dataclass(frozen=True)
class ShippedVersion:
    """A version of a shipped tag. `mirrors` names the TVM release that it was taken from."""

    body: Json
    message: str
    sources: tuple[str, ...] = ()
    mirrors: str = ""

    @cached_property
    def source(self) -> str:
        """The body as text."""
        return orjson.dumps(self.body, option=orjson.OPT_INDENT_2).decode()

    @cached_property
    def referenced_names(self) -> list[str]:
        """The names that the body refers to, which sort its tag again in every wave."""
        return referenced_names(self.body)


@dataclass(frozen=True, slots=True)
class ShippedDeprecation:
    """The tag that supersedes a shipped one, and why."""

    successor: str
    reason: str


@dataclass(frozen=True, slots=True)
class ShippedTag:
    """A shipped tag with its versions in order of publication, and its file."""

    name: str
    aliases: tuple[str, ...]
    versions: tuple[ShippedVersion, ...]
    is_family: bool = False
    file: str = ""
    deprecated: ShippedDeprecation | None = None


def referenced_names(body: Json) -> list[str]:
    """Return the names that a body refers to; none if it has invalid references."""
    try:
        return [request.reference.text for request in body_references(body)]
    except Refused:  # publishing rejects the body, and says why
        return []


def namespaces() -> list[dict[str, str]]:
    """Return the namespaces of the tags that `tags` yields."""
    entries = every_namespace()
    if settings.CATALOGUE != BASIC:
        return entries
    used = {name.partition("/")[0] for tag in tags() for name in (tag.name, *tag.aliases)}
    return [entry for entry in entries if entry["name"] in used]


def every_namespace() -> list[dict[str, str]]:
    """Return the namespaces of all shipped tags."""
    entries: list[dict[str, str]] = read_json(CATALOGUE / "namespaces.json")["namespaces"]
    return entries


def kinds() -> dict[str, dict[str, Any]]:
    """Return the schemas of shipped kinds, by name."""
    schemas = map(read_json, sorted((CATALOGUE / "kinds").rglob("*.json")))
    return {schema["title"]: schema for schema in schemas}


def tags() -> Iterator[ShippedTag]:
    """Yield the shipped tags that the setting CATALOGUE selects, in no particular order.

    Raises `Refused` (REQUEST_INVALID), which names the file, if one does not have the form of a
    catalogue file.
    """
    return written_tags() if settings.CATALOGUE == BASIC else every_tag()


def every_tag() -> Iterator[ShippedTag]:
    """Yield every shipped tag, as `tags` does.

    Generated versions follow the hand-written ones of the same tag.
    """
    generated = list(_read_folder(GENERATED))
    continued = {tag.name: tag for tag in generated}
    written = set()
    for tag in written_tags():
        written.add(tag.name)
        yield _join(tag, continued[tag.name]) if tag.name in continued else tag
    yield from (tag for tag in generated if tag.name not in written)


def written_tags() -> Iterator[ShippedTag]:
    """Yield the hand-written tags, as `tags` does."""
    return _read_folder(WRITTEN)


def _join(written: ShippedTag, generated: ShippedTag) -> ShippedTag:
    """Return a hand-written tag that continues with the generated versions of its name."""
    return replace(
        written,
        aliases=(*written.aliases, *generated.aliases),
        versions=(*written.versions, *generated.versions),
        deprecated=generated.deprecated or written.deprecated,
    )


def _read_folder(folder: str) -> Iterator[ShippedTag]:
    for path in sorted((CATALOGUE / folder).rglob("*.json")):
        for entry in read_tags(path):
            yield ShippedTag(
                entry["tag"],
                tuple(entry.get("aliases", ())),
                tuple(_version(version) for version in entry["versions"]),
                entry.get("family", False),
                str(path.relative_to(CATALOGUE)),
                ShippedDeprecation(**entry["deprecated"]) if "deprecated" in entry else None,
            )


def _version(entry: dict[str, Any]) -> ShippedVersion:
    return ShippedVersion(
        body=entry["target"],
        message=entry["message"],
        sources=tuple(entry.get("sources", ())),
        mirrors=entry.get("mirrors", ""),
    )


@lru_cache(maxsize=1)
def cpus() -> dict[str, frozenset[str]]:
    """Return the CPU names that LLVM knows, by architecture."""
    shipped = read_json(CATALOGUE / "llvm_cpus.json")
    return _with_aliases(_sets(shipped["cpus"]), shipped["aliases"])


@lru_cache(maxsize=1)
def lint_facts() -> LintFacts:
    """Return the names that LLVM and TVM know, for lints."""
    tvm = read_json(CATALOGUE / "tvm_names.json")
    features = _sets(read_json(CATALOGUE / "llvm_features.json")["features"])
    return LintFacts(
        cpus=cpus(),
        features=_with_aliases(features, read_json(CATALOGUE / "llvm_cpus.json")["aliases"]),
        libraries=_sets(tvm["libraries"]),
        codegens=_sets(tvm["codegens"]),
        keys=_sets(tvm["keys"]),
    )


@lru_cache(maxsize=1)
def machine_names() -> MachineNames:
    """Return the names by which drivers, tools and people call machines."""
    return MachineNames.of(read_json(CATALOGUE / "machine_names.json"))


def wanted() -> dict[str, list[str]]:
    """Return the searches that people try first, by group."""
    return _searches("wanted")


@lru_cache(maxsize=1)
def missing() -> tuple[dict[str, str], ...]:
    """Return the products that no tag describes, each with `product`, `group` and `reason`."""
    return tuple(read_json(CATALOGUE / "missing.json")["missing"])


def absent() -> dict[str, list[str]]:
    """Return searches for machines that the catalogue does not have, by group."""
    return _searches("absent")


def first_hits() -> dict[str, dict[str, list[str]]]:
    """Return searches by group, each with what its first hit may be.

    Either the pattern of a tag, `nvidia/jetson-*`, or a value that the tag has, `vendor=Intel`.
    """
    return _searches("first_hits")


def _searches(name: str) -> dict[str, Any]:
    groups = read_json(CATALOGUE / f"{name}.json")[name]
    return {group["group"]: group["searches"] for group in groups}


@lru_cache(maxsize=1)
def compiler_facts() -> CompilerFacts:
    """Return the releases of the compilers, and how far they get with what they read."""
    table = read_json(CATALOGUE / "proofs.json")
    proofs: dict[Compiler, dict[bytes, Proof]] = {compiler: {} for compiler in Compiler}
    for row in table["rows"]:
        proof = Proof(Reach(row["reach"]), row.get("reason", ""))
        proofs[Compiler(row["compiler"])][reading_of(row)] = proof
    releases = {compiler: table["header"]["versions"][compiler] for compiler in Compiler}
    return CompilerFacts(releases, proofs, cpus())


def reading_of(row: Mapping[str, Json]) -> bytes:
    """Return what a compiler reads of the targets of a row: flags, or for TVM an object."""
    reads = row["reads"]
    return reads.encode() if isinstance(reads, str) else canonical(reads)


def _sets(names: dict[str, list[str]]) -> dict[str, frozenset[str]]:
    return {key: frozenset(values) for key, values in names.items()}


def _with_aliases(
    names: dict[str, frozenset[str]], aliases: dict[str, str]
) -> dict[str, frozenset[str]]:
    return names | {alias: names[name] for alias, name in aliases.items()}
