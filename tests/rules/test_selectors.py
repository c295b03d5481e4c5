"""The test vectors of version selection, which other clients can use too."""

from dataclasses import dataclass

import pytest
from hypothesis import given, strategies as st

from tests.vectors import SelectionCase, selection_cases
from ttag_rules.selectors import NEWEST, Selector
from ttag_rules.version_number import VersionNumber


@dataclass(frozen=True)
class Candidate:
    number: VersionNumber
    digest: str
    yanked: bool


@pytest.mark.parametrize("case", selection_cases(), ids=str)
def test_versions_are_chosen_as_the_vectors_say(case: SelectionCase) -> None:
    versions = [
        Candidate(VersionNumber.parse(version["number"]), version["digest"], version["yanked"])
        for version in case.versions
    ]
    for text, number in case.choices.items():
        selector = Selector.read(case.alias or text) or NEWEST
        chosen = selector.choose(versions)
        assert (str(chosen.number) if chosen else None) == number


@given(st.text("0123456789.abcdefsh:", max_size=80))
def test_text_of_a_selector_is_the_text_that_was_read(text: str) -> None:
    selector = Selector.read(text)
    assert selector is None or str(selector) == text
