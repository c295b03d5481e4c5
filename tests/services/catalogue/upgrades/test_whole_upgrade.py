"""A complete catalogue upgrade, from an operator's view."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.models import User
from registry.services.catalogue import loading
from registry.services.catalogue.load_run import LoadResult
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from tests.publishing import publish, row_counts
from tests.services.catalogue.upgrades.catalogues import Catalogue, bodies, change_names, cores
from tests.services.kinds.schemas import with_option

pytestmark = pytest.mark.django_db

DESCRIPTION = shipped_facts.kinds()["c"]["description"]
OWN_KIND = (
    "Skipped: Revision 2 of the kind llvm was made by alice; the shipped schema was never in force."
    " manage.py load_catalogue --adopt llvm makes the shipped schema revision 3."
)
OWN_VERSION = (
    "Skipped: vendor/board@3.0.0 was published by alice, so 1 shipped version cannot follow. "
    "manage.py load_catalogue --adopt vendor/board publishes it after it."
)


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    call_command("load_catalogue", *arguments)
    return capsys.readouterr().out.splitlines()


def test_upgrade_keeps_local_changes(
    catalogue: Catalogue, alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    """Revise and publish, then plan, load and adopt a new catalogue."""
    own = with_option(shipped_facts.kinds()["llvm"], "num-cores", description="Ours.")
    kinds.revise_kind("llvm", own, actor=Actor.operator(alice))
    publish("vendor/board", cores(16))

    catalogue.kinds["llvm"] = with_option(catalogue.kinds["llvm"], "num-cores", default=4)
    catalogue.kinds["c"] = catalogue.kinds["c"] | {"description": "Newer."}
    catalogue.ship("vendor/board", cores(1), cores(2), cores(3), aliases=("vendor/brd",))
    catalogue.ship("vendor/new", cores(64))

    before = row_counts()
    plan = command(capsys, "--plan")
    assert row_counts() == before
    assert plan[:4] == [
        "kind c, revision 2",
        f"    the kind, documentation: description {DESCRIPTION} becomes description Newer.",
        "version vendor/new@1.0.0",
        OWN_KIND,
    ]
    assert plan[4] == "    option num-cores, default: nothing becomes 4"
    assert plan[-2:] == [
        OWN_VERSION,
        "Catalogue: would load 1 kind, 1 version.",
    ]

    assert command(capsys) == [OWN_KIND, OWN_VERSION, "Catalogue: 1 kind, 1 version."]
    assert kinds.find_kind("llvm").source == own
    assert bodies("vendor/board") == [cores(1), cores(2), cores(16)]

    assert command(capsys) == [OWN_KIND, OWN_VERSION, "Catalogue: nothing new."]

    assert command(capsys, "--adopt", "llvm", "vendor/board") == ["Catalogue: 1 kind, 1 version."]
    assert kinds.find_kind("llvm").revision == 3
    assert kinds.find_kind("llvm").source == catalogue.kinds["llvm"]
    assert bodies("vendor/board")[-1] == cores(3)
    assert command(capsys) == ["Catalogue: nothing new."]


def test_loading_twice_changes_nothing(catalogue: Catalogue) -> None:
    before = row_counts()
    assert loading.load_catalogue() == LoadResult((), ())
    assert row_counts() == before


def test_plan_equals_a_load(catalogue: Catalogue) -> None:
    catalogue.namespaces.append("maker")
    catalogue.ship("maker/part", {"tag": "vendor/board"}, aliases=("maker/p",))
    catalogue.kinds["npu"] = catalogue.kinds["c"] | {"title": "npu"}
    before = row_counts()
    plan = loading.plan_load()
    assert row_counts() == before
    assert change_names(plan) == [
        "maker",
        "npu, revision 1",
        "maker/part@1.0.0",
        "maker/p, for maker/part",
    ]
    assert loading.load_catalogue() == plan


def test_load_lists_some_of_the_skipped_names(
    catalogue: Catalogue, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(23):
        publish(f"vendor/own-{number}", cores(1))
        catalogue.ship(f"vendor/own-{number}", cores(2))
    lines = command(capsys)
    assert lines[-2:] == [
        "Skipped: 3 more. manage.py load_catalogue --plan shows them.",
        "Catalogue: nothing new.",
    ]
    assert len(lines) == 22
    assert len(command(capsys, "--plan")) == 24


def test_number_of_queries_does_not_depend_on_existing_rows(catalogue: Catalogue) -> None:
    loading.load_catalogue()
    with CaptureQueriesContext(connection) as few:
        loading.load_catalogue()
    for number in range(10):
        catalogue.ship(f"vendor/more-{number}", cores(number + 1), cores(number + 20))
    loading.load_catalogue()
    with CaptureQueriesContext(connection) as many:
        loading.load_catalogue()
    assert len(many) == len(few)
    assert (
        len(many) <= 14
    )  # one is for the pages that SQLite keeps, one for whether it is the first load
