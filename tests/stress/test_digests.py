import hashlib

import pytest
import rfc8785
from hypothesis import given, strategies as st

from tests.stress.digests import digest_of

INTEGERS = st.integers(-(2**53) + 1, 2**53 - 1)
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | st.text(st.characters(exclude_categories=["Cs"])),
    lambda values: (
        st.lists(values) | st.dictionaries(st.text(st.characters(max_codepoint=0x7F)), values)
    ),
)


@given(VALUES)
def test_the_digest_covers_canonical_json(value: object) -> None:
    expected = hashlib.sha256(rfc8785.dumps(value)).hexdigest()  # type: ignore[arg-type] # JSON
    assert digest_of(value) == f"sha256:{expected}"


def test_floats_are_refused() -> None:
    with pytest.raises(ValueError, match=r"4\.0 is a float"):
        digest_of({"devices": [{"cores": 4.0}]})
