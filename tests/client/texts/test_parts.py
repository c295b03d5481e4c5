"""Nodes that the client closes by itself are those of the registry, and so are their texts."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from registry.domain.closed_nodes import close_node
from registry.domain.exporting import Subject
from tests.client.texts.subjects import honest, resolution_of, written
from tests.domain.builders import KINDS, target_of
from tests.domain.formats.machines import machines
from tests.domain.strategies import composite_targets, leaf_targets
from tests.vectors import NodeCase, node_cases
from ttag import Refused, Tampered
from ttag.canonical_json import canonical
from ttag.resolution import Resolution
from ttag.texts import proven
from ttag.texts.node_texts import DERIVED, node_text
from ttag.texts.parts import part_of
from ttag_rules.nodes import nodes

HOST = {"kind": "llvm", "mcpu": "cortex-a57", "mtriple": "aarch64-unknown-linux-gnu"}
BOARD: dict[str, Any] = {
    "kind": "composite",
    "devices": {"gpu": {"kind": "cuda", "arch": "sm_53"}, "npu": HOST},
    "host": HOST,
}


def whole(target: dict[str, Any]) -> Resolution:
    return resolution_of(Subject("acme/board@1.0.0", target, KINDS))


@pytest.mark.parametrize("case", [case for case in node_cases() if case.pointer], ids=str)
def test_a_node_is_that_of_the_vectors(case: NodeCase) -> None:
    part = part_of(whole(case.target), case.pointer)
    assert part.target == case.node
    assert part.text.encode() == canonical(case.node)
    assert dict(part.tuning_keys) == case.tuning_keys


def parts(subject: Subject) -> Iterator[tuple[Subject, Resolution]]:
    """Yield each inner node of a target, and what the client makes of it."""
    for node in nodes(subject.document):
        if node.pointer:
            part = close_node(subject.document, node.pointer)
            yield replace(subject, part=part), part_of(resolution_of(subject), node.pointer)


def require_equal_parts(subject: Subject) -> int:
    """Require that client and registry agree on every node and its texts; count the texts."""
    texts = {each.export.format: each.export for each in written(subject, *DERIVED)}
    count = 0
    for node, part in parts(subject):
        theirs = resolution_of(node)
        assert part == replace(theirs, reference=part.reference), part.reference
        assert [*part.tuning_keys] == [*theirs.tuning_keys]
        for expected in written(node, *texts):
            text = node_text(texts[expected.export.format], resolution_of(subject), part)
            assert text is not None
            assert text.text == expected.export.text, part.reference
            assert text.dropped == expected.export.dropped, part.reference
            count += 1
    return count


def test_texts_of_nodes_of_the_catalogue_are_those_of_the_registry() -> None:
    assert sum(map(require_equal_parts, machines().values())) > 200


def test_the_derived_text_of_a_node_is_compared_with_it() -> None:
    board = honest({**BOARD, "flow": {"tir.disable_vectorize": True}}, "tvm")
    gpu, host = (part_of(board.resolution, place) for place in ("/devices/gpu", "/host"))
    text = node_text(board.export, board.resolution, gpu)
    assert text is not None
    assert proven(text, gpu, source="The lock").digest == gpu.digest
    with pytest.raises(Tampered):
        proven(text, host, source="The lock")
    changed = replace(board.export, text=board.export.text.replace("sm_53", "sm_54"))
    text = node_text(changed, board.resolution, gpu)
    assert text is not None
    with pytest.raises(Tampered, match="sm_54"):
        proven(text, gpu, source="The lock")


@given(composite_targets(leaf_targets()))
def test_every_node_of_any_target_is_that_of_the_registry(body: dict[str, Any]) -> None:
    require_equal_parts(Subject("acme/board@1.0.0", target_of(body), KINDS))


def test_a_node_knows_where_it_is_from_and_has_no_build_key() -> None:
    board = replace(whole(BOARD), build_key="bk1:whole", event=7)
    part = part_of(board, "/devices/gpu")
    assert (part.exact, part.node) == ("acme/board@1.0.0#/devices/gpu", "/devices/gpu")
    assert (part.build_key, part.event, part.is_of_alias) == ("", 7, False)
    assert part.target["host"] == HOST


@pytest.mark.parametrize(
    ("pointer", "near"),
    [
        ("/devices/gpuu", "/devices/gpu"),
        ("/hots", "/host"),
        ("/devices", "/devices/npu"),
        ("/devices/0", "/devices/npu"),
        ("/devices/gpu/arch", "/devices/gpu"),
        ("/devices/gpu/host", "/devices/gpu"),
        ("/host/mcpu", "/host"),
        ("/devices/~0gpu", "/devices/gpu"),
    ],
)
def test_a_pointer_to_no_node_or_into_a_value_is_refused(pointer: str, near: str) -> None:
    with pytest.raises(Refused, match=r"acme/board@1\.0\.0 has no node at") as error:
        part_of(whole(BOARD), pointer)
    assert (error.value.code, error.value.status) == ("NODE_UNKNOWN", 404)
    assert error.value.suggestions[0] == near


def test_patches_of_a_mixin_around_a_node_are_left_out() -> None:
    mixin = {"libs": {"$append": ["cudnn"]}, "executor": {"unpacked-api": True}, "host": HOST}
    assert part_of(whole(mixin), "/host").target == HOST


def test_a_leaf_has_no_nodes() -> None:
    with pytest.raises(Refused, match="none besides the whole target"):
        part_of(whole(HOST), "/host")


@pytest.mark.parametrize("form", ["clang", "cmake", "config", "consumers"])
def test_other_formats_do_not_tell_the_text_of_a_node(form: str) -> None:
    text = honest(BOARD, form)
    assert node_text(text.export, text.resolution, part_of(text.resolution, "/host")) is None
