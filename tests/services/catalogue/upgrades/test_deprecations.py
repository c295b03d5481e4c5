"""Shipped tags that others supersede."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Reference, Tag as TagName
from registry.models import Deprecation, Entry, Event, User
from registry.services.catalogue import loading
from registry.services.catalogue.load_run import LoadResult
from registry.services.core.permissions import Actor
from registry.services.core.shipped_facts import ShippedDeprecation
from registry.services.tags import deprecation
from registry.services.versions import resolving
from tests.publishing import publish
from tests.services.catalogue.upgrades.catalogues import (
    Catalogue,
    change_names,
    cores,
    skip_reasons,
)

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

BOARD, NEXT = TagName.parse("vendor/board"), TagName.parse("vendor/next")


@pytest.fixture
def upgrade(catalogue: Catalogue) -> Catalogue:
    """Ship a tag that supersedes one that is loaded."""
    catalogue.ship("vendor/next", cores(8))
    supersede(catalogue, "vendor/board", "vendor/next")
    return catalogue


def supersede(
    catalogue: Catalogue, tag: str, successor: str, reason: str = "The same board"
) -> None:
    deprecated = ShippedDeprecation(successor, reason)
    catalogue.tags[tag] = replace(catalogue.tags[tag], deprecated=deprecated)


def status(tag: str) -> tuple[str, str | None]:
    answer = resolving.resolve(Reference.parse(tag))
    return answer.status, answer.warnings[0].successor if answer.warnings else None


@pytest.mark.usefixtures("upgrade")
def test_superseded_tag_is_deprecated_with_its_successor() -> None:
    before = resolving.resolve(Reference.parse("vendor/board"))
    result = loading.load_catalogue()
    assert change_names(result) == ["vendor/next@1.0.0", "vendor/board, superseded by vendor/next"]
    after = resolving.resolve(Reference.parse("vendor/board"))
    assert (after.exact, after.target) == (before.exact, before.target)
    assert status("vendor/board") == ("deprecated", "vendor/next")
    assert status("vendor/brd") == ("deprecated", "vendor/next")  # its alias
    assert status("vendor/kit") == ("active", None)
    assert Entry.objects.get(text="vendor/board").status == "deprecated"
    event = Event.objects.get(action="tag.deprecated")
    assert (event.subject, event.actor.username) == ("vendor/board", loading.ACCOUNT)
    assert '"successor": "vendor/next"' in event.detail


@pytest.mark.usefixtures("upgrade")
def test_loading_again_changes_nothing() -> None:
    loading.load_catalogue()
    assert loading.load_catalogue() == LoadResult((), ())
    assert Deprecation.objects.count() == 1


def test_another_successor_replaces_the_first(upgrade: Catalogue) -> None:
    loading.load_catalogue()
    supersede(upgrade, "vendor/board", "vendor/kit")
    assert change_names(loading.load_catalogue()) == ["vendor/board, superseded by vendor/kit"]
    assert status("vendor/board") == ("deprecated", "vendor/kit")


def test_another_reason_replaces_the_first(upgrade: Catalogue) -> None:
    loading.load_catalogue()
    supersede(upgrade, "vendor/board", "vendor/next", "Its successor has another mattr")
    assert change_names(loading.load_catalogue()) == ["vendor/board, superseded by vendor/next"]
    assert loading.load_catalogue() == LoadResult((), ())
    [warning] = resolving.resolve(Reference.parse("vendor/board")).warnings
    assert "Its successor has another mattr" in warning.message


@pytest.mark.usefixtures("upgrade")
def test_reason_of_others_for_the_same_successor_stays(alice: User) -> None:
    loading.load_catalogue()
    deprecation.undeprecate(BOARD, reason="Wait", actor=Actor.operator(alice))
    successor = TagName.parse("vendor/next")
    deprecation.deprecate(BOARD, reason="Ours", actor=Actor.operator(alice), successor=successor)
    assert loading.load_catalogue() == LoadResult((), ())
    assert Deprecation.objects.order_by("-sequence")[0].reason == "Ours"


@pytest.mark.usefixtures("upgrade")
def test_a_deprecation_that_somebody_took_back_stays_so(alice: User) -> None:
    loading.load_catalogue()
    deprecation.undeprecate(BOARD, reason="We use it", actor=Actor.operator(alice))
    assert skip_reasons(loading.load_catalogue()) == {
        "vendor/board": "alice took back the deprecation of vendor/board, so it keeps this status. "
        "manage.py load_catalogue --adopt vendor/board deprecates it in favour of vendor/next."
    }
    assert status("vendor/board") == ("active", None)
    loading.load_catalogue(adopt=["vendor/board"])
    assert status("vendor/board") == ("deprecated", "vendor/next")


@pytest.mark.usefixtures("upgrade")
def test_a_deprecation_by_others_keeps_its_successor(alice: User) -> None:
    kit = TagName.parse("vendor/kit")
    deprecation.deprecate(BOARD, reason="Old", actor=Actor.operator(alice), successor=kit)
    assert "alice deprecated vendor/board" in skip_reasons(loading.load_catalogue())["vendor/board"]
    assert status("vendor/board") == ("deprecated", "vendor/kit")


@pytest.mark.usefixtures("upgrade")
def test_a_tag_that_others_published_to_is_not_deprecated() -> None:
    publish("vendor/board", cores(16))
    reason = skip_reasons(loading.load_catalogue())["vendor/board"]
    assert "alice published to vendor/board" in reason
    assert status("vendor/board") == ("active", None)


def test_nothing_is_deprecated_without_its_successor(catalogue: Catalogue) -> None:
    supersede(catalogue, "vendor/board", "vendor/missing")
    assert loading.load_catalogue() == LoadResult((), ())
    assert status("vendor/board") == ("active", None)


@pytest.mark.usefixtures("upgrade")
def test_a_plan_deprecates_nothing() -> None:
    assert loading.plan_load().counts == {"version": 1, "deprecation": 1}
    assert not Deprecation.objects.exists()


def test_many_take_as_many_queries_as_one(catalogue: Catalogue) -> None:
    counts = []
    for names in (("a",), ("b", "c", "d", "e")):
        for name in names:
            catalogue.ship(f"vendor/{name}", cores(3))
        loading.load_catalogue()
        for name in names:
            supersede(catalogue, f"vendor/{name}", "vendor/board")
        with CaptureQueriesContext(connection) as queries:
            loading.load_catalogue()
        counts.append(len(queries))
    assert counts[0] == counts[1]
