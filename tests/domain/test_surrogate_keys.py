"""The keys of answers and of changes: what is forgotten, and what is not."""

import pytest

from registry.domain.surrogate_keys import (
    ANY_TAG,
    EVERYTHING,
    MAX_LENGTH,
    keys_of_answer,
    keys_of_change,
)
from ttag_rules.names import tag_problem

LONG = [f"acme/{number:0100}" for number in range(20)]


@pytest.mark.parametrize("tags", [["acme/board"], ["acme/board", "acme/base"], None, LONG])
@pytest.mark.parametrize("changed", [["acme/board"], ["acme/base", "acme/x"], ["acme/x"], None])
def test_change_forgets_the_answers_of_its_tags_and_no_others(
    tags: list[str] | None, changed: list[str] | None
) -> None:
    is_forgotten = not {*keys_of_answer(tags)}.isdisjoint(keys_of_change(changed))
    if tags is None or tags is LONG or changed is None:
        assert is_forgotten
    else:
        assert is_forgotten is not {*tags}.isdisjoint(changed)


def test_keys_fit_into_a_header() -> None:
    assert len(" ".join(keys_of_answer(LONG[:9]))) <= MAX_LENGTH + len(EVERYTHING)
    assert keys_of_answer(LONG[:9])[1:] == LONG[:9]
    assert keys_of_answer(LONG) == [EVERYTHING, ANY_TAG]


@pytest.mark.parametrize("key", [EVERYTHING, ANY_TAG])
def test_no_tag_has_a_key_of_several_as_its_name(key: str) -> None:
    assert tag_problem(key)
