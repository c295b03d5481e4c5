"""Versions that are compared."""

import pytest

from ttag_rules.compatibility.versions import version_key


def test_versions_compare_as_numbers() -> None:
    assert version_key("14.0") == version_key("14") < version_key("14.2") < version_key("14.10")
    assert max(["2.5", "2.17", "2.2.5"], key=version_key) == "2.17"


@pytest.mark.parametrize("text", ["", "rc", "2.\u00b2", "2." + "9" * 5000])
def test_what_is_no_number_does_not_count(text: str) -> None:
    assert version_key(text) in ((), (2,))
