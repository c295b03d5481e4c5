"""The migration that indexes the years of launch dates in existing registries."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.models import Attribute
from registry.services.search import indexing
from tests.publishing import publish

launch_years = import_module("registry.migrations.0002_launch_years")

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]


def years() -> set[tuple[str, str, str, float | None]]:
    rows = Attribute.objects.filter(name="year")
    return set(rows.values_list("tag__text", "pointer", "text", "number"))


def test_existing_rows_get_the_years_that_a_rebuild_gives() -> None:
    for name, launched in (("a", "2022-10"), ("b", "2019")):
        publish(f"acme/{name}", {"kind": "cuda", "hardware": {"launched": launched}})
    device = {"kind": "cuda", "arch": "sm_90", "hardware": {"launched": "2021"}}
    publish("acme/c", {"kind": "composite", "devices": {"gpu": device}})
    Attribute.objects.filter(name="year").delete()
    launch_years.add_years(apps, None)
    migrated = years()
    assert {row for row in migrated if row[0].startswith("acme/")} == {
        ("acme/a", "/hardware/launched/year", "2022", 2022),
        ("acme/b", "/hardware/launched/year", "2019", 2019),
        ("acme/c", "/devices/gpu/hardware/launched/year", "2021", 2021),
    }
    indexing.rebuild_index()
    assert years() == migrated


def test_years_that_are_there_stay_single() -> None:
    publish("acme/a", {"kind": "cuda", "hardware": {"launched": "2022-10"}})
    count = Attribute.objects.count()
    with CaptureQueriesContext(connection) as queries:
        launch_years.add_years(apps, None)
    assert Attribute.objects.count() == count
    assert len(queries) == 2
