"""The registry lays out mirrors as the client does."""

from itertools import starmap
from types import ModuleType

import pytest
from hypothesis import given, strategies as st

import ttag.mirror.layout
from registry.domain import mirror_layout
from tests.vectors import mirror_names

names = st.text(st.characters(codec="ascii", min_codepoint=33, max_codepoint=126))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.parametrize(("name", "escaped"), mirror_names())
def test_names_are_escaped_as_the_vectors_say(name: str, escaped: str) -> None:
    assert mirror_layout.escape(name) == escaped


@given(names, names)
def test_paths_are_those_of_the_client(name: str, form: str) -> None:
    def paths(layout: ModuleType) -> list[str]:
        calls = [
            (layout.index_path, (name,)),
            (layout.digest_path, (f"sha256:{form}",)),
            (layout.format_path, (form, name)),
        ]
        return list(starmap(lambda call, arguments: call(*arguments), calls))

    assert paths(mirror_layout) == paths(ttag.mirror.layout)


@given(st.dictionaries(st.text(), json_values))
def test_json_is_written_as_by_the_client(document: dict[str, object]) -> None:
    try:
        ours = mirror_layout.as_bytes(document)  # type: ignore[arg-type]
    except UnicodeEncodeError:  # a lone surrogate, which the registry accepts nowhere
        return
    assert ours == ttag.mirror.layout.as_bytes(document)


def test_constants_are_those_of_the_client() -> None:
    for name in ("VERSION", "OVERVIEW", "CHECKSUMS", "FOLDERS"):
        assert getattr(mirror_layout, name) == getattr(ttag.mirror.layout, name)
