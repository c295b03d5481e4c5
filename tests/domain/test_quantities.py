"""Numbers with units."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from registry.domain.quantities import (
    BINARY,
    DECIMAL,
    EXAMPLES,
    SYMBOLS,
    QuantityInvalid,
    parse_quantity,
)

WHOLE = st.integers(0, 10**9)


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        ("4 GiB", "bytes", 4 << 30),
        ("1.5GiB", "bytes", 3 << 29),
        ("48 KiB", "bytes", 49152),
        ("48 kB", "bytes", 48000),
        ("16 GB", "bytes", 16 * 10**9),
        ("512 B", "bytes", 512),
        ("512 bytes", "bytes", 512),
        ("51.2 GB/s", "bytes/s", 51_200_000_000),
        ("1.5 GHz", "Hz", 1_500_000_000),
        ("32768 Hz", "Hz", 32768),
        ("26 TOPS", "operations/s", 26 * 10**12),
        ("82.6 TFLOPS", "operations/s", 82_600_000_000_000),
        ("82.6 Top/s", "operations/s", 82_600_000_000_000),
        ("750 mW", "W", Fraction(3, 4)),
        ("1.2 kW", "W", 1200),
        ("8 cores", "cores", 8),
        ("1 core", "cores", 1),
        ("7 nm", "nm", 7),
        (" 4\tGiB ", "bytes", 4 << 30),
    ],
)
def test_numbers_with_units_are_read(text: str, unit: str, number: int) -> None:
    assert parse_quantity(text, unit) == number


@pytest.mark.parametrize(
    ("text", "unit", "readings"),
    [
        ("48 KB", "bytes", ("48 kB", "48 KiB")),
        ("4 G", "bytes", ("4 GB", "4 GiB")),
        ("4 gb", "bytes", ("4 GB", "4 GiB")),
        ("4 gib", "bytes", ("4 GiB",)),
        ("1.5 ghz", "Hz", ("1.5 GHz",)),
        ("500 mw", "W", ("500 MW", "500 mW")),
        ("4 GiB", "Hz", ()),
        ("4 Gbit", "bytes", ()),
        ("8 GiB", "threads", ()),
    ],
)
def test_ambiguous_and_unknown_units_are_refused_with_their_readings(
    text: str, unit: str, readings: tuple[str, ...]
) -> None:
    with pytest.raises(QuantityInvalid) as caught:
        parse_quantity(text, unit)
    assert caught.value.readings == readings
    for reading in readings:
        assert parse_quantity(reading, unit)


@pytest.mark.parametrize(
    "text", ["", "4", "GiB", "1,5 GiB", "1,024 KiB", "-4 GiB", "1e3 MB", ".5 GB", "9" * 99 + " B"]
)
def test_other_texts_are_no_quantities(text: str) -> None:
    assert parse_quantity(text, "bytes") is None


def test_numbers_without_a_unit_in_the_schema_are_no_quantities() -> None:
    assert parse_quantity("4 GiB", "") is None


def test_examples_are_read() -> None:
    assert EXAMPLES.keys() == SYMBOLS.keys()
    for unit, example in EXAMPLES.items():
        assert parse_quantity(example, unit)


@given(WHOLE, st.sampled_from(list(enumerate(BINARY))))
def test_binary_prefixes_are_powers_of_1024(number: int, prefix: tuple[int, str]) -> None:
    power, name = prefix
    assert parse_quantity(f"{number} {name}B", "bytes") == number * 1024**power


@given(WHOLE, st.sampled_from(list(enumerate(DECIMAL))), st.sampled_from(sorted(SYMBOLS)))
def test_decimal_prefixes_are_powers_of_1000(
    number: int, prefix: tuple[int, str], unit: str
) -> None:
    power, name = prefix
    assert parse_quantity(f"{number} {name}{SYMBOLS[unit][0]}", unit) == number * 1000**power
