"""Notes on triples that LLVM writes differently."""

from registry.domain.checks.target_notes import target_notes
from registry.domain.document import Json
from registry.domain.lints.rules import lint_target
from registry.services.core import shipped_facts
from tests.domain.builders import KINDS, target_of

SHORT: dict[str, Json] = {
    "kind": "llvm",
    "mtriple": "x86_64-linux-gnu",
    "mcpu": "haswell",
    "num-cores": 4,
}


def found(target: Json) -> dict[str, str]:
    return {note.pointer: note.message for note in target_notes(target)}


def test_a_short_triple_draws_a_note_and_the_lint_of_what_it_misplaces() -> None:
    target = target_of(SHORT)
    assert found(target) == {
        "/mtriple": "LLVM 22 reads x86_64-linux-gnu as x86_64-unknown-linux-gnu"
    }
    (lint,) = lint_target(target, KINDS, shipped_facts.lint_facts())
    assert (lint.code, lint.suggestions) == ("TRIPLE_MISREAD", ("x86_64-unknown-linux-gnu",))


def test_a_vendor_that_is_only_renamed_draws_a_note_and_no_lint() -> None:
    target = target_of({**SHORT, "mtriple": "x86_64--linux-gnu"})
    assert found(target).keys() == {"/mtriple"}
    assert lint_target(target, KINDS, shipped_facts.lint_facts()) == ()


def test_a_normal_triple_draws_none() -> None:
    assert found({"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu"}) == {}
    assert found({"kind": "cuda"}) == {}


def test_every_node_is_looked_at() -> None:
    target = {"kind": "composite", "devices": {"a": SHORT}, "host": SHORT}
    assert found(target_of(target)).keys() == {"/host/mtriple", "/devices/a/mtriple"}


def test_a_mixin_has_none() -> None:
    assert found({"mtriple": "x86_64-linux-gnu"}) == {}
