"""References as the client reads them: exactly those that the registry reads."""

import json

import pytest
from hypothesis import example, given, strategies as st

from registry.domain import reference as registry_references
from registry.domain.errors import Refused
from tests.domain.strategies import references
from tests.vectors import (
    AcceptedReference,
    RefusedReference,
    accepted_references,
    refused_references,
)
from ttag import Mirror, ReferenceInvalid, Registry
from ttag.errors import errors_in
from ttag.mirror.documents import Overview
from ttag.mirror.layout import OVERVIEW
from ttag.mirror.storage import Storage
from ttag.references import Reference
from ttag_rules.selectors import NEWEST, Selector

DIGEST = "sha256:" + "0" * 64


@pytest.mark.parametrize("case", accepted_references(), ids=str)
def test_what_the_registry_reads_the_client_reads(case: AcceptedReference) -> None:
    reference = Reference.parse(case.reference)
    assert (reference.name, reference.selector) == (
        case.name,
        Selector.read(case.selector) or NEWEST,
    )
    assert str(reference) == case.reference


@pytest.mark.parametrize("case", refused_references(), ids=str)
def test_what_the_registry_refuses_the_client_refuses(case: RefusedReference) -> None:
    with pytest.raises(ReferenceInvalid, match="expected"):
        Reference.parse(case.reference)


def is_read_by_registry(text: str) -> bool:
    try:
        return str(registry_references.Reference.parse(text)) == text
    except Refused:
        return False


def is_read_by_client(text: str) -> bool:
    try:
        return str(Reference.parse(text)) == text
    except ReferenceInvalid:
        return False


CHARACTERS = "aZ0/:@.-_,%?#\\ \n\0\x7fé\u0660"
WORDS = ["..", "...", "/../", "/.", ".json", "@1", "@1.2.3", f"@{DIGEST}", "b" * 62, "acme/board"]
PARTS = st.sampled_from([*CHARACTERS, *WORDS])


@given(st.one_of(references.map(str), st.lists(PARTS, max_size=8).map("".join), st.text()))
@example("a/b" + "." * 253)
@example("a/" + "b" * 181 + f"@{DIGEST}")
def test_client_and_registry_read_the_same_texts(text: str) -> None:
    assert is_read_by_client(text) == is_read_by_registry(text)


@given(references.map(str), st.integers(0, 255), PARTS)
def test_they_agree_about_every_edit_of_a_reference(text: str, at: int, part: str) -> None:
    edited = text[: at % len(text)] + part + text[at % len(text) + 1 :]
    assert is_read_by_client(edited) == is_read_by_registry(edited)


class Untouched(Storage):
    """Storage of a mirror of which nothing must be read but what it holds."""

    def read(self, path: str, *, is_immutable: bool = False) -> bytes | None:
        assert path == OVERVIEW
        overview = Overview("", "", 0, ("a", "aws"), ("clang",))
        return json.dumps(overview.as_json()).encode()


def test_refused_references_reach_neither_a_registry_nor_a_mirror() -> None:
    texts = [case.reference for case in refused_references()]
    for source in (Registry("http://127.0.0.1:9"), Mirror("file:nowhere", Untouched())):
        for results in (source.resolve_many(texts), source.export_many(texts, "clang")):
            assert len(errors_in(results)) == len(texts)
            assert {type(error) for error in results} == {ReferenceInvalid}


def test_namespace_is_the_first_segment() -> None:
    assert Reference.parse("nvidia/jetson-nano:cuda@1").namespace == "nvidia"


@pytest.mark.parametrize(
    ("selector", "admitted", "others"),
    [
        ("", ["1.0.0", "10.2.3"], []),
        ("@1", ["1.0.0", "1.10.3"], ["10.0.0", "2.1.1", "0.1.0"]),
        ("@1.2", ["1.2.0", "1.2.10"], ["1.20.0", "1.1.2", "2.1.2"]),
        ("@1.2.3", ["1.2.3"], ["1.2.30", "1.2.4", "11.2.3"]),
    ],
)
def test_selector_admits_versions(selector: str, admitted: list[str], others: list[str]) -> None:
    reference = Reference.parse(f"acme/board{selector}")
    assert all(reference.admits(version, DIGEST) for version in admitted)
    assert not any(reference.admits(version, DIGEST) for version in others)


def test_digest_admits_the_version_that_has_it() -> None:
    reference = Reference.parse(f"acme/board@{DIGEST}")
    assert reference.admits("1.0.0", DIGEST)
    assert not reference.admits("1.0.0", DIGEST.replace("0", "1"))
