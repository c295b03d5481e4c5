"""The migration that gives tags their places in lists that begin with machines."""

from importlib import import_module

import pytest
from django.apps import apps

from registry.domain.search.list_columns import FAMILY_PLACE, MACHINES_FIRST
from registry.models import Entry, Tag
from registry.services.search import indexing
from tests.publishing import publish

migration = import_module("registry.migrations.0009_places")
families = import_module("registry.migrations.0011_families_last")

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
    families.move_families(apps, None)
    assert places() == before
    indexing.rebuild_index()
    assert places() == before


def test_existing_families_get_the_place_that_a_rebuild_gives() -> None:
    assert families.FAMILY_PLACE == FAMILY_PLACE
    for name in ("card", "cards"):
        publish(f"acme/{name}", {"kind": "cuda", "hardware": {"category": "gpu"}})
    Tag.objects.filter(text="acme/cards").update(is_family=True)
    families.move_families(apps, None)
    before = places()
    assert (before["acme/card"], before["acme/cards"]) == (1, FAMILY_PLACE)
    indexing.rebuild_index()
    assert places() == before
