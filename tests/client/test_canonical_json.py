"""Canonical JSON of the client, compared with the library that the registry uses."""

import math

import pytest
import rfc8785
from hypothesis import given, strategies as st

from ttag.canonical_json import canonical, digest_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
INTEGERS = st.integers(-(2**53) + 1, 2**53 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | FLOATS | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
)


@given(VALUES)
def test_bytes_are_those_of_the_registry(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)  # type: ignore[arg-type]


@given(FLOATS)
def test_every_number_is_written_as_by_the_registry(number: float) -> None:
    assert canonical(number) == rfc8785.dumps(number)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_json_cannot_express_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="is not JSON"):
        canonical(number)


def test_digest_is_a_sha256() -> None:
    empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert digest_of(b"") == empty
