"""A whole catalogue upgrade, as an operator sees it."""

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
from tests.publishing import publish, written
from tests.services.catalogue.upgrades.catalogues import Catalogue, bodies, cores
from tests.services.kinds.schemas import with_option

pytestmark = pytest.mark.django_db

DESCRIPTION = shipped_facts.kinds()["c"]["description"]
OWN_KIND = (
    "Left alone: Revision 2 of the kind llvm is alice's; what ships was never in force. "
    "manage.py load_catalogue --adopt llvm puts what ships in force as revision 3."
)
OWN_VERSION = (
    "Left alone: vendor/board@3.0.0 is alice's, and 1 version that would ship is not there. "
    "manage.py load_catalogue --adopt vendor/board publishes it on top."
)


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    call_command("load_catalogue", *arguments)
    return capsys.readouterr().out.splitlines()


def test_upgrade_keeps_what_an_admin_has_changed(
    ships: Catalogue, alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    """Revise and publish, then plan, load and adopt a new catalogue."""
    own = with_option(shipped_facts.kinds()["llvm"], "num-cores", description="Ours.")
    kinds.revise_kind("llvm", own, actor=Actor.operator(alice))
    publish("vendor/board", cores(16))

    ships.kinds["llvm"] = with_option(ships.kinds["llvm"], "num-cores", default=4)
    ships.kinds["c"] = ships.kinds["c"] | {"description": "Newer."}
    ships.ship("vendor/board", cores(1), cores(2), cores(3), aliases=("vendor/brd",))
    ships.ship("vendor/new", cores(64))

    before = written()
    planned = command(capsys, "--plan")
    assert written() == before
    assert planned[:4] == [
        "kind c, revision 2",
        f"    the kind, documentation: description {DESCRIPTION} becomes description Newer.",
        "version vendor/new@1.0.0",
        OWN_KIND,
    ]
    assert planned[4] == "    option num-cores, default: nothing becomes 4"
    assert planned[-2:] == [
        OWN_VERSION,
        "Catalogue: would load 1 kind, 1 version.",
    ]

    assert command(capsys) == [OWN_KIND, OWN_VERSION, "Catalogue: 1 kind, 1 version."]
    assert kinds.find_kind("llvm").source == own
    assert bodies("vendor/board") == [cores(1), cores(2), cores(16)]

    assert command(capsys) == [OWN_KIND, OWN_VERSION, "Catalogue: nothing new."]

    assert command(capsys, "--adopt", "llvm", "vendor/board") == ["Catalogue: 1 kind, 1 version."]
    assert kinds.find_kind("llvm").revision == 3
    assert kinds.find_kind("llvm").source == ships.kinds["llvm"]
    assert bodies("vendor/board")[-1] == cores(3)
    assert command(capsys) == ["Catalogue: nothing new."]


def test_loading_twice_does_nothing(ships: Catalogue) -> None:
    before = written()
    assert loading.load_catalogue() == LoadResult((), ())
    assert written() == before


def test_plan_equals_a_load(ships: Catalogue) -> None:
    ships.namespaces.append("maker")
    ships.ship("maker/part", {"tag": "vendor/board"}, aliases=("maker/p",))
    ships.kinds["npu"] = ships.kinds["c"] | {"title": "npu"}
    before = written()
    planned = loading.plan_load()
    assert written() == before
    assert [each.name for each in planned.made] == [
        "maker",
        "npu, revision 1",
        "maker/part@1.0.0",
        "maker/p, for maker/part",
    ]
    assert loading.load_catalogue() == planned


def test_load_lists_some_of_the_skipped_names(
    ships: Catalogue, capsys: pytest.CaptureFixture[str]
) -> None:
    for at in range(23):
        publish(f"vendor/own-{at}", cores(1))
        ships.ship(f"vendor/own-{at}", cores(2))
    shown = command(capsys)
    assert shown[-2:] == [
        "Left alone: 3 more. manage.py load_catalogue --plan shows them.",
        "Catalogue: nothing new.",
    ]
    assert len(shown) == 22
    assert len(command(capsys, "--plan")) == 24


def test_number_of_queries_does_not_depend_on_existing_rows(ships: Catalogue) -> None:
    loading.load_catalogue()
    with CaptureQueriesContext(connection) as few:
        loading.load_catalogue()
    for at in range(10):
        ships.ship(f"vendor/more-{at}", cores(at + 1), cores(at + 20))
    loading.load_catalogue()
    with CaptureQueriesContext(connection) as many:
        loading.load_catalogue()
    assert len(many) == len(few)
    assert len(many) <= 12
