"""Errors about kinds and options that TVM removed."""

import pytest

from registry.domain.composition import COMPOSITES
from registry.domain.errors import Code, Fault
from registry.domain.kinds import EXECUTOR, RUNTIME
from registry.domain.pointer import ROOT
from registry.domain.tvm.moved_options import NEW_OWNERS
from registry.domain.tvm.removed_options import (
    KINDS,
    MOVED_OPTIONS,
    OPTIONS,
    kind_fault,
    option_fault,
)
from tests.domain import builders


def test_a_removed_kind_names_its_last_release_and_replacement() -> None:
    assert kind_fault("cublas", "/host/kind") == Fault(
        "/host/kind",
        Code.KIND_UNKNOWN,
        "cublas is a kind that TVM removed after 0.19",
        "a byoc with codegen cublas",
        "cublas",
    )


def test_a_removed_option_names_its_last_release_and_replacement() -> None:
    assert option_fault("cuda", "shared_memory_per_block", "/shared_memory_per_block") == Fault(
        "/shared_memory_per_block",
        "OPTION_UNKNOWN",
        "TVM's cuda had the option shared_memory_per_block until 0.8: it is "
        "max_shared_memory_per_block now",
        "max_shared_memory_per_block",
        "shared_memory_per_block",
        ("max_shared_memory_per_block",),
    )


@pytest.mark.parametrize("word", ["llvm", "cublass", ""])
def test_other_kinds_have_no_fault(word: str) -> None:
    assert kind_fault(word, ROOT) is None


@pytest.mark.parametrize(
    ("kind", "name"),
    [("llvm", "shared_memory_per_block"), ("cuda", "arch"), ("cublas", "x"), ("llvm", "runtime")],
)
def test_other_options_have_no_fault(kind: str, name: str) -> None:
    assert option_fault(kind, name, ROOT) is None


def test_removed_names_are_unknown_and_replacements_known() -> None:
    current_kinds = builders.KINDS.targets
    assert not KINDS.keys() & current_kinds.keys()
    for kind, options in OPTIONS.items():
        assert not options.keys() & current_kinds[kind].options.keys()
        for removed in options.values():
            assert (
                removed.replacement == "host" or removed.replacement in current_kinds[kind].options
            )


def test_every_moved_option_has_an_owner() -> None:
    assert set(MOVED_OPTIONS) <= set(builders.KINDS.targets) - COMPOSITES
    for kind, options in MOVED_OPTIONS.items():
        assert options <= {*NEW_OWNERS, EXECUTOR, RUNTIME}
        assert not options & builders.KINDS.targets[kind].options.keys()
