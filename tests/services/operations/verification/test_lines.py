"""Findings of versions that break what numbers promise."""

# ruff: noqa: S608 - statements of these tests

from typing import Any

import pytest

from registry.domain.reference import Reference
from registry.models import Kind, KindRevision, User, Version, Withdrawal
from tests.people import make_alice
from tests.publishing import publish, yank
from tests.services.operations.tampering import tamper
from tests.services.operations.verification.findings import assert_found

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LEAF = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "num-cores": 4}
KEYLESS = {"kind": "cuda"}


def machine(*devices: dict[str, Any], **options: Any) -> dict[str, Any]:
    return {"kind": "composite", "devices": list(devices), **options}


def unyank_unchecked(exact: str) -> None:
    """Write the row of an undone yank, as release 0.1 did if no later version was active."""
    reference = Reference.parse(exact)
    versions = Version.objects.filter(tag__text=reference.text)
    version = next(row for row in versions if row.number.parts == reference.selector.numbers)
    Withdrawal.objects.create(
        version=version,
        sequence=version.withdrawals.count() + 1,
        yanked=False,
        reason="as before",
        actor=make_alice(),
    )


def publish_two_lines(first: dict[str, Any], second: dict[str, Any]) -> None:
    """Publish 1.0.0, 1.1.0, which is yanked, and 1.2.0 without the records of 1.1.0."""
    publish("acme/line", machine(LEAF))
    publish("acme/line", machine(LEAF, first))
    yank("acme/line@1.1.0")
    publish("acme/line", machine(LEAF, second))


LOST = (
    r"acme/line@1\.2\.0: it lacks tuning records: tk1:[0-9a-f]{64}; "
    r"expected those of acme/line@1\.1\.0; yank one of the two"
)


def test_active_versions_of_a_major_that_lose_a_key_are_found() -> None:
    publish_two_lines({**LEAF, "mcpu": "haswell"}, {**LEAF, "mcpu": "skylake"})
    assert_found()
    unyank_unchecked("acme/line@1.1.0")
    assert_found(LOST)


def test_active_versions_of_a_major_that_lose_a_leaf_without_a_key_are_found() -> None:
    publish_two_lines({**KEYLESS, "max_num_threads": 256}, {**KEYLESS, "max_num_threads": 512})
    assert_found()
    unyank_unchecked("acme/line@1.1.0")
    assert_found(LOST)
    revise_llvm()  # which could have changed what the preimages of both are
    assert_found()


def revise_llvm() -> None:
    kind = Kind.objects.get(name="llvm")
    last = kind.revisions.latest("number")
    revision = KindRevision(
        kind=kind, number=last.number + 1, source=last.source, digest=last.digest
    )
    revision.author = User.objects.get(username="alice")
    revision.save()


def renumber(old: str, new: str) -> None:
    tamper(
        f"UPDATE registry_version SET {new} WHERE {old} AND tag_id = "
        "(SELECT id FROM registry_tag WHERE text = 'acme/line')"
    )


def missing(number: str) -> str:
    return rf"version.published acme/line@{number}: there is no such version; expected"


def stated(old: str, new: str) -> str:
    """Return the finding that the log has another number."""
    return rf"event \d+ states that acme/line@{old} is .*; expected acme/line@{new} is"


def test_active_mixin_and_target_of_a_major_are_found() -> None:
    publish("acme/line", {"mcpu": "haswell"})
    publish("acme/line", LEAF)
    renumber("major = 2", "major = 1, minor = 1")
    assert_found(
        r"acme/line@1\.1\.0: it is a target; expected a mixin, as acme/line@1\.0\.0; yank one",
        missing("2.0.0"),
        stated("2.0.0", "1.1.0"),
    )


def test_versions_of_a_minor_with_another_build_are_found() -> None:
    publish("acme/line", LEAF)
    publish("acme/line", {**LEAF, "runtime": "cpp"})
    yank("acme/line@1.1.0")  # does not matter: it could come back at any time
    renumber("minor = 1", "minor = 0, patch = 1")
    assert_found(
        r"acme/line@1\.0\.1: build_digest is bk1:.*; expected as acme/line@1\.0\.0 has, bk1:",
        missing("1.1.0"),
        stated("1.1.0", "1.0.1"),
    )


def test_other_majors_and_yanked_versions_may_differ() -> None:
    publish("acme/line", machine(LEAF))
    publish("acme/line", machine({**LEAF, "mcpu": "haswell"}))
    publish("acme/line", machine({**LEAF, "mcpu": "haswell"}, KEYLESS))
    yank("acme/line@2.1.0")
    publish("acme/line", {"mcpu": "haswell"})
    versions = Version.objects.filter(tag__text="acme/line").order_by("pk")
    numbers = [str(row.number) for row in versions]
    assert numbers == ["1.0.0", "2.0.0", "2.1.0", "3.0.0"]
    assert_found()
