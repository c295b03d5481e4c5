"""Words that pages show for the actions of events."""

import pytest

from registry.services.events import audit
from registry.services.events.event_verbs import VERBS, verb

pytestmark = pytest.mark.any_database


def test_every_action_has_words_and_there_are_no_others() -> None:
    assert VERBS.keys() == {*audit.ACTIONS}


def test_words_are_no_stored_names_and_differ() -> None:
    assert all("_" not in words and "." not in words for words in VERBS.values())
    assert len({*VERBS.values()}) == len(VERBS)


def test_unknown_action_is_shown_as_it_is_stored() -> None:
    assert verb("namespace.made") == "created the namespace"
    assert verb("moon.landed") == "moon.landed"
