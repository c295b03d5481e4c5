"""Every body can be entered in the form, and is returned unchanged."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain import body_form
from registry.domain.body_form import Start
from registry.domain.body_form.values import is_identical
from registry.domain.document import canonical, parse_json
from registry.domain.errors import Fault, Refused
from tests.domain.builders import KINDS
from tests.domain.shipped import library, sample
from tests.domain.strategies import OPTIONS, bodies, documents, patches, targets
from tests.examples.stated import FOLDER

KIND_OF = {"aws": "llvm", "arm": "c", "nvidia": "cuda", "example": "composite"}
WORDS = sorted(KINDS.targets)
NAMES = sorted({name for options in OPTIONS.values() for name in options})
EDITS = ("$append", "$remove")
PLACES = ["host", "devices", "executor", "runtime", "flow", "hardware", "tag", "$append"]


def kind_of(reference: str) -> str:
    return KIND_OF.get(reference.partition("/")[0], "")


def round_trip(body: dict[str, Any], start: Start) -> dict[str, str]:
    """Check the round trip of a body; return its texts."""
    texts = body_form.body_to_texts(body, start)
    again = body_form.texts_to_body(texts, start)
    assert is_identical(again, body)
    assert body_form.body_to_texts(again, start) == texts
    assert all(texts.values())
    return texts


def start_of(body: Any) -> Start:
    return body_form.start_of(KINDS, body, kind_of)


def refused(texts: dict[str, str], start: Start) -> tuple[Fault, ...]:
    try:
        body_form.texts_to_body(texts, start)
    except Refused as refusal:
        return refusal.faults
    return ()


def shipped_kind_of(reference: str) -> str:
    target = library().versions[reference.partition("@")[0]][-1].resolution.target
    assert isinstance(target, dict)
    return str(target.get("kind", ""))


def holds_only_edits(value: Any) -> bool:
    """Return whether a value holds nothing but nulls, edits of lists, and hosts that inherit."""
    if not isinstance(value, dict):
        return value is None
    return all(name in EDITS or holds_only_edits(item) for name, item in value.items())


def test_every_catalogue_body_round_trips() -> None:
    catalogue_bodies = [version.source for tag in sample() for version in library().versions[tag]]
    assert len(catalogue_bodies) > 300
    for body in catalogue_bodies:
        assert isinstance(body, dict)
        texts = round_trip(body, body_form.start_of(KINDS, body, shipped_kind_of))
        assert holds_only_edits(json.loads(texts.get("", "{}")))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_resolved_examples_round_trip(path: Any) -> None:
    target = json.loads(path.read_text())["target"]
    round_trip(target, start_of(target))


@given(targets)
def test_generated_targets_round_trip(body: dict[str, Any]) -> None:
    round_trip(body, start_of(body))


@given(bodies(target_names=["nvidia/a@1", "lib/b:c"], mixins=["micro/aot"]))
def test_generated_bodies_round_trip(body: dict[str, Any]) -> None:
    round_trip(body, start_of(body))


@given(patches())
def test_generated_mixins_round_trip(body: dict[str, Any]) -> None:
    round_trip(body, start_of(body))


components = st.dictionaries(
    st.sampled_from(["kind", "tag", "unpacked-api", "system-lib", "mcpu", "host"]),
    st.one_of(st.sampled_from(["aot", "vm", "llvm", "lib/x@1", " "]), documents),
    max_size=3,
)
labelled = st.dictionaries(
    st.sampled_from(["cpu", "gpu0", "", " ", "0", "kind", "$remove"]),
    st.one_of(st.just("arm/soc@1"), components, documents),
    max_size=3,
)
anything = st.dictionaries(
    st.one_of(st.sampled_from([*NAMES, *PLACES]), st.text("a/~# \n", max_size=3)),
    st.one_of(documents, components, labelled, st.lists(components, max_size=3)),
    max_size=5,
)


@given(anything.filter(lambda body: "kind" not in body), st.sampled_from(WORDS))
def test_values_that_no_kind_allows_are_kept(body: dict[str, Any], word: str) -> None:
    round_trip({**body, "kind": word}, body_form.start_of_kind(KINDS, word))
    round_trip(body, body_form.start_of_parents(KINDS, word))
    round_trip(body, body_form.start_of_mixin(KINDS, word))


@given(targets)
def test_numbers_keep_their_exact_spelling(body: dict[str, Any]) -> None:
    again = body_form.texts_to_body(body_form.body_to_texts(body, start_of(body)), start_of(body))
    assert canonical(again) == canonical(body)
    assert parse_json(json.dumps(again)) == body


@given(st.sampled_from(WORDS), st.data())
def test_any_text_is_parsed_or_rejected_at_its_field(word: str, data: st.DataObject) -> None:
    start = body_form.start_of_kind(KINDS, word)
    texts = data.draw(
        st.dictionaries(
            st.sampled_from(sorted(start.fields)), st.text('ab1.,+-{}[]":/ \r\n\t\0e', max_size=9)
        )
    )
    error = refused(texts, start)
    assert {fault.pointer for fault in error} <= set(start.fields)
    if not error:
        round_trip(body_form.texts_to_body(texts, start), start)
