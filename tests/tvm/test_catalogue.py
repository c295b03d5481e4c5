"""TVM accepts every shipped target, and the mirrored versions equal its own tags."""

from typing import Any

import pytest

from registry.domain.document import canonical, digest
from registry.domain.formats import FORMATS
from registry.domain.resolution.composition import is_mixin
from registry.services.core import shipped_facts
from tests.domain.formats.subjects import as_compiled, catalogue
from tests.tvm.compiler import Compiler
from tests.tvm.exported import lost, without_tag
from tests.tvm.registry import Registry

RELEASE = "tvm-0.27.0.post1"

TAGS = {tag.name: tag for tag in shipped_facts.tags()}
MIXINS = sorted(name for name, tag in TAGS.items() if is_mixin(tag.versions[-1].body))
TARGETS = sorted(TAGS.keys() - set(MIXINS))
# A mirrored version is TVM's config to the byte, so the config's digest selects the version.
MIRRORS = {
    name: f"{name}@{digest(canonical(version.body))}"
    for name, tag in sorted(TAGS.items())
    for version in tag.versions
    if version.mirrors == RELEASE
}


@pytest.fixture(scope="module")
def exports(registry: Registry) -> dict[str, dict[str, Any]]:
    """Every shipped tag and every mirrored version in the format `tvm`, by reference."""
    return registry.exports([*TAGS, *MIRRORS.values()])


def test_tvm_is_the_release_that_the_catalogue_mirrors(tvm: Compiler) -> None:
    assert f"tvm-{tvm.call('versions')['tvm']}" == RELEASE


@pytest.mark.parametrize("tag", TARGETS)
def test_tvm_accepts_every_export_and_keeps_all_values(
    tvm: Compiler, exports: dict[str, dict[str, Any]], tag: str
) -> None:
    exported = exports[tag]["target"]
    assert lost(exported, tvm.export(exported)) == []


def test_tvm_accepts_every_export_of_generated_tags(tvm: Compiler) -> None:
    for exact, subject in catalogue().items():
        exported = FORMATS["tvm"].write(subject).content
        assert isinstance(exported, dict)
        assert lost(exported["target"], tvm.export(exported["target"])) == [], exact


@pytest.mark.parametrize("tag", MIXINS)
def test_a_mixin_is_not_exported(exports: dict[str, dict[str, Any]], tag: str) -> None:
    assert exports[tag]["code"] == "NOT_A_TARGET"


def test_every_tag_of_tvm_is_mirrored_once(tvm: Compiler) -> None:
    names = tvm.call("names")
    assert len(names) == len(MIRRORS) == 287
    assert set(names) == {name for tag in MIRRORS for name in spellings(tag) & set(names)}


@pytest.mark.parametrize("tag", MIRRORS)
def test_tvms_own_tags_equal_the_mirrored_versions(
    tvm: Compiler, exports: dict[str, dict[str, Any]], tag: str
) -> None:
    (name,) = spellings(tag) & set(tvm.call("names"))
    ours = exports[MIRRORS[tag]]
    own = as_compiled(without_tag(tvm.export({"tag": name})))  # TVM normalizes no triple
    assert without_tag(tvm.export(ours["target"])) == own
    assert (ours["build"], ours["pass_config"], ours["dropped"]) == ({}, {}, [])


def spellings(tag: str) -> set[str]:
    """Return the names of a tag, one of which is TVM's."""
    return {tag, *TAGS[tag].aliases}
