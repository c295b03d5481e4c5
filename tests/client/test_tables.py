"""Tables that fit a terminal, and quantities in them."""

from typing import Any

import pytest

from ttag.cli.tables import display_width, shortened, table
from ttag.units import facts_with_units, quantity


def test_columns_are_aligned() -> None:
    assert table([("a", "b"), ("ccc", "")], None) == ["a    b", "ccc"]


def test_wide_characters_take_two_columns() -> None:
    assert table([("日本", "x"), ("abcde", "y")], None) == ["日本   x", "abcde  y"]
    assert display_width("e\u0301") == 1


@pytest.mark.parametrize("width", range(20, 40))
def test_last_column_is_cut_to_the_width(width: int) -> None:
    lines = table([("name", "日本 and a long description"), ("n", "short")], width)
    assert max(map(display_width, lines)) <= width


def test_cut_text_ends_with_an_ellipsis() -> None:
    assert shortened("description", 6) == "descr…"
    assert shortened("short", 5) == "short"


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("memory_bytes", 4 * 2**30, "4 GiB"),
        ("l2_cache_bytes", 1023, "1023 B"),
        ("memory_bandwidth_bytes_per_s", 25.6e9, "25.6 GB/s"),
        ("base_clock_hz", 1_479_000_000, "1.479 GHz"),
        ("power_watts", 7.5, "7.5 W"),
        ("process_nm", 16, "16 nm"),
        ("cores", 1024, "1,024"),
        ("vendor", "NVIDIA", "NVIDIA"),
    ],
)
def test_facts_have_the_unit_of_their_name(name: str, value: Any, expected: str) -> None:
    assert quantity(name, value) == expected


def test_rates_stand_in_one_line_and_sources_are_left_out() -> None:
    facts = {"peak_ops_per_s": {"fp16": 472e9, "fp32": 236e9}, "sources": {"all": []}}
    assert list(facts_with_units(facts)) == [("peak ops", "fp16 472 Gop/s, fp32 236 Gop/s")]
