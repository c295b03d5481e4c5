"""A database that receives from no primary is never called up to date."""

import pytest
from pytest_django.fixtures import Settings

from registry.services.operations import replication

pytestmark = pytest.mark.django_db


def test_receiver_that_waits_longer_than_the_lag_is_a_problem(settings: Settings) -> None:
    settings.STANDBY_LAG = 5
    problem = replication.lag_problem()
    assert problem == "wal_receiver_timeout of the standby is longer than REGISTRY_STANDBY_LAG"


def test_database_without_a_receiver_has_lost_its_primary(settings: Settings) -> None:
    settings.STANDBY_LAG = 60
    problem = replication.lag_problem()
    assert problem
    assert "it has lost its primary, and has replayed no commit for an unknown time" in problem
