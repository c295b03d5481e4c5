"""The command find_wanted."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from registry.services.catalogue import first_hits
from registry.services.core import shipped_facts


@pytest.mark.django_db
def test_searches_are_printed_with_their_first_hits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_hits, "NEAR_MISSES", 60)  # all of them with the whole catalogue
    output = StringIO()
    call_command("find_wanted", stdout=output)
    tables, _, rest = output.getvalue().partition("## Other first hits")
    first, _, absent = rest.partition("\n## Absent machines")
    assert "| jetson tx2 | `nvidia/jetson-tx2` |" in tables
    assert re.search(r"\n\| [^|]+ \| none \|  \| 0 \|", tables)
    searches = sum(map(len, shipped_facts.wanted().values()))
    assert tables.count("\n| ") == searches + len(shipped_facts.wanted())  # and the headings
    assert f" of {searches} searches have a hit.\n" in tables
    assert "| apple/m1 | apple/m1 | apple/m1-gpu" in first  # the basic catalogue has no CPU
    total = sum(map(len, shipped_facts.first_hits().values()))
    assert re.search(rf"\nOf {total} searches, [1-9]\d* .* among the first 3\.\n", first)

    assert re.search(r"\nOf \d{3} searches for absent machines, 0 are answered\.\n$", absent)


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
