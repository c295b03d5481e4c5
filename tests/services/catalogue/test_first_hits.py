"""Searches are measured by the hits that people want first."""

import pytest

from registry.models import Entry
from registry.services.catalogue import first_hits
from registry.services.core import shipped_facts
from tests.profiles import is_thorough

pytestmark = pytest.mark.django_db


@pytest.fixture
def orin() -> Entry:
    return Entry.objects.get(text="nvidia/jetson-orin-nano")


@pytest.mark.parametrize(
    "pattern",
    ["nvidia/jetson-orin-nano", "nvidia/jetson-*", "vendor=NVIDIA", "kind=cuda", "arch=sm_8?"],
)
def test_a_tag_is_wanted_by_its_name_or_its_values(orin: Entry, pattern: str) -> None:
    assert first_hits.is_wanted(orin, ["acme/other", pattern])


@pytest.mark.parametrize(
    "pattern", ["nvidia/jetson", "nvidia/Jetson-*", "vendor=nvidia", "arch=sm_90", "colour=*"]
)
def test_a_tag_without_them_is_not_wanted(orin: Entry, pattern: str) -> None:
    assert not first_hits.is_wanted(orin, [pattern])


def test_each_search_has_the_place_of_the_first_wanted_hit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searches = {
        "rtx 4090": ["nvidia/geforce-rtx-4090"],
        "jetson nano": ["nvidia/jetson-nano:cuda"],
        "jetson tx1": ["nvidia/jetson-tx2"],
    }
    monkeypatch.setattr(shipped_facts, "first_hits", lambda: {"Products": searches})
    first, second, without = first_hits.measure()
    assert (first.place, first.is_first, first.is_among_first) == (0, True, True)
    assert (second.place, second.is_first, second.is_among_first) == (1, False, True)
    assert second.hits[:2] == ("nvidia/jetson-nano", "nvidia/jetson-nano:cuda")
    assert (without.place, without.is_first, without.is_among_first) == (None, False, False)


def test_absent_machines_have_no_answer_but_with_reserve(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = {"Absent": ["rtx 4095", "rtx 40", "rtx 4090", "jetson tx2 3gb"]}
    monkeypatch.setattr(shipped_facts, "absent", lambda: searches)
    groups = first_hits.measure_absent(generated=0)
    nothing, group, wrong, marked = groups["Absent"]
    assert (nothing.hit, nothing.is_false) == ("", False)
    assert (group.reserve, group.is_false) == ("rtx 40", False)
    assert (wrong.hit, wrong.is_false) == ("nvidia/geforce-rtx-4090", True)
    assert (marked.reserve, marked.is_false) == ("3gb", False)


def test_no_search_for_an_absent_machine_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every tenth, or all with --thorough; where all tags are loaded, all are searched for."""
    absent = shipped_facts.absent()
    assert sum(map(len, absent.values())) >= 400
    if not is_thorough():
        some = {group: texts[::10] for group, texts in absent.items()}
        monkeypatch.setattr(shipped_facts, "absent", lambda: some)
    answers = [a for group in first_hits.measure_absent(20).values() for a in group]
    assert len(answers) >= 60
    assert [(answer.text, answer.hit) for answer in answers if answer.is_false] == []
