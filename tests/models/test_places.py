"""The migration that gives tags their places in lists that begin with machines."""

from importlib import import_module

import pytest
from django.apps import apps

from registry.domain.search.machine_order import MACHINES_FIRST
from registry.models import Entry
from registry.services.search import indexing
from tests.publishing import publish

migration = import_module("registry.migrations.0009_places")

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]


def places() -> dict[str, int]:
    return dict(Entry.objects.values_list("text", "place"))


def test_existing_rows_get_the_places_that_a_rebuild_gives() -> None:
    assert migration.MACHINES_FIRST == MACHINES_FIRST
    publish("acme/card", {"kind": "cuda", "hardware": {"category": "gpu"}})
    publish("acme/plain", {"kind": "cuda"})
    before = places()
    assert (before["acme/card"], before["acme/plain"]) == (1, len(MACHINES_FIRST))
    Entry.objects.update(place=len(MACHINES_FIRST))
    migration.set_places(apps, None)
    assert places() == before
    indexing.rebuild_index()
    assert places() == before
