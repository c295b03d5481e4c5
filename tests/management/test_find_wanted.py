"""The command find_wanted."""

from io import StringIO

import pytest
from django.core.management import call_command

from registry.services.core import shipped_facts


@pytest.mark.django_db
def test_searches_are_printed_with_their_first_hits() -> None:
    output = StringIO()
    call_command("find_wanted", stdout=output)
    text = output.getvalue()
    assert "| jetson nano | `nvidia/jetson-nano` | `nvidia/jetson-nano:cuda`" in text
    assert "| gaudi 2 | none |  | 0 |" in text
    searches = sum(map(len, shipped_facts.wanted().values()))
    assert text.count("\n| ") == searches + len(shipped_facts.wanted())  # and the headings
    assert text.endswith(f" of {searches} searches have a hit.\n")
