from dataclasses import dataclass

import pytest
from hypothesis import example, given, strategies as st

from registry.domain.errors import Code, Refused
from registry.domain.reference import Pair, Reference, Tag, nearest_selector, unknown_alias
from tests.domain.builders import refusal
from tests.domain.strategies import alias_texts, references, tag_texts
from tests.vectors import (
    AcceptedReference,
    RefusedReference,
    accepted_references,
    refused_references,
)
from ttag_rules.names import MAX_REFERENCE, MAX_TAG, alias_problem, tag_problem
from ttag_rules.selectors import NEWEST, Selector
from ttag_rules.version_number import VersionNumber

DIGEST = "sha256:" + "0123456789abcdef" * 4


@given(references)
def test_parsing_and_writing_are_inverse(reference: Reference) -> None:
    if len(str(reference)) <= MAX_REFERENCE:
        assert Reference.parse(str(reference)) == reference


@given(tag_texts())
def test_every_text_of_the_grammar_is_a_tag(text: str) -> None:
    assert tag_problem(text) == ""
    assert str(Tag.parse(text)) == text
    assert Reference.parse(text).is_tag


@given(alias_texts)
def test_other_spellings_can_only_be_aliases(text: str) -> None:
    assert alias_problem(text) == ""
    assert Reference.parse(text).is_tag == (not tag_problem(text))


@given(st.one_of(st.text(), st.text("ab/:@.-_1%?# \n\0", max_size=20)))
@example("a/b@" + "9" * 300)
@example("a/b:" + "." * 200)
def test_any_text_round_trips_or_is_rejected(text: str) -> None:
    try:
        reference = Reference.parse(text)
    except Refused as error:
        refused = error
    else:
        assert str(reference) == text
        return
    assert refused.code == Code.REFERENCE_INVALID
    assert refused.faults[0].expected


@pytest.mark.parametrize(
    ("text", "name", "variant", "numbers", "digest"),
    [
        ("nvidia/jetson-nano", "nvidia/jetson-nano", "", (), ""),
        ("nvidia/jetson-nano:cuda@1", "nvidia/jetson-nano", "cuda", (1,), ""),
        ("aws/cpu/c5.9xlarge@1.2", "aws/cpu/c5.9xlarge", "", (1, 2), ""),
        ("a/b@0.0.0", "a/b", "", (0, 0, 0), ""),
        ("a/b@999999999", "a/b", "", (999_999_999,), ""),
        ("a/b__c-----d.e_f", "a/b__c-----d.e_f", "", (), ""),
        (f"a/b:_x.y@{DIGEST}", "a/b", "_x.y", (), DIGEST),
        ("a/json:atom", "a/json", "atom", (), ""),
    ],
)
def test_parts_of_a_reference(
    text: str, name: str, variant: str, numbers: tuple[int, ...], digest: str
) -> None:
    reference = Reference.parse(text)
    tag = Tag.parse(reference.text)
    assert (tag.name, tag.variant, tag.namespace) == (name, variant, name.split("/", maxsplit=1)[0])
    assert (reference.selector.numbers, reference.selector.digest) == (numbers, digest)


@pytest.mark.parametrize("case", accepted_references(), ids=str)
def test_a_valid_reference_is_read(case: AcceptedReference) -> None:
    reference = Reference.parse(case.reference)
    assert (reference.text, str(reference.selector)) == (case.name, case.selector)


@pytest.mark.parametrize("case", refused_references(), ids=str)
def test_an_invalid_reference_is_rejected(case: RefusedReference) -> None:
    refused = refusal(lambda: Reference.parse(case.reference))
    assert refused.code == Code.REFERENCE_INVALID
    (fault,) = refused.faults
    assert "namespace/name" in fault.expected
    assert refused.detail.startswith(fault.message)


@pytest.mark.parametrize(
    "text",
    [
        "a/b:",
        "aws//c4",
        "a/b:x..y",
        "a/b:x.",
        "a/b:-x",
        "a/b:.x",
        "a/b:x:y",
        "a/b:" + "v" * 65,
        "a/B",
        "a/b_-c",
    ],
)
def test_an_alias_spelling_is_not_a_tag(text: str) -> None:
    assert tag_problem(text)
    assert refusal(lambda: Tag.parse(text)).code == Code.REFERENCE_INVALID
    if alias_problem(text) == "":
        assert unknown_alias(Reference.parse(text)).code == Code.REFERENCE_INVALID


def test_a_component_may_contain_but_not_end_in_a_reserved_ending() -> None:
    assert tag_problem("a/json") == ""
    assert tag_problem("a/x.jsonx") == ""
    assert "reserved" in tag_problem("a/x.json/y")


def test_lengths_are_bounded() -> None:
    longest = "a/" + "b" * (MAX_TAG - 2)
    reference = f"{longest}@{DIGEST}"
    assert len(reference) == MAX_REFERENCE
    assert str(Reference.parse(reference)) == reference
    assert str(MAX_REFERENCE) in refusal(lambda: Reference.parse("a" * 256)).detail
    assert str(MAX_TAG) in tag_problem(longest + "b")
    assert str(MAX_TAG) in alias_problem(longest + "b")


