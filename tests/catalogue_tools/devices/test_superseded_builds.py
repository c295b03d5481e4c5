"""Superseded variants of machines build as their successors do."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from catalogue_tools.devices import machines, socs
from catalogue_tools.devices.systems import LINUX_TWIN
from catalogue_tools.in_memory import InMemoryVersion
from catalogue_tools.tags import GeneratedTag, Superseded
from registry.domain.document import Json
from registry.domain.keys.build_key import consumed_values
from registry.services.catalogue import lock
from tests.domain.shipped import library

FIRST = lock.read_lock().releases[0]  # which still had these variants in use


@cache
def released() -> dict[str, InMemoryVersion]:
    """Return the newest version of each tag in the first release."""
    numbers = {(version.tag, version.number) for version in FIRST.versions}
    return {
        tag: version
        for tag, versions in library().versions.items()
        for version in versions
        if (tag, version.number) in numbers
    }


def build(tag: str, triple: Json = None) -> Any:
    """Return what compilers read of a released tag, without the names of boards.

    `triple` replaces that of the root.
    """
    return build_of(released()[tag]) | ({"mtriple": triple} if triple else {})


def build_of(version: InMemoryVersion) -> Any:
    """Return what compilers read of a version, without the names that records belong to."""
    return _nameless(consumed_values(version.resolution.target, library().kinds))


def _nameless(values: Json) -> Any:
    if not isinstance(values, dict):
        return values
    return {name: _nameless(value) for name, value in values.items() if name != "model"}


def rows() -> list[Superseded]:
    """Return the variants that chips supersede and that the first release had as tags."""
    given = [row for row in machines.tags() if isinstance(row, Superseded)]
    chips = {tag.name for tag in socs.tags() if isinstance(tag, GeneratedTag)}
    return [row for row in given if row.name in released() and row.successor in chips]


def test_superseded_variants_build_as_their_successors_do() -> None:
    different = [
        row.name
        for row in rows()
        if not row.successor.endswith(LINUX_TWIN) and build(row.name) != build(row.successor)
    ]
    assert different == []


def test_those_under_linux_differ_in_the_triple_that_their_successor_has() -> None:
    twins = {tag.name: tag for tag in socs.tags() if isinstance(tag, GeneratedTag)}
    under_linux = [row for row in rows() if row.successor.endswith(LINUX_TWIN)]
    assert len(under_linux) == 46
    for row in under_linux:
        on_phones = row.successor.removesuffix(LINUX_TWIN).replace("/sdm850", "/sdm845")
        assert build(row.name) != build(on_phones), row.name
        triple = twins[on_phones + LINUX_TWIN].body["mtriple"]
        assert build(row.name) == build(on_phones, triple), row.name


def test_variants_in_use_build_otherwise_than_those_of_their_chip() -> None:
    tags = [tag for tag in machines.tags() if isinstance(tag, GeneratedTag) and ":" in tag.name]
    in_release = [tag for tag in tags if tag.name in released()]
    assert len(in_release) == 41  # and three of a board that changed its namespace
    for tag in in_release:
        own, parent = (library().versions[name][-1] for name in (tag.name, _parent(tag)))
        assert build_of(own) != build_of(parent), tag.name


def _parent(tag: GeneratedTag) -> str:
    return str(tag.body["tag"]).partition("@")[0]


def test_the_first_release_had_as_many_of_them() -> None:
    suffixes = [row.name.partition(":")[2] for row in rows()]
    counts = {suffix: suffixes.count(suffix) for suffix in sorted(set(suffixes))}
    assert counts == {
        "big": 326,
        "little": 326,
        "npu": 57,
        "opencl": 206,
        "vulkan": 206,
        "windows": 15,
    }


@pytest.mark.parametrize("tag", ["google/pixel-7", "khadas/vim3", "qcom/sm8250:big"])
def test_machines_and_variants_of_chips_are_not_superseded(tag: str) -> None:
    assert tag in released()
    assert tag not in {row.name for row in rows()}
