"""Two names of one target are an error, and one build of two targets is listed."""

import re
from typing import Any

import pytest

from catalogue_tools.__main__ import main
from catalogue_tools.equal_targets import equal_builds, equal_targets
from registry.services.core import shipped_facts
from tests.domain.builders import Library
from tests.domain.shipped import library

CORE: dict[str, Any] = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "num-cores": 4}
FACTS = {"model": "A", "sources": {"all": ["https://example.org/a"]}}
OTHER_SOURCES = {"model": "A", "sources": {"all": ["https://example.org/b"]}}


def published(**bodies: Any) -> Library:
    result = Library()
    for name, body in bodies.items():
        result.publish(f"acme/{name.replace('__', ':')}", body)
    return result


def test_no_two_tags_of_the_catalogue_have_one_target() -> None:
    tags = list(shipped_facts.every_tag())
    families = {tag.name for tag in tags if tag.is_family}
    superseded = {frozenset((t.name, t.deprecated.successor)) for t in tags if t.deprecated}
    pairs = equal_targets(library(), families)
    assert [pair for pair in pairs if frozenset(pair) not in superseded] == []


@pytest.mark.parametrize(
    ("bodies", "pairs"),
    [
        ({"a": CORE, "b": CORE}, [("acme/a", "acme/b")]),
        ({"a": CORE, "b": CORE | {"num-cores": 8}}, []),
        ({"a": CORE, "a__cpu": CORE}, []),
        (
            {"a": CORE | {"hardware": FACTS}, "b": CORE | {"hardware": OTHER_SOURCES}},
            [("acme/a", "acme/b")],
        ),
        ({"a": CORE | {"hardware": FACTS}, "b": CORE | {"hardware": {"model": "B"}}}, []),
        ({"family": CORE, "a": {"tag": "acme/family"}, "b": {"tag": "acme/family"}}, []),
        ({"base": CORE, "a": {"tag": "acme/base"}}, [("acme/a", "acme/base")]),
    ],
)
def test_equal_targets_outside_of_a_family_are_pairs(
    bodies: dict[str, Any], pairs: list[tuple[str, str]]
) -> None:
    assert list(equal_targets(published(**bodies), {"acme/family"})) == pairs


def test_targets_that_differ_for_people_only_share_a_build() -> None:
    facts = published(a=CORE, b=CORE | {"hardware": FACTS}, c=CORE | {"num-cores": 8})
    assert list(equal_builds(facts).values()) == [["acme/a", "acme/b"]]


def test_targets_without_a_build_key_share_none() -> None:
    assert equal_builds(published(a={"kind": "llvm"}, b={"kind": "llvm"})) == {}


def test_command_lists_the_tags_of_each_build(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = published(a=CORE, b=CORE | {"hardware": FACTS}, c=CORE | {"num-cores": 8})
    monkeypatch.setattr("catalogue_tools.__main__.publish_in_memory", lambda: facts)
    main(["same-builds"])
    (line,) = capsys.readouterr().out.splitlines()
    assert re.fullmatch("bk1:[0-9a-f]+ acme/a acme/b", line)
