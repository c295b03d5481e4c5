"""The lock file keeps what was released."""

import pytest

from catalogue_tools import releases
from catalogue_tools.releases import (
    extend_lock,
    lock_problems,
    locked_versions,
    tags_of_release,
)
from registry.services.catalogue import lock
from registry.services.catalogue.lock import (
    UNRELEASED,
    Lock,
    LockedVersion,
    LockError,
    lock_text,
    parse_lock,
)
from registry.services.core.shipped_facts import ShippedTag, ShippedVersion
from tests.domain.shipped import library
from ttag_rules.version_number import VersionNumber


def version(tag: str, number: str = "1.0.0", digest: str = "sha256:a") -> LockedVersion:
    return LockedVersion(tag, VersionNumber.parse(number), digest)


MIGRATIONS = {"0001_initial": "1a2b"}
FIRST = extend_lock(
    Lock(), [version("a/b10"), version("a/b2", "1.1.0"), version("a/b2")], MIGRATIONS, "0.1"
)


def test_every_locked_version_and_migration_is_shipped_unchanged() -> None:
    shipped, migrations = locked_versions(library()), releases.shipped_migrations()
    assert lock_problems(lock.read_lock(), shipped, migrations) == []


def test_new_lock_is_unreleased() -> None:
    assert Lock().release == UNRELEASED
    assert parse_lock(lock_text(Lock())) == Lock()


def test_release_has_the_tags_and_versions_of_its_time() -> None:
    lock = extend_lock(FIRST, [*FIRST.versions, version("a/b2", "2.0.0")], MIGRATIONS, "0.2")
    bodies = [ShippedVersion(number, "") for number in ("1.0.0", "1.1.0", "2.0.0", "3.0.0")]
    tags = [ShippedTag("a/b2", (), tuple(bodies)), ShippedTag("a/new", (), tuple(bodies[:1]))]
    for name, count in (("0.1", 2), ("0.2", 3)):
        [tag] = tags_of_release(lock, name, tags)
        assert (tag.name, len(tag.versions)) == ("a/b2", count)


def test_release_has_a_line_for_each_version_in_natural_order() -> None:
    assert FIRST.release == "0.1"
    assert list(map(str, FIRST.versions)) == ["a/b2@1.0.0", "a/b2@1.1.0", "a/b10@1.0.0"]
    assert parse_lock(lock_text(FIRST)) == FIRST
    assert '["a/b2", "1.1.0", "sha256:a"],\n' in lock_text(FIRST)


def test_later_release_leaves_the_earlier_lines_as_they_are() -> None:
    second = extend_lock(
        FIRST, [*FIRST.versions, version("a/a")], MIGRATIONS | {"0002_more": "3c"}, "0.2"
    )
    assert list(map(str, second.releases[1].versions)) == ["a/a@1.0.0"]
    assert second.releases[1].migrations == {"0002_more": "3c"}
    assert second.migrations == MIGRATIONS | {"0002_more": "3c"}
    assert parse_lock(lock_text(second)) == second
    old, new = lock_text(FIRST).splitlines()[1:-1], lock_text(second).splitlines()
    assert [line for line in old if line not in new] == []
    assert [dict(counts) for counts in second.counts()] == [
        {"a/b2": 2, "a/b10": 1},
        {"a/b2": 2, "a/b10": 1, "a/a": 1},
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('["a/b2", "1.1.0", "sha256:a"],\n', ""),
        ("sha256:a", "sha256:b"),
        ('"release": "0.1"', '"release": "0.2"'),
    ],
)
def test_line_cannot_vanish_or_change_unnoticed(old: str, new: str) -> None:
    with pytest.raises(LockError, match="restore the file"):
        parse_lock(lock_text(FIRST).replace(old, new, 1))


@pytest.mark.parametrize(
    ("shipped", "problem"),
    [
        (FIRST.versions[:2], "a/b10@1.0.0 is locked and no longer shipped."),
        (
            [*FIRST.versions[:2], version("a/b10", digest="sha256:b")],
            "a/b10@1.0.0 has another target than the one that is locked.",
        ),
    ],
)
def test_locked_version_that_is_not_shipped_is_a_problem(
    shipped: list[LockedVersion], problem: str
) -> None:
    assert lock_problems(FIRST, shipped, MIGRATIONS) == [problem]
    with pytest.raises(LockError, match=problem):
        extend_lock(FIRST, shipped, MIGRATIONS, "0.2")


@pytest.mark.parametrize("name", ["0.1", UNRELEASED])
def test_release_needs_a_new_name(name: str) -> None:
    with pytest.raises(LockError, match="cannot be the name of a new release"):
        extend_lock(FIRST, FIRST.versions, MIGRATIONS, name)


@pytest.mark.parametrize("migrations", [{}, {"0001_initial": "other"}], ids=["removed", "edited"])
def test_released_migration_stays(migrations: dict[str, str]) -> None:
    assert lock_problems(FIRST, FIRST.versions, migrations) == [
        "The migration 0001_initial is released: restore it, and add another one."
    ]


def test_every_migration_has_a_digest() -> None:
    digests = releases.shipped_migrations()
    assert "0001_initial" in digests
    assert {len(digest) for digest in digests.values()} == {64}
