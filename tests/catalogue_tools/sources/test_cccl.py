"""CCCL's traits give the limits of NVIDIA's architectures."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from catalogue_tools.facts import Row, read_table
from catalogue_tools.sources.cccl import OPTIN, PATH
from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.reader import Reading
from tests.catalogue_tools.sources.clones import clone_of, read

TABLE = "cccl/nvidia_architectures"
SHARED = "max_shared_memory_per_multiprocessor"
WHOLE = {OPTIN: f"__traits.{SHARED} - __traits.reserved_shared_memory_per_block"}
STATED: dict[str, dict[str, str]] = {
    "sm_60": {SHARED: "64 * 1024", OPTIN: "48 * 1024"},
    "sm_61": {SHARED: "96 * 1024", OPTIN: "48 * 1024"},
    "sm_62": {SHARED: "64 * 1024", OPTIN: "48 * 1024", "max_registers_per_block": "32 * 1024"},
    "sm_70": {SHARED: "96 * 1024", "reserved_shared_memory_per_block": "0", **WHOLE},
    "sm_75": {SHARED: "64 * 1024", **WHOLE},
    "sm_80": {SHARED: "164 * 1024", **WHOLE},
    "sm_86": {SHARED: "100 * 1024", **WHOLE},
    "sm_87": {SHARED: "164 * 1024", **WHOLE},
    "sm_89": {SHARED: "100 * 1024", **WHOLE},
    "sm_90": {SHARED: "228 * 1024", **WHOLE},
    "sm_100": {SHARED: "228 * 1024", **WHOLE},
    "sm_120": {SHARED: "100 * 1024", **WHOLE},
}
PARENTS = {"sm_103": "sm_100", "sm_110": "sm_100", "sm_121": "sm_120"}


def reading(folder: Path, stated: Mapping[str, Mapping[str, str]]) -> Reading:
    """Return what is read from the traits of architectures, and of those that inherit."""
    starts = {arch: f"__common_arch_traits(arch_id::{arch})" for arch in stated}
    starts |= {arch: f"arch_traits<arch_id::{parent}>()" for arch, parent in PARENTS.items()}
    blocks = [
        f"constexpr arch_traits_t arch_traits<arch_id::{arch}>() noexcept\n{{\n"
        f"  auto __traits = ::cuda::{start};\n"
        + "".join(f"  __traits.{name} = {text};\n" for name, text in stated.get(arch, {}).items())
        + "  return __traits;\n};"
        for arch, start in starts.items()
    ]
    return read(TABLE, clone_of(folder, {PATH: "\n".join(blocks)}))


def row(result: Reading, arch: str) -> Row:
    (found,) = [row for row in result.rows if row["arch"] == arch]
    return found


def test_traits_give_the_table(tmp_path: Path) -> None:
    assert reading(tmp_path, STATED) == Reading(read_table(TABLE).rows)


def test_changed_limit_reaches_what_inherits_it(tmp_path: Path) -> None:
    changed = STATED | {"sm_120": {SHARED: "128 * 1024", **WHOLE}}
    result = reading(tmp_path, changed)
    assert row(result, "sm_120")[OPTIN] == row(result, "sm_121")[OPTIN] == 127 * 1024


def test_new_architecture_is_not_taken(tmp_path: Path) -> None:
    result = reading(tmp_path, STATED | {"sm_88": STATED["sm_86"]})
    assert result.not_taken == ("sm_88: no family is named for it",)


def test_missing_architecture_is_refused(tmp_path: Path) -> None:
    rest = {arch: members for arch, members in STATED.items() if arch != "sm_75"}
    with pytest.raises(SourceError, match="has no traits of sm_75"):
        reading(tmp_path, rest)


def test_limit_that_is_no_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=f"{SHARED} of sm_75 is 'some', not a number"):
        reading(tmp_path, STATED | {"sm_75": {SHARED: "some", **WHOLE}})


def test_file_without_traits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no arch_traits of an architecture"):
        read(TABLE, clone_of(tmp_path, {PATH: "#pragma once"}))
