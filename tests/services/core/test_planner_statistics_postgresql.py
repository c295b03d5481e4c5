"""The statistics from which PostgreSQL plans queries."""

import pytest
from django.db import connection

from registry.models import Version
from registry.services.core.planner_statistics import update_planner_statistics

pytestmark = pytest.mark.django_db


def row_estimate() -> int:
    """Return how many versions PostgreSQL expects; -1 if it has never counted them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = 'registry_version'")
        (estimate,) = cursor.fetchone()
        return int(estimate)


def test_statistics_count_the_rows() -> None:
    update_planner_statistics()
    assert row_estimate() == Version.objects.count()
