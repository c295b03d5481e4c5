"""Names that other tags supersede."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from catalogue_tools.entries import ReleasedTag
from catalogue_tools.generate import Generation, GenerationError, generate
from catalogue_tools.superseded import differing_options
from catalogue_tools.tags import GeneratedTag, Superseded, WrittenTag
from registry.services.core.shipped_facts import every_tag
from tests.domain.shipped import library

URL = "https://example.org/facts"
NEXT = GeneratedTag("acme/next", "acme/chips", {"kind": "llvm"}, "Next", (URL,))
OLD = Superseded("acme/old", "acme/next", "The same chip")
VERSION = {"message": "Old", "sources": [URL], "target": {"kind": "llvm"}}
RELEASED = ReleasedTag("acme/chips", {"tag": "acme/old", "versions": [VERSION]})


def generation(*items: GeneratedTag | Superseded, **others: Any) -> Generation:
    def generator() -> Iterator[GeneratedTag | Superseded]:
        yield from items

    written = {tag.name: tag for tag in others.get("written", ())}
    released = {tag.entry["tag"]: tag for tag in others.get("released", ())}
    return generate([generator], written, ["acme"], released)


def entries(result: Generation) -> dict[str, dict[str, Any]]:
    tags = json.loads(result.files["generated/acme/chips.json"])["tags"]
    return {tag["tag"]: tag for tag in tags}


def test_released_tag_is_deprecated_and_keeps_its_versions() -> None:
    result = generation(NEXT, OLD, released=[RELEASED])
    assert entries(result)["acme/old"] == {
        "tag": "acme/old",
        "deprecated": {"reason": "The same chip", "successor": "acme/next"},
        "versions": [VERSION],
    }
    assert "aliases" not in entries(result)["acme/next"]
    assert result.gone == ()


def test_name_that_was_never_released_becomes_an_alias() -> None:
    result = generation(NEXT, OLD)
    assert entries(result).keys() == {"acme/next"}
    assert entries(result)["acme/next"]["aliases"] == ["acme/old"]


def test_superseded_tag_gets_a_further_version_only_if_it_is_generated_still() -> None:
    newer = GeneratedTag("acme/old", "acme/chips", {"kind": "c"}, "Newer", (URL,))
    entry = entries(generation(NEXT, newer, OLD, released=[RELEASED]))["acme/old"]
    assert [version["target"] for version in entry["versions"]] == [{"kind": "llvm"}, {"kind": "c"}]
    assert entry["deprecated"]["successor"] == "acme/next"


def test_tag_that_is_no_longer_superseded_is_in_use() -> None:
    deprecated = {"deprecated": {"reason": "x", "successor": "acme/next"}}
    before = ReleasedTag("acme/chips", RELEASED.entry | deprecated)
    assert "deprecated" not in entries(generation(NEXT, released=[before]))["acme/old"]


@pytest.mark.parametrize(
    ("items", "problem"),
    [
        ((NEXT, Superseded("acme/next", "acme/next", "x")), "which is no tag in use."),
        ((NEXT, Superseded("acme/old", "acme/no", "x")), "acme/no, which is no tag in use."),
        (
            (NEXT, OLD, Superseded("acme/older", "acme/old", "x")),
            "acme/older is superseded by acme/old, which is no tag in use.",
        ),
    ],
)
def test_wrong_statements_are_refused(
    items: tuple[GeneratedTag | Superseded, ...], problem: str
) -> None:
    with pytest.raises(GenerationError) as error:
        generation(*items, released=[RELEASED])
    assert any(text.endswith(problem) for text in error.value.problems)


def test_hand_written_tag_is_deprecated_in_its_file() -> None:
    with pytest.raises(GenerationError, match="deprecate it in its file"):
        generation(NEXT, OLD, written=[WrittenTag("acme/old", bodies=({"kind": "llvm"},))])


CPU: dict[str, Any] = {"kind": "llvm", "mcpu": "cortex-a53"}


@pytest.mark.parametrize(
    ("old", "new", "options"),
    [
        (CPU, CPU | {"model": "x", "hardware": {"cores": 4}}, []),  # for people only
        (CPU, CPU | {"mattr": ["-aes"]}, ["mattr"]),
        (CPU | {"mattr": ["-aes"]}, CPU, ["mattr"]),
        ({"kind": "c", "host": CPU}, {"kind": "c", "host": CPU | {"model": "x"}}, []),
        (
            {"kind": "opencl", "host": CPU},
            {"kind": "opencl", "device": "mali", "host": CPU | {"mattr": []}},
            ["device", "mattr of the host"],
        ),
        (CPU | {"host": CPU}, CPU, ["kind of the host", "mcpu of the host"]),
    ],
)
def test_options_that_compilers_read_are_compared(
    old: dict[str, Any], new: dict[str, Any], options: list[str]
) -> None:
    assert differing_options(old, new) == options


def test_whoever_resolves_a_superseded_tag_is_told_of_corrections() -> None:
    reasons = {tag.name: tag.deprecated.reason for tag in every_tag() if tag.deprecated}
    assert reasons["xiaomi/redmi-k70:little"].endswith(". The successor has another mattr")
    assert reasons["boards/fxtec-pro1:vulkan"].endswith("and 3 more options")
    assert "The successor has" not in reasons["aws/cpu/c5.2xlarge"]  # builds alike


def test_no_superseded_tag_that_builds_otherwise_says_nothing() -> None:
    versions = library().versions
    for tag in every_tag():
        if tag.deprecated:
            names = (tag.name, tag.deprecated.successor)
            options = differing_options(*(versions[name][-1].published.target for name in names))
            assert ("The successor has" in tag.deprecated.reason) == bool(options)
