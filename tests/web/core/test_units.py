"""Formatting of numbers, times and JSON on pages."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from registry.web.core.json_blocks import MAX_LENGTH, format_json, highlight
from registry.web.core.template_filters import ago, breakable
from registry.web.core.units import humanize, label


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (49152, "bytes", "48 KiB"),
        (4294967296, "bytes", "4 GiB"),
        (1000, "bytes", "1,000 B"),
        (1536, "bytes", "1.5 KiB"),
        (25_600_000_000, "bytes/s", "25.6 GB/s"),
        (1_430_000_000, "Hz", "1.43 GHz"),
        (472e9, "operations/s", "472 Gop/s"),
        (1024, "threads", "1,024 threads"),
        (1, "cores", "1 core"),
        (10, "W", "10 W"),
        (7, "", ""),
        ("fast", "bytes", ""),
        (True, "bytes", ""),
        ([4294967296, 8589934592], "bytes", "4 GiB, 8 GiB"),
        ([4294967296, "8 GiB"], "bytes", ""),
        ([1, 2], "", ""),
        ([], "bytes", ""),
    ],
)
def test_numbers_are_formatted_with_their_units(value: Any, unit: str, text: str) -> None:
    assert humanize(value, unit) == text


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("memory_bytes", "Memory"),
        ("memory_bandwidth_bytes_per_s", "Memory bandwidth"),
        ("l2_cache_bytes", "L2 cache"),
        ("power_watts", "Power"),
        ("memory_bus_bits", "Memory bus"),
        ("max_shared_memory_per_block_optin", "Max shared memory per block, opt-in"),
        ("gpu", "GPU"),
        ("vendor", "Vendor"),
    ],
)
def test_labels_of_facts_have_no_units(key: str, text: str) -> None:
    assert label(key) == text


def test_age_is_given_in_one_unit() -> None:
    now = timezone.now()
    assert ago(now) == "just now"
    assert ago(now - timedelta(days=16)) == "2\xa0weeks ago"


def test_json_lists_of_scalars_stay_on_one_line() -> None:
    value: Any = {"keys": ["a", "b"], "devices": [{"kind": "c"}], "host": {}, "é": None}
    assert format_json(value) == (
        '{\n  "keys": ["a", "b"],\n  "devices": [\n    {\n      "kind": "c"\n    }\n  ],\n'
        '  "host": {},\n  "é": null\n}'
    )


def test_long_json_is_truncated_at_a_line() -> None:
    code = highlight("\n".join(["123456"] * MAX_LENGTH))
    assert code.is_truncated
    assert code.length == 7 * MAX_LENGTH - 1
    assert code.shown_length == MAX_LENGTH // 7 * 7 - 1
    assert not highlight("[1]").is_truncated


def test_long_json_without_line_breaks_is_truncated() -> None:
    assert len(highlight("1" * 2 * MAX_LENGTH).html) < 2 * MAX_LENGTH


def test_highlighted_text_is_escaped() -> None:
    assert "<b>" not in highlight('{"a": "<b>"} <b>').html


@pytest.mark.parametrize(
    ("name", "html"),
    [
        ("nvidia/geforce-rtx:cuda", "nvidia/<wbr>geforce-<wbr>rtx:<wbr>cuda"),
        ("max_num_threads", "max_<wbr>num_<wbr>threads"),
        ("mcpu", "mcpu"),
        ("<b>/x", "&lt;b&gt;/<wbr>x"),
        ("", ""),
    ],
)
def test_names_break_behind_their_marks(name: str, html: str) -> None:
    assert breakable(name) == html
