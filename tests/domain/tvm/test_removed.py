"""What TVM removed, and how that is said."""

import pytest

from registry.domain.composition import COMPOSITES
from registry.domain.errors import Code, Fault
from registry.domain.kinds import EXECUTOR, RUNTIME
from registry.domain.pointer import ROOT
from registry.domain.tvm.moved import HOMES
from registry.domain.tvm.removed import KINDS, MOVED, OPTIONS, kind_fault, option_fault
from tests.domain import builders


def test_a_kind_names_its_last_release_and_what_says_the_same() -> None:
    assert kind_fault("cublas", "/host/kind") == Fault(
        "/host/kind",
        Code.KIND_UNKNOWN,
        "cublas is a kind that TVM had to 0.19 and has no more",
        "a byoc with codegen cublas",
        "cublas",
    )


def test_an_option_names_its_last_release_and_its_successor() -> None:
    assert option_fault("cuda", "shared_memory_per_block", "/shared_memory_per_block") == Fault(
        "/shared_memory_per_block",
        "OPTION_UNKNOWN",
        "shared_memory_per_block is an option that TVM's cuda had to 0.8: it is "
        "max_shared_memory_per_block now",
        "max_shared_memory_per_block",
        "shared_memory_per_block",
        ("max_shared_memory_per_block",),
    )


@pytest.mark.parametrize("word", ["llvm", "cublass", ""])
def test_any_other_kind_is_none_of_them(word: str) -> None:
    assert kind_fault(word, ROOT) is None


@pytest.mark.parametrize(
    ("kind", "name"),
    [("llvm", "shared_memory_per_block"), ("cuda", "arch"), ("cublas", "x"), ("llvm", "runtime")],
)
def test_any_other_option_is_none_of_them(kind: str, name: str) -> None:
    assert option_fault(kind, name, ROOT) is None


def test_what_is_removed_is_not_there_and_what_replaces_it_is() -> None:
    known = builders.KINDS.targets
    assert not KINDS.keys() & known.keys()
    for kind, options in OPTIONS.items():
        assert not options.keys() & known[kind].options.keys()
        for found in options.values():
            assert found.instead == "host" or found.instead in known[kind].options


def test_what_moved_has_a_home() -> None:
    assert set(MOVED) <= set(builders.KINDS.targets) - COMPOSITES
    for kind, options in MOVED.items():
        assert options <= {*HOMES, EXECUTOR, RUNTIME}
        assert not options & builders.KINDS.targets[kind].options.keys()
