"""Names under which closed accounts are credited."""

import pytest
from hypothesis import given, strategies as st

from registry.domain.names.credits import PUNCTUATION, credit_problem, fold_credit


@pytest.mark.parametrize("text", ["Zoë", "zoe", "Z.O.E.", "zo-e", "Zoe\u0308"])
def test_case_marks_and_punctuation_fold(text: str) -> None:
    assert fold_credit(text) == "zoe"


@pytest.mark.parametrize(
    ("text", "folded"), [("Straße", "strasse"), ("Ærø", "aero"), ("Łódź", "lodz"), ("Þór", "thor")]
)
def test_special_letters_fold_to_plain_ones(text: str, folded: str) -> None:
    assert fold_credit(text) == folded


@pytest.mark.parametrize("text", ["Ann Lee", "D'Arcy & Co. (2)", "Łukasz, Ærø", "e\u0301"])
def test_latin_names_are_allowed(text: str) -> None:
    assert credit_problem(text) == ""


@pytest.mark.parametrize(
    "text",
    ["\u0410nn", "\uff41nn", "\ufb01n", "ann@lee", "\u0251nn", "ann\u200dlee", "a/b"],
)
def test_other_characters_are_not(text: str) -> None:
    assert "is not allowed here" in credit_problem(text)


def test_a_letter_is_required() -> None:
    assert credit_problem("1-2") == "a letter is required"


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold_credit(fold_credit(text)) == fold_credit(text)


@given(
    st.text(alphabet=st.characters(codec="ascii", categories=("L", "N"))),
    st.sampled_from(PUNCTUATION),
)
def test_punctuation_never_tells_names_apart(text: str, mark: str) -> None:
    assert fold_credit(mark.join(text)) == fold_credit(text)


@given(st.text(min_size=1))
def test_an_allowed_name_folds_to_something(text: str) -> None:
    assert credit_problem(text) or fold_credit(text)
