"""The shipped catalogue follows its own rules and mirrors TVM exactly."""

from collections.abc import Iterator

import pytest

from registry.domain.body_references import body_references
from registry.domain.document import canonical, parse_json
from registry.domain.lints.rules import lint_target
from registry.domain.reference import alias_problem, tag_problem
from registry.domain.version_number import VersionNumber
from registry.services.core import shipped_facts
from registry.services.core.shipped_facts import ShippedTag
from tests.domain.builders import KINDS, Edited, Library
from tests.domain.explained_lints import explained_lints


def parents_first() -> Iterator[ShippedTag]:
    ahead = {tag.name: tag for tag in shipped_facts.tags()}
    while ahead:
        ready = [tag for tag in ahead.values() if not needs(tag) & ahead.keys()]
        assert ready, f"a cycle among {sorted(ahead)}"
        yield from (ahead.pop(tag.name) for tag in ready)


def needs(tag: ShippedTag) -> set[str]:
    references = (request for version in tag.versions for request in body_references(version.body))
    return {request.reference.text for request in references} - {tag.name}


@pytest.fixture(scope="module")
def catalogue() -> Library:
    library = Library()
    for tag in parents_first():
        for version in tag.versions:
            library.publish(tag.name, parse_json(version.source))
    return library


def test_every_body_can_be_published(catalogue: Library) -> None:
    assert set(catalogue.versions) == {tag.name for tag in shipped_facts.tags()}
    assert len(catalogue.versions) > 287


def test_names_and_aliases_are_well_formed_and_unique() -> None:
    names = [name for tag in shipped_facts.tags() for name in (tag.name, *tag.aliases)]
    assert len(names) == len(set(names))
    namespaces = {namespace["name"] for namespace in shipped_facts.namespaces()}
    assert {name.partition("/")[0] for name in names} <= namespaces
    assert not [tag.name for tag in shipped_facts.tags() if tag_problem(tag.name)]
    assert not [
        alias for tag in shipped_facts.tags() for alias in tag.aliases if alias_problem(alias)
    ]


def test_mirrored_versions_equal_tvms_config_to_the_byte(catalogue: Library) -> None:
    mirrors = 0
    for tag in shipped_facts.tags():
        for version, resolved in zip(tag.versions, catalogue.versions[tag.name], strict=True):
            if version.mirrors:
                mirrors += 1
                assert resolved.resolution.text == canonical(version.body)
                assert not resolved.resolution.dependencies
    assert mirrors == 287


def lint_codes(tag: ShippedTag, version: Edited) -> set[tuple[str, str]]:
    lints = lint_target(
        version.resolution.target, KINDS, shipped_facts.lint_facts(), is_family=tag.is_family
    )
    return {(lint.code, tag.name) for lint in lints}


def test_newest_versions_have_exactly_the_lints_that_the_readme_explains(
    catalogue: Library,
) -> None:
    newest = set[tuple[str, str]]()
    for tag in shipped_facts.tags():
        newest |= lint_codes(tag, catalogue.versions[tag.name][-1])
    assert newest == explained_lints()


@pytest.mark.parametrize(
    ("tag", "numbers"),
    [
        ("nvidia/jetson-nano", ["1.0.0", "1.1.0"]),  # a host comes
        ("nvidia/jetson-nano:cuda", ["1.0.0", "1.1.0"]),  # an executor, a runtime
        ("arm/soc:aot", ["1.0.0"]),
    ],
)
def test_version_numbers_are_as_expected(catalogue: Library, tag: str, numbers: list[str]) -> None:
    assert [version.number for version in catalogue.versions[tag]] == list(
        map(VersionNumber.parse, numbers)
    )


def test_example_target_resolves_as_documented(catalogue: Library) -> None:
    soc = catalogue.versions["arm/soc:aot"][-1]
    assert soc.resolution.target == {
        "kind": "c",
        "keys": ["arm_cpu", "cpu"],
        "model": "arm-soc",
        "mcpu": "cortex-m7",
        "executor": {"kind": "aot", "unpacked-api": True, "interface-api": "c"},
        "runtime": {"kind": "crt"},
    }
    assert soc.resolution.ancestors == ("arm/soc@1.0.0", "micro/aot@1.0.0")
    assert soc.resolution.provenance["/mcpu"] == "arm/soc@1.0.0"
    assert soc.resolution.provenance["/runtime/kind"] == "micro/aot@1.0.0"
