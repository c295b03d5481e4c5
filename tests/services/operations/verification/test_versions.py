"""Findings of tampered versions."""

# ruff: noqa: S608 - statements of these tests

import pytest

from tests.services.operations.tampering import tamper
from tests.services.operations.verification.findings import CHILD, FIRST, assert_found

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

VERSIONS = [
    pytest.param(
        f"UPDATE registry_version SET digest = 'sha256:{'0' * 64}' WHERE {FIRST}",
        (
            r"acme/board@1\.0\.0: digest is sha256:0{64}; expected sha256:",
            r"acme/board@1\.0\.0: digest is sha256:0{64}; expected .*as event \d+ version.publi",
            r"registry_versionleaf acme/board@1\.0\.0: event \d+ states that .*; expected .*0{64}",
        ),
        id="the digest",
    ),
    pytest.param(
        f"UPDATE registry_version SET target = replace(target, 'haswell', 'hasvell') WHERE {FIRST}",
        (
            r"board@1\.0\.0: digest is",
            r"board@1\.0\.0: target is .*hasvell.*as resolved again, .*haswell",
            r"aliased@1\.0\.0: target is .*haswell.*as resolved again, .*hasvell",
            r"registry_lintreport of version \d+: count is 1; expected 2",
        ),
        id="the target",
    ),
    pytest.param(
        f"UPDATE registry_version SET target = replace(target, ',', ', ') WHERE {FIRST}",
        (
            r"target is .*expected canonical JSON",
            "digest is",
            "size is",
            r"board@1\.0\.0: target is .*as resolved again",
        ),
        id="spaces in the target",
    ),
    pytest.param(
        f"UPDATE registry_version SET target = 'x' WHERE {FIRST}",
        (
            "target is x; expected canonical JSON",
            "digest is",
            "size is 1|size is [0-9]+; expected 1",
            r"board@1\.0\.0: target is x; expected as resolved again",
            r"aliased@1\.0\.0: its source does not resolve against its pinned versions",
        ),
        id="a target that is not JSON",
    ),
    pytest.param(
        f"UPDATE registry_version SET size = size + 1 WHERE {FIRST}",
        (r"acme/board@1\.0\.0: size is \d+; expected \d+",),
        id="the size",
    ),
    pytest.param(
        f"UPDATE registry_version SET source = replace(source, 'haswell', 'skylake') WHERE {FIRST}",
        (r"board@1\.0\.0: target is .*haswell.*as resolved again, .*skylake",),
        id="the source",
    ),
    pytest.param(
        f'UPDATE registry_version SET source = \'{{"a": 1, "a": 2}}\' WHERE {FIRST}',
        (r"board@1\.0\.0: its source is invalid: .*twice",),
        id="an invalid source",
    ),
    pytest.param(
        f'UPDATE registry_version SET source = \'{{"tag": "acme/other"}}\' WHERE id = {CHILD}',
        (r"link-2@1\.0\.0: its source does not resolve against its pinned versions",),
        id="a source with another reference",
    ),
    pytest.param(
        f"UPDATE registry_version SET kind = 'c' WHERE {FIRST}",
        (r"registry_version \d+ acme/board@1\.0\.0: kind is c; expected as resolved again, llvm",),
        id="the kind",
    ),
    pytest.param(
        "UPDATE registry_version SET provenance = replace(provenance, 'link-0', 'link-9') "
        f"WHERE id = {CHILD}",
        (
            r"link-2@1\.0\.0: provenance is .*link-9.*as resolved again.*link-0",
            r"pair@1\.0\.0: provenance is .*link-0.*as resolved again.*link-9",
        ),
        id="the provenance",
    ),
    pytest.param(
        "UPDATE registry_version SET tuning_keys = replace(tuning_keys, 'tk1:', 'tk2:') "
        f"WHERE {FIRST}",
        (r"board@1\.0\.0: tuning_keys is .*tk2:.*expected as resolved again, .*tk1:",),
        id="a tuning key's form",
    ),
    pytest.param(
        """UPDATE registry_version SET tuning_keys = replace(tuning_keys, '"":', '"/host":') """
        f"WHERE {FIRST}",
        (r"board@1\.0\.0: tuning_keys is .*/host.*as resolved again",),
        id="a tuning key's pointer",
    ),
    pytest.param(
        f"UPDATE registry_version SET build_digest = 'bk1:{'0' * 64}' WHERE {FIRST}",
        (r"board@1\.0\.0: build_digest is bk1:0{64}; expected as resolved again, bk1:",),
        id="the build digest",
    ),
    pytest.param(
        f"UPDATE registry_version SET depth = 7 WHERE id = {CHILD}",
        (
            r"link-2@1\.0\.0: depth is 7; expected as resolved again, 2",
            r"pair@1\.0\.0: depth is 3; expected as resolved again, 8",
        ),
        id="the depth",
    ),
    pytest.param(
        f"UPDATE registry_version SET sources = '[ ]' WHERE {FIRST}",
        (r"board@1\.0\.0: sources is \[ \]; expected canonical JSON",),
        id="the sources",
    ),
    pytest.param(
        f"UPDATE registry_version SET patch = 5 WHERE {FIRST}",
        (
            r"aliased@1\.0\.0: dependencies is .*board@1\.0\.0.*as in registry_.*board@1\.0\.5",
            r"aliased@1\.0\.0: lineage is .*board@1\.0\.0.*as in registry_.*board@1\.0\.5",
            r"aliased@1\.0\.0: provenance is .*as resolved again",
            r"aliased@1\.0\.0: dependencies is .*as resolved again",
            r"aliased@1\.0\.0: lineage is .*as resolved again",
            r"board@1\.0\.5: number is 1\.0\.5; expected 1\.0\.0",
            r"registry_event \d+ version.published acme/board@1\.0\.0: there is no such version",
            r"registry_versionleaf acme/board@1\.0\.5: event \d+ states that acme/board@1\.0\.0 is",
        ),
        id="the number",
    ),
    pytest.param(
        f"DELETE FROM registry_versionkind WHERE version_id = {CHILD}",
        (r"link-2@1\.0\.0: the version was not checked against any kind; expected at least one",),
        id="the kind revisions",
    ),
]


@pytest.mark.parametrize(("statement", "expected"), VERSIONS)
def test_tampered_version_is_found(statement: str, expected: tuple[str, ...]) -> None:
    tamper(statement)
    assert_found(*expected)
