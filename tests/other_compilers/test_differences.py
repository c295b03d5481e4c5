"""What other compilers change is listed by its effect: on tags, keys and builds."""

from registry.domain.proofs import Compiler, Proof, Reach, Reading
from tests.domain.builders import KINDS
from tests.other_compilers.differences import (
    Uses,
    changed_entries,
    changed_keys,
    changed_names,
    changed_proofs,
)

READING: Reading = (Compiler.TVM, b'{"kind":"cuda"}')
OTHER: Reading = (Compiler.TVM, b'{"kind":"rocm"}')
USES = Uses({READING: frozenset({"acme/a", "acme/b"}), OTHER: frozenset({"acme/c"})})
UNUSED = Uses({})
BUILT, REFUSED = Proof(Reach.ARTEFACT), Proof(Reach.REFUSED, "unknown CPU")


def test_entries_that_came_went_and_changed() -> None:
    before, after = {"a": 1, "b": [2], "c": 3}, {"b": [2, 3], "c": 3, "d": {"e": 4}}
    assert list(changed_entries(before, after)) == ["- a: 1", "~ b: [2] -> [2,3]", '+ d: {"e":4}']


def test_equal_entries_are_not_listed() -> None:
    assert list(changed_entries({"a": None}, {"a": None})) == []


def test_an_option_that_tvm_fills_in_otherwise_is_listed_once_with_its_tags() -> None:
    old, new = {"kind": "cuda", "max_num_threads": 1024}, {"kind": "cuda", "max_num_threads": 512}
    assert list(changed_keys({READING: (old, new), OTHER: (old, new)}, KINDS, USES)) == [
        "cuda max_num_threads: 1024 -> 512; keys depend on it; 3 tags: acme/a, acme/b, acme/c"
    ]


def test_an_option_outside_of_keys_is_told_apart() -> None:
    old, new = {"kind": "cuda"}, {"kind": "cuda", "tag": "x"}
    (line,) = changed_keys({READING: (old, new)}, KINDS, USES)
    assert line == 'cuda tag: none -> "x"; no key depends on it; 2 tags: acme/a, acme/b'


def test_a_target_that_both_export_alike_changes_no_key() -> None:
    assert list(changed_keys({READING: ({"kind": "cuda"}, {"kind": "cuda"})}, KINDS, USES)) == []


def test_a_build_that_is_lost_or_gained_is_listed_by_its_reason() -> None:
    pairs = [(READING, BUILT, REFUSED), (OTHER, REFUSED, BUILT)]
    assert list(changed_proofs(pairs, USES)) == [
        "tvm: artefact -> refused: unknown CPU; 2 tags: acme/a, acme/b",
        "tvm: refused -> artefact: unknown CPU; 1 tag: acme/c",
    ]


def test_a_build_that_reaches_less_far_is_no_difference() -> None:
    assert list(changed_proofs([(READING, BUILT, Proof(Reach.RUN))], USES)) == []


def test_what_only_earlier_versions_state_is_said_so() -> None:
    (line,) = changed_proofs([(READING, BUILT, REFUSED)], UNUSED)
    assert line.endswith("no newest version")


def test_lost_names_count_their_tags_and_others_stand_together() -> None:
    before, after = frozenset({"a", "b", "c"}), frozenset({"d", "e"})
    lines = changed_names(before, after, {"a": 0, "b": 2, "c": 0})
    assert list(lines) == ["- b: 2 tags", "- in no tag: a, c", "+ d, e"]
