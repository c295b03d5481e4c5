"""Where a write is in the log, if nodes read from standbys; a primary is no standby."""

import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from registry.models import User
from registry.services.operations import replication

pytestmark = pytest.mark.django_db


@pytest.fixture
def _standbys(settings: Settings) -> None:
    settings.STANDBY_LAG = 5


def test_without_standbys_no_write_has_a_position() -> None:
    assert replication.written_position() is None
    assert not replication.is_standby()


@pytest.mark.usefixtures("_standbys")
def test_position_advances_with_each_write_on_postgresql_only(alice: User) -> None:
    before = replication.written_position()
    alice.save()
    after = replication.written_position()
    if connection.vendor == "sqlite":
        assert before is None
        assert after is None
    else:
        assert before
        assert after
        assert after > before
        assert after.has(before)
        assert not before.has(after)


@pytest.mark.usefixtures("_standbys")
def test_primary_is_no_standby() -> None:
    assert not replication.is_standby()
