"""Findings of a tampered log: its tree, tiles, leaves and keys."""

# ruff: noqa: S608 - statements of these tests

import re

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from registry.domain.event_log.notes import Verifier
from registry.models import LogKey, LogTile, User
from tests.publishing import yank
from tests.services.operations.long_log import lengthen_log
from tests.services.operations.tampering import tamper
from tests.services.operations.verification.findings import FIRST, assert_found

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def full_tile(stored: None) -> None:
    lengthen_log(User.objects.get(username="alice"))
    yank("acme/extra@1.0.0")  # an event after those of the tile


LAST = "(SELECT max(size) FROM registry_logrange)"
NOT_THOSE = r"registry_logrange (\d+): events \d+ to \1 are not those that the tree covers"
YANK = "(SELECT max(number) FROM registry_event WHERE action = 'version.yanked')"
TAMPERED = [
    pytest.param(
        "UPDATE registry_event SET action = 'version.unyanked' WHERE number = " + YANK,
        (NOT_THOSE,),
        id="the action of an event",
    ),
    pytest.param(
        "UPDATE registry_event SET subject = 'acme/board@1.0.1' WHERE number = " + YANK,
        (NOT_THOSE,),
        id="the subject of an event",
    ),
    pytest.param(
        "UPDATE registry_event SET created = '2020-01-01 00:00:00+00:00' WHERE number = " + YANK,
        (NOT_THOSE,),
        id="the time of an event",
    ),
    pytest.param(
        f"DELETE FROM registry_event WHERE number = {LAST}",
        (NOT_THOSE,),
        id="the last event",
    ),
    pytest.param(
        f"DELETE FROM registry_logrange WHERE size = {LAST}",
        (r"registry_logrange \d+: event \d+ is not covered; expected all events",),
        id="the last size",
    ),
    pytest.param(
        f"UPDATE registry_logrange SET hashes = %s WHERE size = {LAST}",
        (NOT_THOSE,),
        id="the hashes of a size",
    ),
    pytest.param(
        'UPDATE registry_logtile SET hashes = %s WHERE level = 0 AND "index" = 0',
        (r"registry_logtile 0/0: its hashes do not have its root",),
        id="the hashes of a tile",
    ),
    pytest.param(
        'UPDATE registry_logtile SET root = %s WHERE level = 0 AND "index" = 0',
        (
            r"registry_logtile 0/0: has another root; expected that of its events",
            r"registry_logtile 0/0: its hashes do not have its root",
        ),
        id="the root of a tile",
    ),
    pytest.param(
        'DELETE FROM registry_logtile WHERE level = 0 AND "index" = 0',
        (r"registry_logtile 0/0: is missing; expected that of its events",),
        id="a tile",
    ),
    pytest.param(
        f"DELETE FROM registry_versionleaf WHERE version_id = "
        f"(SELECT id FROM registry_version WHERE {FIRST})",
        (r"registry_versionleaf acme/board@1\.0\.0: no event states its digest",),
        id="the leaf of a version",
    ),
    pytest.param(
        f"UPDATE registry_versionleaf SET event = {YANK} WHERE version_id = "
        f"(SELECT id FROM registry_version WHERE {FIRST})",
        (r"registry_versionleaf acme/board@1\.0\.0: event \d+ states that .* is None",),
        id="the event of a version",
    ),
    pytest.param(
        "UPDATE registry_logkey SET key = 'r/log+00000000+AA=='",
        (r"registry_logkey \d+: .* is no Ed25519 key",),
        id="a key",
    ),
]


@pytest.mark.any_database
@pytest.mark.parametrize(("statement", "expected"), TAMPERED)
def test_tampered_log_is_found(statement: str, expected: tuple[str, ...]) -> None:
    tamper(statement, *([b"x" * 32] if "%s" in statement else []))
    assert_found(*expected)


def test_key_that_the_last_one_did_not_endorse_is_found() -> None:
    first, second, third = (Verifier.of("r/log", Ed25519PrivateKey.generate()) for _ in range(3))
    LogKey.objects.create(origin="r/log", key=str(first), since=9)  # as after a fork
    LogKey.objects.create(origin="r/log", key=str(second), since=10, endorsement="AAAA")
    LogKey.objects.create(origin="r/log", key=str(third), since=11)
    assert_found(
        rf"{re.escape(str(second))}: the last key did not endorse it",
        rf"{re.escape(str(third))}: the last key did not endorse it",
    )


def test_untouched_log_has_no_findings() -> None:
    assert LogTile.objects.exists()
    assert_found()
