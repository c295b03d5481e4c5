"""The command find_wanted."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from registry.services.catalogue import first_hits
from registry.services.core import shipped_facts


@pytest.fixture
def few_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search for few machines: all are searched for when the whole catalogue is loaded."""
    wanted = {"Boards": ["jetson tx2", "rtx 4090"], "Absent": ["gaudi 2"]}
    hits = {
        "Products": {"jetson tx2": ["nvidia/jetson-tx2"], "rtx 4090": ["nvidia/geforce-rtx-4090"]},
        "Chips": {"apple/m1": ["apple/m1"]},  # the basic catalogue has only its GPU
    }
    monkeypatch.setattr(shipped_facts, "wanted", lambda: wanted)
    monkeypatch.setattr(shipped_facts, "first_hits", lambda: hits)
    absent = {"Some": ["rtx 4095", "rtx 4097", "jetson tx2 3gb"]}
    monkeypatch.setattr(shipped_facts, "absent", lambda: absent)
    monkeypatch.setattr(first_hits, "NEAR_MISSES", 3)


@pytest.mark.django_db
@pytest.mark.usefixtures("few_searches")
def test_searches_are_printed_with_their_first_hits() -> None:
    output = StringIO()
    call_command("find_wanted", stdout=output)
    tables, _, rest = output.getvalue().partition("## Other first hits")
    first, _, absent = rest.partition("\n## Absent machines")
    assert "\n## Boards\n\n| search | first hit | next | hits |\n" in tables
    assert "\n| jetson tx2 | `nvidia/jetson-tx2` |  | 1 |\n" in tables
    assert "\n| gaudi 2 | none |  | 0 |\n" in tables
    assert tables.count("\n| ") == 3 + 2  # and the headings
    assert "\n2 of 3 searches have a hit.\n" in tables
    assert "| apple/m1 | apple/m1 | apple/m1-gpu" in first
    assert first.count("\n| ") == 1 + 1
    shares = "2 (66.7%) have the wanted hit first, 2 (66.7%) among the first 3."
    assert f"\nOf 3 searches, {shares}\n" in first
    assert "\n| Some | 3 | 2 | 1 | 0 |\n" in absent
    assert absent.endswith("\nOf 6 searches for absent machines, 0 are answered.\n")


@pytest.mark.django_db
def test_a_false_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped_facts, "wanted", dict)
    monkeypatch.setattr(shipped_facts, "first_hits", lambda: {"Some": {"rtx 4090": ["nvidia/*"]}})
    monkeypatch.setattr(shipped_facts, "absent", lambda: {"Some": ["rtx 4090"]})
    monkeypatch.setattr(first_hits, "NEAR_MISSES", 0)
    with pytest.raises(CommandError, match="rtx 4090: nvidia/geforce-rtx-4090"):
        call_command("find_wanted", stdout=StringIO())


def test_no_search_is_listed_twice() -> None:
    wanted = [text for texts in shipped_facts.wanted().values() for text in texts]
    first = [text for texts in shipped_facts.first_hits().values() for text in texts]
    assert len(first) >= 200
    assert not {text.lower() for text in wanted} & {text.lower() for text in first}
    assert len(set(wanted)) == len(wanted)
