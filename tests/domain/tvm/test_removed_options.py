"""Errors about kinds and options that TVM removed."""

import pytest

from registry.domain.errors import Code, Fault
from registry.domain.kinds.kinds import EXECUTOR, RUNTIME
from registry.domain.tvm.moved_options import NEW_OWNERS
from registry.domain.tvm.removed_options import (
    KINDS,
    MOVED_OPTIONS,
    NEW_NAMES,
    kind_fault,
    new_name,
)
from tests.domain import builders
from ttag_rules.nodes import COMPOSITES
from ttag_rules.pointer import ROOT


@pytest.mark.parametrize(("kind", "release"), [("cublas", "0.19"), ("ethos-u", "0.18")])
def test_a_removed_kind_names_its_last_release_and_replacement(kind: str, release: str) -> None:
    assert kind_fault(kind, "/host/kind") == Fault(
        "/host/kind",
        Code.KIND_UNKNOWN,
        f"{kind} is a kind that TVM removed after {release}: an external code generator, which "
        "needs an ordinary target",
        f"a byoc with codegen {kind}",
        kind,
    )


def test_a_removed_kind_without_a_replacement_only_names_its_last_release() -> None:
    fault = kind_fault("sdaccel", "")
    assert fault
    assert (fault.message, fault.expected) == (
        "sdaccel is a kind that TVM removed after 0.19",
        "a known kind",
    )


@pytest.mark.parametrize(
    ("kind", "name", "new"),
    [
        ("cuda", "shared_memory_per_block", "max_shared_memory_per_block"),
        ("composite", "target_host", "host"),
        ("llvm", "target", "mtriple"),
        ("cuda", "target", "target"),
        ("cuda", "arch", "arch"),
        ("", "target", "target"),
    ],
)
def test_renamed_options_have_new_names(kind: str, name: str, new: str) -> None:
    assert new_name(kind, name) == new


@pytest.mark.parametrize("word", ["llvm", "cublass", ""])
def test_other_kinds_have_no_fault(word: str) -> None:
    assert kind_fault(word, ROOT) is None


def test_removed_names_are_unknown_and_replacements_known() -> None:
    current_kinds = builders.KINDS.targets
    assert not KINDS.keys() & current_kinds.keys()
    for kind, names in NEW_NAMES.items():
        known = {*current_kinds[kind].options, "host"}
        assert known.isdisjoint(names)
        assert known.issuperset(names.values())


def test_every_moved_option_has_an_owner() -> None:
    assert set(MOVED_OPTIONS) <= set(builders.KINDS.targets) - COMPOSITES
    for kind, options in MOVED_OPTIONS.items():
        assert options <= {*NEW_OWNERS, EXECUTOR, RUNTIME}
        assert not options & builders.KINDS.targets[kind].options.keys()
