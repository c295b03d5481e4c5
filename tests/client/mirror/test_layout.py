"""Names of files in mirrors, which the registry and the client form alike."""

import re

import pytest
from hypothesis import given, strategies as st

from tests.vectors import mirror_names
from ttag.mirror.layout import MAX_NAME, escape

names = st.text(st.characters(codec="ascii", min_codepoint=33, max_codepoint=126), min_size=1)


@pytest.mark.parametrize(("name", "escaped"), mirror_names())
def test_names_are_escaped_as_the_vectors_say(name: str, escaped: str) -> None:
    assert escape(name) == escaped


@given(names, names)
def test_different_names_have_files_that_differ_in_more_than_case(one: str, other: str) -> None:
    assert (escape(one).lower() == escape(other).lower()) == (one == other)


@given(names)
def test_every_file_system_takes_the_names(name: str) -> None:
    escaped = escape(name)
    assert re.fullmatch(r"[a-z0-9_%-][a-zA-Z0-9._%-]*", escaped)
    assert len(escaped) <= MAX_NAME
