"""Names that readers confuse."""

import re

import pytest
from django.conf import settings
from hypothesis import given, strategies as st

from registry.domain.names.look_alikes import look_alike_key, look_alikes
from ttag_rules.names import COMPONENT

NAMES = st.from_regex(COMPONENT, fullmatch=True)


@given(NAMES)
def test_a_name_looks_like_itself_in_any_case_and_punctuation(name: str) -> None:
    assert look_alike_key(name) == look_alike_key(name.upper().replace("-", "_"))
    assert name in look_alikes(name, [name, "another"])


def test_no_two_names_of_the_catalogue_look_alike_but_these() -> None:
    """Eleven thousand real names are the measure of false alarms."""
    lock = (settings.BASE_DIR / "registry/catalogue/lock.json").read_text(encoding="utf-8")
    names = set(re.findall(r'^\["([^"]+)", "[0-9.]+", "sha256:', lock, re.MULTILINE))
    assert len(names) > 11_000
    by_key: dict[tuple[str, str], list[str]] = {}
    for name in sorted(names):
        by_key.setdefault((name.partition("/")[0], look_alike_key(name)), []).append(name)
    # Two sizes of machines of which one has network: `xlarge` and `large` begin elsewhere.
    assert [alike for alike in by_key.values() if len(alike) > 1] == [
        ["alibaba/ecs.g7ne.xlarge", "alibaba/ecs.g7nex.large"]
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [("m1", "m2"), ("a10", "a100"), ("rtx-4080", "rtx-4090"), ("h100", "h200"), ("l4", "l40")],
)
def test_other_numbers_are_other_names(one: str, other: str) -> None:
    assert look_alike_key(one) != look_alike_key(other)
