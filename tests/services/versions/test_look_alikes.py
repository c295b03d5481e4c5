"""New tags whose names readers confuse with others of the namespace."""

import json
from typing import Any

import pytest

from registry.domain.names.look_alikes import look_alike_key
from registry.domain.reference import Tag
from registry.models import Name, Namespace
from registry.services.proposals import listing
from registry.services.versions import look_alikes
from registry.services.versions.checking import check
from registry.services.versions.look_alikes import MAX_NAMES, find_look_alikes
from tests.publishing import WITHOUT_LINTS, propose, publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

EXISTING = [f"acme/{name}" for name in ("jetson-nano", "rtx4090", "modem", "rtx-4080", "m1", "a10")]


@pytest.fixture
def _names(acme: Namespace) -> None:
    for number, name in enumerate(EXISTING):
        publish(name, WITHOUT_LINTS | {"model": f"model {number}"})


def names_like(*tags: str) -> list[tuple[str, ...]]:
    lints = find_look_alikes([Tag.parse(tag) for tag in tags])
    return [lint.suggestions for tag in tags for lint in lints[tag]]


@pytest.mark.usefixtures("_names")
def test_names_that_readers_confuse_are_a_lint() -> None:
    pairs = {
        "acme/jetson-nan0": "acme/jetson-nano",
        "acme/jetson_nano": "acme/jetson-nano",
        "acme/jetson/nano": "acme/jetson-nano",
        "acme/jetson:nano": "acme/jetson-nano",
        "acme/jets0nnan0": "acme/jetson-nano",
        "acme/rtx4o90": "acme/rtx4090",
        "acme/rtx-4090": "acme/rtx4090",
        "acme/rnodem": "acme/modem",
        "acme/ml": "acme/m1",
        "acme/mi": "acme/m1",
        "acme/alo": "acme/a10",
    }
    assert names_like(*pairs) == [(other,) for other in pairs.values()]


@pytest.mark.usefixtures("_names")
def test_other_names_are_no_lint() -> None:
    others = ["acme/rtx-4070", "acme/rtx4091", "acme/m2", "acme/a100", "acme/a1", "acme/nano"]
    others += ["acme/jetson-nano:cuda", "acme/jetson-nano2", "acme/jetson", "acme/m1-pro"]
    elsewhere = ["globex/jetson-nano", "globex/jetson-nan0", "globex/m1"]
    assert names_like(*others, *elsewhere, *EXISTING) == []


@pytest.mark.usefixtures("_names")
def test_the_database_computes_the_key_of_the_rule() -> None:
    rows = Name.objects.annotate(key=look_alikes._key()).values_list("text", "key")
    assert [text for text, key in rows if key != look_alike_key(text)] == []


def test_a_lint_names_at_most_five() -> None:
    for number, name in enumerate(("oo", "o0", "0o", "00", "o-o", "o_o")):
        publish(f"acme/b{name}", WITHOUT_LINTS | {"model": f"model {number}"})
    (names,) = names_like("acme/b0-0")
    assert len(names) == MAX_NAMES


@pytest.mark.usefixtures("_names")
def test_only_a_new_tag_is_warned_of() -> None:
    def codes(tag: str, **change: Any) -> list[str]:
        draft = check(Tag.parse(tag), json.dumps(WITHOUT_LINTS | change))
        return [lint.code for lint in draft.lints]

    assert codes("acme/jetson-nan0", model="new") == ["LOOKS_LIKE"]
    publish("acme/jetson-nan0", WITHOUT_LINTS | {"model": "new"})
    assert codes("acme/jetson-nan0", model="newer") == []
    assert codes("acme/jetson-nano", model="newer") == []


@pytest.mark.usefixtures("_names")
def test_a_proposal_of_a_new_tag_is_warned_of_too() -> None:
    def codes(tag: str) -> list[str]:
        proposal = propose(tag, WITHOUT_LINTS | {"model": "proposed"})
        verdict = listing.proposal_detail(proposal.pk).evaluation
        return [lint.code for lint in verdict.lints] if verdict else ["no verdict"]

    assert codes("acme/jetson-nan0") == ["LOOKS_LIKE"]
    assert codes("acme/jetson-nano2") == []
