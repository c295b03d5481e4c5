"""Marks of vendors: initials on a colour that is readable in both themes."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from hypothesis import given, strategies as st

from registry.web.search.vendor_marks import COLOURS, VendorMark

WHITE = 1.0  # relative luminance of the initials
MIN_CONTRAST = 4.5  # of WCAG 2.2 AA


@pytest.mark.parametrize(
    ("vendor", "initials"),
    [
        ("NVIDIA", "Nv"),
        ("AMD", "AMD"),
        ("ST", "ST"),
        ("Texas Instruments", "TI"),
        ("Microsoft Azure", "MA"),
        ("96Boards", "96"),
        ("arm", "Ar"),
        ("STMicro-electronics", "SE"),
        ("!", "?"),
    ],
)
def test_initials_abbreviate_the_name(vendor: str, initials: str) -> None:
    assert VendorMark.of(vendor).initials == initials


@given(st.text())
def test_every_name_has_one_mark(vendor: str) -> None:
    mark = VendorMark.of(vendor)
    assert mark == VendorMark.of(vendor)
    assert mark.initials
    assert 0 <= mark.colour < COLOURS


def test_each_colour_contrasts_with_the_initials() -> None:
    styles = Path(str(finders.find("registry/css/introduction.css"))).read_text()
    colours = dict(re.findall(r"\.mark-(\d) \{\s*background: (#[0-9a-f]{6});", styles))
    assert sorted(map(int, colours)) == list(range(COLOURS))
    for colour in colours.values():
        assert (WHITE + 0.05) / (luminance(colour) + 0.05) >= MIN_CONTRAST, colour


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb`, as WCAG defines it."""
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
