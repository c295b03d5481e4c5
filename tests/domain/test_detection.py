"""Which importer a text looks like."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.detection import ALSO_READ, DESCRIPTIONS, detect_importer, read_source
from registry.domain.errors import Refused
from registry.domain.importers import IMPORTERS
from tests.domain.builders import KINDS, refusal
from tests.domain.importers import test_clang, test_iree
from tests.domain.importers.test_corpus import ENTRIES, Entry, params

NEITHER = [
    "",
    "hello",
    "make -j8",
    "docker run --platform linux/arm64 x",
    "rm -rf build",
    "cmsisnn,c",
]


@pytest.mark.parametrize("entry", params(entry for entry in ENTRIES if entry.body is not None))
def test_descriptions_are_read_by_the_importer_that_is_detected(entry: Entry) -> None:
    source = entry.fields["source"]
    name = detect_importer(source, KINDS)
    detected = IMPORTERS[name].read(source, KINDS)
    assert detected.body == IMPORTERS[entry.fields["format"]].read(source, KINDS).body


@pytest.mark.parametrize(
    ("text", "name"),
    [
        *((text, "clang") for text, _ in test_clang.READ),
        *((text, "iree") for text, _ in test_iree.READ),
        *((text, "") for text in NEITHER),
    ],
)
def test_texts_say_what_they_are(text: str, name: str) -> None:
    assert detect_importer(text, KINDS) == name


@pytest.mark.parametrize("text", NEITHER)
def test_a_text_that_looks_like_nothing_gets_no_hint(text: str) -> None:
    refused = refusal(lambda: read_source(IMPORTERS["clang"], text, KINDS))
    assert "looks like" not in refused.detail


def test_the_hint_is_added_to_what_was_expected() -> None:
    refused = refusal(lambda: read_source(IMPORTERS["clang"], "llvm -mcpu=haswell", KINDS))
    expected = [fault.expected for fault in refused.faults]
    other = ", or the format tvm-string: this looks like a command line of TVM"
    assert expected[0].startswith("flags such as --target=")
    assert all(each.endswith(other) for each in expected)


def test_a_command_line_given_as_a_target_of_tvm_gets_no_hint() -> None:
    refused = refusal(lambda: read_source(IMPORTERS["tvm"], "llvm -mcpuu=x", KINDS))
    assert [fault.expected for fault in refused.faults] == ["a known option"]


def test_every_importer_is_described() -> None:
    assert DESCRIPTIONS.keys() == IMPORTERS.keys()


@given(st.text() | st.dictionaries(st.text(), st.none()) | st.lists(st.text()) | st.none())
def test_any_source_is_read_or_rejected_with_the_name_of_an_importer(source: Any) -> None:
    name = detect_importer(source, KINDS)
    assert name in (*IMPORTERS, "")
    for importer in IMPORTERS.values():
        detail = ""
        try:
            read_source(importer, source, KINDS)
        except Refused as refused:
            detail = refused.detail
        own = {"", importer.name, *ALSO_READ.get(importer.name, ())}
        assert not detail or ("looks like" in detail) == (name not in own)
