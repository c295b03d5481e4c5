"""Fixtures for verification tests."""

import pytest

from registry.domain.reference import Reference, Tag
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, deprecation
from registry.services.versions import yanking
from tests.people import make_acme, make_alice
from tests.publishing import chain, publish, yank

BOARD = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell"}
MIXIN = {"executor": "aot", "libs": {"$append": ["cmsis-nn"]}}
PAIR = {"kind": "composite", "devices": {"a": "acme/board@1", "b": "acme/link-2"}}


@pytest.fixture(scope="module", autouse=True)
def stored(module_transaction: None) -> None:
    """Create rows for every check."""
    make_acme()
    alice = make_alice()
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
