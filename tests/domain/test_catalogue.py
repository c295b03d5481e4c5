"""The shipped catalogue follows its own rules and mirrors TVM exactly."""

import pytest

from catalogue_tools.in_memory import InMemoryVersion
from registry.domain.document import canonical
from registry.domain.lints.rules import lint_target
from registry.services.core import shipped_facts
from registry.services.core.shipped_facts import ShippedTag
from tests.domain import shipped
from tests.domain.builders import KINDS, Library
from tests.domain.explained_lints import explained_lints
from ttag_rules.names import alias_problem, tag_problem
from ttag_rules.version_number import VersionNumber


@pytest.fixture(scope="module")
def catalogue() -> Library:
    return shipped.library()


def test_every_body_can_be_published(catalogue: Library) -> None:
    assert set(catalogue.versions) == {tag.name for tag in shipped_facts.every_tag()}
    assert len(catalogue.versions) > 287


def test_names_and_aliases_are_well_formed_and_unique() -> None:
    names = [name for tag in shipped_facts.every_tag() for name in (tag.name, *tag.aliases)]
    assert len(names) == len(set(names))
    namespaces = {namespace["name"] for namespace in shipped_facts.every_namespace()}
    assert {name.partition("/")[0] for name in names} <= namespaces
    assert not [tag.name for tag in shipped_facts.every_tag() if tag_problem(tag.name)]
    assert not [
        alias for tag in shipped_facts.every_tag() for alias in tag.aliases if alias_problem(alias)
    ]


def test_mirrored_versions_equal_tvms_config_to_the_byte(catalogue: Library) -> None:
    mirrors = 0
    for tag in shipped_facts.every_tag():
        for version, resolved in zip(tag.versions, catalogue.versions[tag.name], strict=True):
            if version.mirrors:
                mirrors += 1
                assert resolved.resolution.text == canonical(version.body)
                assert not resolved.resolution.dependencies
    assert mirrors == 287


def lint_codes(tag: ShippedTag, version: InMemoryVersion) -> set[tuple[str, str]]:
    lints = lint_target(
        version.resolution.target, KINDS, shipped_facts.lint_facts(), is_family=tag.is_family
    )
    return {(lint.code, tag.name) for lint in lints}


def test_newest_versions_have_exactly_the_lints_that_the_readme_explains(
    catalogue: Library,
) -> None:
    newest = set[tuple[str, str]]()
    for tag in shipped_facts.every_tag():
        newest |= lint_codes(tag, catalogue.versions[tag.name][-1])
    assert newest == explained_lints()


@pytest.mark.parametrize(
    ("tag", "numbers"),
    [
        ("nvidia/jetson-nano", ["1.0.0", "1.1.0", "1.1.1"]),  # a host comes, then facts
        ("nvidia/jetson-nano:cuda", ["1.0.0", "1.1.0", "1.2.0"]),  # an executor, a runtime
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
