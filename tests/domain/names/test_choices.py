from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from registry.domain.errors import Code
from registry.domain.names.choices import InvalidChoice, check_choice

STATES = ("undecided", "open", "accepted", "all")


def invalid(text: str, choices: Sequence[str] = STATES) -> InvalidChoice:
    with pytest.raises(InvalidChoice) as refused:
        check_choice("state", text, choices)
    return refused.value


@pytest.mark.parametrize("state", STATES)
def test_a_choice_is_accepted(state: str) -> None:
    check_choice("state", state, STATES)


@pytest.mark.parametrize(
    ("text", "near"), [("opne", ("open",)), ("OPEN", ("open",)), ("al", ("all",)), ("", ())]
)
def test_choices_that_resemble_the_value_are_suggested(text: str, near: tuple[str, ...]) -> None:
    assert invalid(text).suggestions == invalid(text).faults[0].suggestions == near


def test_the_nearest_choice_is_named_first() -> None:
    assert invalid("accepte").detail == (
        "state=accepte is not valid: expected one of accepted, undecided, open, all."
    )


def test_a_single_choice_is_named_alone() -> None:
    assert invalid("al", ["all"]).detail == "state=al is not valid: expected all."


def test_some_of_many_choices_are_examples_of_their_role() -> None:
    vendors = [f"Vendor {number}" for number in range(99)]
    error = InvalidChoice(
        "vendor", "Vendr 98", vendors, code=Code.FILTER_INVALID, role="the vendor of a tag"
    )
    assert error.detail == (
        "vendor=Vendr 98 is not valid: expected the vendor of a tag, such as "
        "Vendor 98, Vendor 9, Vendor 8, Vendor 0, Vendor 1."
    )
    error = InvalidChoice("vendor", "x", [], code=Code.FILTER_INVALID, role="the vendor of a tag")
    assert error.detail == "vendor=x is not valid: expected the vendor of a tag."


def test_the_caller_chooses_the_code() -> None:
    with pytest.raises(InvalidChoice) as refused:
        check_choice("strict", "yes", ["0", "1"], code=Code.REQUEST_INVALID)
    assert refused.value.code == refused.value.faults[0].code == Code.REQUEST_INVALID


@given(st.text(), st.lists(st.text(max_size=8), min_size=1, max_size=8, unique=True))
def test_every_choice_is_listed_once(text: str, choices: list[str]) -> None:
    if text not in choices:
        assert sorted(invalid(text, choices).choices) == sorted(choices)