def test_the_error_explains_the_invalid_value() -> None:
    assert "AWS" in refusal(lambda: Reference.parse("AWS/c4")).detail
    assert "1.2.3.4" in refusal(lambda: Reference.parse("a/b@1.2.3.4")).detail
    assert "AWS/c4" in unknown_alias(Reference("AWS/c4")).detail


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nvidia/geforce-gt-730-ddr3,128bit", ""),
        ("aws/A", ""),
        ("aws/", "namespace"),
        ("AWS/x", "namespace"),
        ("a/b?c", "printable"),
        ("a/b\\c", "printable"),
        ("a/b c", "printable"),
        ("a/b\xe9", "printable"),
        ("a/B.json", "reserved"),
        ("a/B...c", "three dots"),
        ("a/...", "three dots"),
        ("a/..", "only dots"),
        ("a/./b", "only dots"),
        ("a/B..c", ""),
        ("a/b..", ""),
    ],
)
def test_aliases_are_printable_ascii_in_a_namespace(text: str, problem: str) -> None:
    assert problem in alias_problem(text)
    assert bool(problem) == bool(alias_problem(text))


@given(references, references)
@example(Reference("a/b.."), Reference("a/b..", Selector((1,))))
def test_a_pair_round_trips(old: Reference, new: Reference) -> None:
    if max(len(str(old)), len(str(new))) <= MAX_REFERENCE:
        pair = Pair(old, new)
        assert Pair.parse(str(pair)) == pair


@pytest.mark.parametrize(
    ("selector", "near"),
    [
        ("latest", "a/b"),
        ("", "a/b"),
        ("*", "a/b"),
        ("v1", "a/b@1"),
        ("V1.2", "a/b@1.2"),
        ("01", "a/b@1"),
        ("^1.2.3", "a/b@1.2.3"),
        ("~1", "a/b@1"),
        ("1.x", "a/b@1"),
        ("1.2.3-rc.1", "a/b@1.2.3"),
        ("SHA256:" + "AB" * 32, "a/b@sha256:" + "ab" * 32),
        ("cd" * 32, "a/b@sha256:" + "cd" * 32),
    ],
)
def test_what_an_invalid_selector_may_mean_is_suggested(selector: str, near: str) -> None:
    assert refusal(lambda: Reference.parse(f"a/b@{selector}")).suggestions == (near,)
    assert str(Reference.parse(near)) == near


@given(st.text(max_size=100))
def test_the_nearest_selector_can_be_parsed(text: str) -> None:
    near = nearest_selector(text)
    assert near == NEWEST or Selector.read(str(near)) == near


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is missing a reference"),
        ("...", "is missing a reference"),
        ("a/b", "is missing a reference"),
        ("a/b..a/c", "is missing a reference"),
        ("a/b...", "is missing a reference"),
        ("...a/b", "is missing a reference"),
        ("a/b...a/c...a/d", "has 3 references"),
        ("a/b......a/c", "a/b... is not a tag"),
        ("a/b...A/c", "A/c"),
        ("a/b@x...a/c", "x is not a version selector"),
        ("a/b...a/c@1.2.3.4", "1.2.3.4"),
        ("a/b...\0", "is not a tag"),
    ],
)
def test_an_invalid_pair_is_rejected(text: str, problem: str) -> None:
    refused = refusal(lambda: Pair.parse(text))
    assert refused.code == Code.REFERENCE_INVALID
    assert problem in refused.detail
    assert refused.faults[0].expected


@dataclass(frozen=True)
class Candidate:
    number: VersionNumber
    digest: str = "sha256:0"
    yanked: bool = False


HISTORY = [
    Candidate(VersionNumber(1, 0, 0), DIGEST),
    Candidate(VersionNumber(1, 2, 0)),
    Candidate(VersionNumber(1, 2, 10), DIGEST),
    Candidate(VersionNumber(1, 10, 0), yanked=True),
    Candidate(VersionNumber(2, 0, 0)),
    Candidate(VersionNumber(3, 0, 0), DIGEST, yanked=True),
]


@pytest.mark.parametrize(
    ("selector", "number"),
    [
        ("", "2.0.0"),  # the newest that is not yanked
        ("@1", "1.2.10"),  # numbers, not texts
        ("@1.2", "1.2.10"),
        ("@1.10", None),
        ("@1.10.0", "1.10.0"),  # exact, though yanked
        ("@3", None),
        ("@3.0.0", "3.0.0"),
        ("@4.0.0", None),
        (f"@{DIGEST}", "1.2.10"),  # unyanked first, then the newest
        ("@sha256:" + "0" * 64, None),
    ],
)
def test_selected_version(selector: str, number: str | None) -> None:
    chosen = Reference.parse(f"a/b{selector}").selector.choose(HISTORY)
    assert (str(chosen.number) if chosen else None) == number


def test_a_digest_selects_a_yanked_version_if_no_other_has_it() -> None:
    chosen = Selector(digest=DIGEST).choose(HISTORY[-1:])
    assert chosen == HISTORY[-1]


@pytest.mark.parametrize(
    ("selector", "floats"),
    [("", True), ("@1", True), ("@1.2", True), ("@1.2.3", False), (f"@{DIGEST}", False)],
)
def test_floating_selectors(selector: str, floats: bool) -> None:
    assert Reference.parse(f"a/b{selector}").selector.is_floating == floats


def test_two_dots_suggest_the_pair_with_three() -> None:
    assert refusal(lambda: Pair.parse("a/b@1..a/b@2")).suggestions == ("a/b@1...a/b@2",)
    assert refusal(lambda: Pair.parse("a/b..nothing")).suggestions == ()
