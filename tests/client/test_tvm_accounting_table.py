"""The table of what becomes of options is complete, for all kinds and for the whole catalogue."""

from collections.abc import Iterator
from typing import Any

import pytest

from registry.domain.formats.tvm import KINDS as TVM_KINDS
from tests.client.tvm_accounts import CPU, REFERENCE, accounts, described
from tests.domain.builders import KINDS, leaves
from tests.domain.shipped import library, sample
from ttag.tvm.accounting.outcomes import Step
from ttag.tvm.accounting.table import SETTINGS, UNKNOWN, outcome
from ttag.tvm.accounting.target_options import NOT_READ, READ
from ttag.tvm.built_nodes import Position
from ttag.tvm.description import Description, Origin
from ttag.tvm.errors import Misplaced

STRUCTURE = {"host", "devices", "executor", "runtime", "flow", "hardware", "tag"}
WITHOUT_READER = {  # more than annotations: what read them is gone, or asks the device
    *(("c", name) for name in ("workspace-byte-alignment", "constants-byte-alignment")),
    ("opencl", "image_base_address_alignment"),
    *(("vulkan", f"supports_{name}") for name in ("push_descriptor", "dedicated_allocation")),
}


def rows() -> Iterator[tuple[str, str]]:
    """Yield the options of all kinds that TVM has, and of executors, runtimes and the flow."""
    for name, kind in KINDS.items():
        if name in {*TVM_KINDS, "byoc", "flow"} or kind.role in ("executor", "runtime"):
            options = kind.schema["properties"].keys() - STRUCTURE
            yield from ((name, option) for option in options)


@pytest.mark.parametrize("kind", sorted({kind for kind, _ in rows()}))
def test_every_option_of_a_kind_has_a_row_at_every_position(kind: str) -> None:
    options = [option for name, option in rows() if name == kind]
    assert options
    missing = [
        (option, each.name)
        for option in options
        for each in Position
        if outcome(kind, option, each) is None
    ]
    assert missing == []


def test_any_other_pass_setting_has_a_row_at_every_position() -> None:
    assert None not in {outcome("flow", "tir.acme", each) for each in Position}


@pytest.mark.parametrize(
    ("kind", "option"),
    [
        *(("llvm", "acme"), ("acme", "mcpu"), ("executor/aot", "acme"), ("executor/acme", "kind")),
        *(("flow", "acme"), ("composite", "acme"), ("byoc", "mcpu")),
    ],
)
def test_option_without_a_row_has_none_at_any_position(kind: str, option: str) -> None:
    assert {outcome(kind, option, each) for each in Position} == {None}


def test_no_row_is_for_an_option_that_no_kind_has() -> None:
    tables: list[Any] = [READ, NOT_READ, SETTINGS]
    table = {(kind, each) for part in tables for kind, options in part.items() for each in options}
    assert table <= set(rows())


def test_options_that_nothing_reads_are_annotations_but_for_a_few() -> None:
    annotations = {
        (kind, option.name)
        for kind in READ
        for option in KINDS[kind].options.values()
        if option.is_annotation
    }
    unread = {row for row in rows() if row[0] in READ and row[1] != "libs"}
    unread -= {row for row in unread if outcome(*row, Position.MODULE) is Step.TARGET}
    assert unread == annotations | WITHOUT_READER


def test_option_that_only_a_later_registry_knows_is_an_error() -> None:
    root = Description(Origin(REFERENCE, ""), {**CPU, "acme": 1}, {}, {})
    unknown = [entry.pointer for entry in accounts(root).values() if entry.outcome is UNKNOWN]
    assert unknown == ["/acme"]


def test_every_value_of_every_tag_of_the_catalogue_has_an_outcome() -> None:
    for tag in sorted(sample()):
        for version in library().versions[tag]:
            if not version.published.is_mixin:
                unaccounted = _unaccounted(version.resolution.target)
                assert not unaccounted, (tag, unaccounted)


def _unaccounted(target: Any) -> list[str]:
    """Return the pointers of values without an entry, or with one that no row knows."""
    try:
        entries = accounts(described(target))
    except Misplaced:  # a composite without a host is not built
        return []
    missing = [
        pointer
        for pointer in leaves(target)
        if "/hardware/" not in pointer and not {pointer, f"{pointer}/0"} & entries.keys()
    ]
    return missing + [each for each, entry in entries.items() if entry.outcome is UNKNOWN]
