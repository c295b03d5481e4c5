# ruff: noqa: E501 - tables read best in rows
"""Microarchitectures of archspec as bodies; tests/compilers has archspec itself."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.document import Json
from registry.domain.errors import Refused
from registry.domain.formats.archspec import FORMAT
from registry.domain.importers.archspec import IMPORTER
from registry.domain.importing import Imported
from tests.domain.builders import KINDS, refusal, target_of
from tests.domain.formats.machines import if_fit, machine, machines
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.compatibility.verdicts import Answer
from ttag_rules.notations import archspec
from ttag_rules.notations.archspec_names import MACHINES, body

HASWELL = {"kind": "llvm", "mcpu": "haswell"}


def read(source: Any) -> Imported:
    return IMPORTER.read(source, KINDS)


def entry(*parents: str, features: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"from": [*parents], "vendor": "generic", "features": [*features]}


def file(**entries: Any) -> dict[str, Any]:
    return {"microarchitectures": entries}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (file(haswell=entry("ivybridge", "x86_64_v3")), HASWELL),
        (file(mine=entry("haswell", features=("avx2", "fma"))), HASWELL),
        (file(mine=entry("haswell", features=("aes",))), HASWELL | {"mattr": ["+aes"]}),
        (file(mine=entry("x86_64_v3", "ivybridge")), {"kind": "llvm", "mcpu": "x86-64-v3"}),
        (file(mine=entry("zen4", features=("avx512_vp2intersect",))), {"kind": "llvm", "mcpu": "znver4", "mattr": ["+avx512vp2intersect"]}),
        (file(base=entry("haswell"), mine=entry("base", features=("sha_ni",))), HASWELL | {"mattr": ["+sha"]}),
        (file(mine=entry("armv8.2a", features=("sve",))), {"kind": "llvm", "mtriple": "aarch64", "mcpu": "generic", "mattr": ["+v8.2a", "+sve"]}),
        (file(mine=entry("neoverse_v1")), {"kind": "llvm", "mcpu": "neoverse-v1"}),
        (file(mine=entry("power9le")), {"kind": "llvm", "mcpu": "pwr9"}),
        ({"name": "mine", "parents": ["haswell"], "features": ["avx2"], "vendor": "x"}, HASWELL),
    ],
)  # fmt: skip
def test_a_microarchitecture_is_its_largest_ancestor_and_more(
    source: Any, expected: dict[str, Any]
) -> None:
    imported = read(source)
    assert imported.body == expected
    assert read(json.dumps(source)).body == expected
    assert target_of(imported.body)


@pytest.mark.parametrize(
    ("source", "code", "message"),
    [
        ({}, "VALUE_TYPE", "this is no microarchitecture of archspec"),
        ([], "VALUE_TYPE", "this is no microarchitecture of archspec"),
        (file(), "VALUE_TYPE", "this is no microarchitecture of archspec"),
        (file(mine=[]), "VALUE_TYPE", "this is no microarchitecture of archspec"),
        (file(mine={"features": []}), "VALUE_TYPE", "this is no microarchitecture of archspec"),
        (file(mine={"from": "haswell"}), "VALUE_TYPE", "this is no microarchitecture of archspec"),
        (file(mine=entry("haswell") | {"features": [1]}), "VALUE_TYPE", "this is no microarchitecture of archspec"),
        (file(one=entry("haswell"), other=entry("zen")), "TWO_TARGETS", "several microarchitectures: one, other"),
        (file(one=entry("other"), other=entry("one")), "TWO_TARGETS", "the last is none, because they are in a circle"),
        (file(mine=entry()), "VALUE_UNKNOWN", "mine has no ancestor that LLVM 22 has a name for"),
        (file(mine=entry("zen6")), "VALUE_UNKNOWN", "mine has no ancestor that LLVM 22 has a name for"),
        (file(mine=entry("sparc64")), "VALUE_UNKNOWN", "mine has no ancestor that LLVM 22 has a name for"),
        (file(mine=entry("haswell", "neoverse_v1")), "TWO_TARGETS", "mine has ancestors of two architectures"),
    ],
)  # fmt: skip
def test_what_is_no_single_known_microarchitecture_is_refused(
    source: Any, code: str, message: str
) -> None:
    (fault,) = refusal(lambda: read(source)).faults
    assert (fault.code, fault.message) == (code, message)


def test_flags_that_are_no_features_are_noted() -> None:
    imported = read(file(mine=entry("haswell", features=("avx2", "evil", "flush_l1d"))))
    assert imported.body == HASWELL
    assert [note.message for note in imported.notes] == [
        "read mine as haswell and what it has beyond that",
        "left out flags that are not read: evil, flush_l1d",
    ]


def test_ancestors_that_llvm_has_no_name_for_are_noted() -> None:
    imported = read(file(mine=entry("zen6", "base"), base=entry("haswell", "zen6")))
    assert imported.body == HASWELL
    assert [note.message for note in imported.notes] == [
        "read mine as haswell and what it has beyond that",
        "left out ancestors that are not read: zen6",
    ]


WHOLE = archspec.flags_of("x86_64", shipped_tables().instruction_sets["x86_64"].closure("haswell"))


@pytest.mark.parametrize(
    ("source", "notes"),
    [
        (file(haswell=entry(features=("avx", "sse4_2"))), ["read haswell as LLVM has it, with abm, avx2, bmi1"]),
        (file(zen3=entry("zen2", features=("avx2",))), ["read zen3 as LLVM has it, with abm, adx, aes"]),
        (file(haswell=entry(features=(*WHOLE,))), []),
        (file(haswell=entry(features=(*WHOLE, "aes"))), []),
        (file(haswell=entry()), []),  # of which it says nothing
        (file(mine=entry("haswell", features=("avx",))), []),  # beside archspec's
    ],
)  # fmt: skip
def test_what_a_source_does_not_list_of_archspecs_own_is_noted(
    source: Any, notes: list[str]
) -> None:
    messages = [each.message for each in read(source).notes]
    written = [each for each in messages if "as LLVM has it" in each]
    assert [each[: len(note)] for each, note in zip(written, notes, strict=True)] == notes


def test_comments_are_noted_as_left_out() -> None:
    imported = read(json.dumps(file(haswell=entry())) + " // of the lab")
    assert imported.body == HASWELL
    assert [note.message for note in imported.notes] == ["left out comments"]


def test_notes_are_short_and_printable() -> None:
    flags = ("evil\n\u202e", *map(str, range(5000)))
    read_as, left_out = read(file(**{"\x1bmine": entry("haswell", features=flags)})).notes
    assert read_as.message == "read \\x1bmine as haswell and what it has beyond that"
    assert left_out.message == (
        r"left out flags that are not read: evil\n\u202e, 0, 1, 2, 3, 4, 5, 6, 7, 8 and 4991 more"
    )


@pytest.mark.parametrize(("last", "is_read"), [("haswell", True), ("zen6", False)])
def test_ancestors_may_be_thousands_in_a_row(last: str, is_read: bool) -> None:
    parents = [*map(str, range(1, 2500)), last]
    source = json.dumps(file(**{str(n): entry(each) for n, each in enumerate(parents)}))
    source = source.replace(', "vendor": "generic", "features": []', "").replace(" ", "")
    if is_read:
        assert read(source).body == HASWELL
    else:
        assert refusal(lambda: read(source)).faults[0].code == "VALUE_UNKNOWN"


def test_flags_of_sources_are_not_remembered() -> None:
    caches = [each for each in vars(archspec).values() if hasattr(each, "cache_info")]
    read(file(mine=entry("haswell", features=("sse",))))
    sizes = [each.cache_info().currsize for each in caches]
    read(file(mine=entry("haswell", features=("one", "other"))))
    assert [each.cache_info().currsize for each in caches] == sizes


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda each: (
            st.lists(each, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["microarchitectures", "mine", "from", "features", "name", "parents", "haswell"]
                ),
                each,
                max_size=4,
            )
        ),
    )
)
def test_nothing_but_a_refusal_is_raised(source: Json) -> None:
    try:
        read(source)
    except Refused:
        return


@pytest.mark.parametrize("name", MACHINES)
def test_archspecs_own_come_back_from_their_export(name: str) -> None:
    export = FORMAT.write(machine(body(name)))
    assert isinstance(export.content, dict)
    imported = read(export.content)
    triple = {"mtriple": body(name)["mtriple"]}
    back = imported.body | triple
    assert verdict(back, body(name)).answer is Answer.YES
    assert verdict(body(name), back).answer is Answer.YES


def test_an_export_never_comes_back_as_more_than_the_processor() -> None:
    compared = 0
    for reference, subject in machines().items():
        export = if_fit(FORMAT.write, subject)
        if not export or subject.target.get("kind") != "llvm":
            continue
        assert isinstance(export.content, dict)
        back = read(export.content).body
        target: dict[str, Any] = {
            name: subject.target[name]
            for name in ("kind", "mtriple", "mcpu", "mattr")
            if name in subject.target
        }
        code = back | ({"mtriple": target["mtriple"]} if "mtriple" in target else {})
        assert verdict(code, target).answer in (Answer.YES, Answer.UNKNOWN), reference
        compared += 1
    assert compared > 100
