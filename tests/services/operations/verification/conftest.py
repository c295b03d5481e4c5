"""Fixtures for verification tests."""

from collections.abc import Iterator

import pytest

from registry.domain.reference import Reference, Tag
from registry.models import Namespace
from registry.services.catalogue import loading, shipped_kinds
from registry.services.catalogue.load_run import CatalogueLoad
from registry.services.core.permissions import Actor
from registry.services.namespaces import namespaces
from registry.services.tags import aliases, deprecation
from registry.services.versions import yanking
from tests.databases import connected_to_new_registry
from tests.people import make_acme, make_alice
from tests.publishing import chain, publish, yank

BOARD = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell"}
MIXIN = {"executor": "aot", "libs": {"$append": ["cmsis-nn"]}}
PAIR = {"kind": "composite", "devices": {"a": "acme/board@1", "b": "acme/link-2"}}


@pytest.fixture(scope="module", autouse=True)
def stored(module_transaction: None) -> None:
    """Create rows for every check, after the shipped kinds."""
    shipped_kinds.load_kinds(CatalogueLoad(loading.catalogue_account(), frozenset(), is_plan=False))
    make_acme()
    alice = make_alice()
    if not Namespace.objects.filter(name="arm").exists():
        namespaces.create_namespace("arm", actor=Actor.operator(alice))
    publish("acme/board", BOARD, message="first")
    publish("acme/board", {**BOARD, "runtime": "cpp"})
    chain(3)
    publish("acme/extra", MIXIN)
    publish("acme/pair", PAIR)
    aliases.point_alias(
        "acme/Board,1", Reference.parse("acme/board@1.0.0"), actor=Actor.operator(alice)
    )
    publish("acme/aliased", {"tag": "acme/Board,1", "num-cores": 2})
    yank("acme/board@1.0.0")
    yanking.unyank(
        Reference.parse("acme/board@1.0.0"), reason="it was right", actor=Actor.operator(alice)
    )
    deprecation.deprecate(Tag.parse("acme/board"), reason="sold out", actor=Actor.operator(alice))


@pytest.fixture(scope="package")
def django_db_setup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Use a database without the shipped tags, which each test would verify."""
    folder = tmp_path_factory.mktemp("database")
    with connected_to_new_registry(folder, loaded=False):
        yield
