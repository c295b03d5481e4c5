"""The list of dependents."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import User
from registry.services.core import paging
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, deprecation
from registry.services.versions import dependents
from registry.services.versions.dependents import Dependent
from tests.publishing import chain, publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


def list_dependents(text: str, *, is_all: bool = False) -> list[Dependent]:
    page = dependents.find_dependents(Reference.parse(text), is_all=is_all)
    assert page.next_key is None
    return list(page.rows)


def names(text: str, *, is_all: bool = False) -> list[str]:
    return [row.version.exact for row in list_dependents(text, is_all=is_all)]


@pytest.fixture
def family(acme: object) -> None:
    """Publish cpu@1.0.0 and cpu@2.0.0, with dependents of both."""
    publish("acme/cpu", CPU)
    publish("acme/pinned", {"tag": "acme/cpu@1.0.0", "num-cores": 2})
    publish("acme/floating", {"tag": "acme/cpu", "num-cores": 3})
    publish("acme/box", {"kind": "cuda", "arch": "sm_90", "host": "acme/floating"})
    publish("acme/cpu", CPU | {"num-cores": 8})
    publish("acme/fresh", {"tag": "acme/cpu@2", "mcpu": "skylake"})


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("acme/cpu", ["acme/box", "acme/floating", "acme/fresh", "acme/pinned"]),
        ("acme/cpu@1", ["acme/box", "acme/floating", "acme/pinned"]),
        ("acme/cpu@1.0", ["acme/box", "acme/floating", "acme/pinned"]),
        ("acme/cpu@2.0.0", ["acme/fresh"]),
        ("acme/floating", ["acme/box"]),
        ("acme/box", []),
    ],
)
def test_reference_selects_the_versions(reference: str, expected: list[str]) -> None:
    assert names(reference) == [f"{tag}@1.0.0" for tag in expected]


@pytest.mark.usefixtures("family")
def test_digest_selects_the_versions_that_have_it() -> None:
    (row,) = list_dependents("acme/cpu@2.0.0")
    assert row.use
    assert names(f"acme/cpu@{row.use.resolved.digest}") == ["acme/fresh@1.0.0"]


@pytest.mark.usefixtures("family")
def test_dependents_have_distance_and_first_use() -> None:
    box, floating, fresh, pinned = list_dependents("acme/cpu")
    assert (box.distance, box.use, box.is_outdated) == (2, None, None)
    assert floating.use
    assert (floating.distance, floating.use.requested) == (1, "acme/cpu")
    assert (floating.use.relation, floating.use.pointer) == ("inherits", "")
    assert floating.use.resolved.exact == "acme/cpu@1.0.0"
    assert (floating.is_outdated, fresh.is_outdated, pinned.is_outdated) == (True, False, False)
    (composed,) = list_dependents("acme/floating")
    assert composed.use
    assert (composed.use.relation, composed.use.pointer) == ("composes", "/host")


@pytest.mark.usefixtures("family")
def test_dependent_has_its_first_use_and_its_shortest_distance() -> None:
    publish(
        "acme/farm",
        {"kind": "composite", "devices": {"b": "acme/floating", "a": "acme/cpu@1.0.0"}},
    )
    row = next(row for row in list_dependents("acme/cpu@1") if row.version.tag.text == "acme/farm")
    assert row.use
    assert (row.distance, row.use.pointer) == (1, "/devices/a")


@pytest.mark.usefixtures("family")
def test_only_the_newest_unyanked_version_counts_by_default() -> None:
    publish("acme/fresh", CPU)
    assert names("acme/cpu@2") == []
    assert names("acme/cpu@2", is_all=True) == ["acme/fresh@1.0.0"]
    yank("acme/fresh@2.0.0")
    assert names("acme/cpu@2") == ["acme/fresh@1.0.0"]


@pytest.mark.usefixtures("family")
def test_all_versions_are_sorted_by_name_and_highest_number_first() -> None:
    publish("acme/fresh", {"tag": "acme/cpu@1", "mcpu": "skylake"})
    publish("acme/fresh", {"tag": "acme/cpu@1", "mcpu": "skylake", "runtime": "cpp"})
    yank("acme/fresh@1.0.0")
    rows = list_dependents("acme/cpu", is_all=True)
    assert [(row.version.exact, row.status) for row in rows] == [
        ("acme/box@1.0.0", "active"),
        ("acme/floating@1.0.0", "active"),
        ("acme/fresh@2.1.0", "active"),
        ("acme/fresh@2.0.0", "active"),
        ("acme/fresh@1.0.0", "yanked"),
        ("acme/pinned@1.0.0", "active"),
    ]


@pytest.mark.usefixtures("family")
def test_versions_of_the_tag_itself_are_not_dependents() -> None:
    publish("acme/cpu", {"tag": "acme/cpu@1.0.0", "num-cores": 16})
    assert "acme/cpu" not in {
        row.version.tag.text for row in list_dependents("acme/cpu", is_all=True)
    }


@pytest.mark.usefixtures("family")
def test_dependent_of_a_yanked_version_is_outdated() -> None:
    yank("acme/cpu@2.0.0")
    yank("acme/cpu@1.0.0")
    assert names("acme/cpu@2") == ["acme/fresh@1.0.0"]
    assert [row.is_outdated for row in list_dependents("acme/cpu")] == [None, True, True, False]


@pytest.mark.usefixtures("family")
def test_dependent_has_the_status_of_a_deprecated_tag(alice: User) -> None:
    deprecation.deprecate(Tag.parse("acme/fresh"), reason="sold out", actor=Actor.operator(alice))
    assert [row.status for row in list_dependents("acme/cpu@2")] == ["deprecated"]


@pytest.mark.usefixtures("family")
def test_alias_is_resolved(alice: User) -> None:
    aliases.point_alias("acme/CPU", Reference.parse("acme/cpu@1"), actor=Actor.operator(alice))
    aliases.point_alias("acme/Any", Reference.parse("acme/cpu"), actor=Actor.operator(alice))
    assert names("acme/CPU") == names("acme/cpu@1")
    assert names("acme/Any@2") == names("acme/cpu@2")
    reference = dependents.find_dependents(Reference.parse("acme/Any@2")).reference
    assert reference == Reference.parse("acme/cpu@2")
    with pytest.raises(Refused) as refused:
        list_dependents("acme/CPU@1")
    assert refused.value.code == Code.REFERENCE_INVALID


@pytest.mark.usefixtures("family")
def test_use_of_an_alias_that_moved_is_outdated(alice: User) -> None:
    aliases.point_alias("acme/CPU", Reference.parse("acme/cpu@2"), actor=Actor.operator(alice))
    publish("acme/late", {"tag": "acme/CPU", "num-cores": 1})
    assert [row.is_outdated for row in list_dependents("acme/cpu@2")] == [False, False]
    aliases.point_alias("acme/CPU", Reference.parse("acme/cpu@1"), actor=Actor.operator(alice))
    assert [row.is_outdated for row in list_dependents("acme/cpu@2")] == [False, True]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("acme/nobody", Code.TAG_UNKNOWN),
        ("arm/soc@9", Code.VERSION_UNKNOWN),
        (f"arm/soc@sha256:{'0' * 64}", Code.VERSION_UNKNOWN),
        ("arm/Nobody", Code.REFERENCE_INVALID),
    ],
)
def test_unknown_reference_is_rejected(text: str, code: Code) -> None:
    with pytest.raises(Refused) as refused:
        list_dependents(text)
    assert refused.value.code == code


def test_six_queries_for_any_number_of_dependents() -> None:
    chain(8)
    for text in ("acme/link-6", "acme/link-0"):
        with CaptureQueriesContext(connection) as captured:
            list_dependents(text)
        assert len(captured) == 6


def test_pages_contain_all_dependents_once_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    chain(8)
    for number in (2, 4):
        publish(f"acme/link-{number}", {"tag": f"acme/link-{number - 1}", "num-cores": 99})
    expected = names("acme/link-0", is_all=True)
    assert len(expected) == 9
    monkeypatch.setattr(paging, "PAGE", 2)
    listed, after = [], None
    reference = Reference.parse("acme/link-0")
    while True:
        page = dependents.find_dependents(reference, is_all=True, after=after)
        listed += [row.version.exact for row in page.rows]
        after = page.next_key
        if after is None:
            break
        assert len(page.rows) == 2
    assert listed == expected


def test_later_pages_keep_to_the_versions_of_the_first(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain(4)
    aliases.point_alias("acme/Base", Reference.parse("acme/link-0"), actor=Actor.operator(alice))
    monkeypatch.setattr(paging, "PAGE", 1)
    reference = Reference.parse("acme/Base")
    first = dependents.find_dependents(reference)
    aliases.point_alias("acme/Base", Reference.parse("acme/link-2"), actor=Actor.operator(alice))
    second = dependents.find_dependents(reference, after=first.next_key)
    assert [row.version.tag.text for row in second.rows] == ["acme/link-2"]
