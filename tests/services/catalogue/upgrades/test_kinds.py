"""Shipped kinds that others have revised."""

import pytest

from registry.domain.errors import Refused
from registry.models import User
from registry.services.catalogue import loading
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from tests.publishing import publish, written, yank
from tests.services.catalogue.upgrades.catalogues import Catalogue, cores, left, redact
from tests.services.kinds.schemas import with_at_most, with_option, without

pytestmark = pytest.mark.django_db


def test_shipped_revision_follows_a_shipped_revision(ships: Catalogue) -> None:
    ships.kinds["c"] = ships.kinds["c"] | {"description": "Newer."}
    assert loading.load_catalogue().counts == {"kind": 1}
    assert kinds.find_kind("c").source["description"] == "Newer."


def test_revision_based_on_what_ships_differs_from_a_missing_one(
    ships: Catalogue, alice: User
) -> None:
    kinds.revise_kind("c", ships.kinds["c"] | {"description": "Ours."}, actor=Actor.operator(alice))
    assert "what ships was revision 1" in left(loading.load_catalogue())["c"]
    kinds.revise_kind("c", ships.kinds["c"], actor=Actor.operator(alice))
    assert left(loading.load_catalogue()) == {}


def test_shipped_revision_that_breaks_a_version_does_not_stop_others(ships: Catalogue) -> None:
    publish("acme/board", cores(5000))
    ships.kinds["llvm"] = with_at_most(4000)
    ships.kinds["c"] = ships.kinds["c"] | {"description": "Newer."}
    loaded = loading.load_catalogue()
    assert [each.name for each in loaded.made] == ["c, revision 2"]
    assert left(loaded) == {
        "llvm": "The kind llvm stays as it is. The new revision of llvm is not accepted: "
        "acme/board@1.0.0 would be invalid: 5000 is not 4000 or less. Publish versions that are "
        "valid under both, or yank those that are not, then load again."
    }
    yank("acme/board@1.0.0")
    assert [each.name for each in loading.load_catalogue().made] == ["llvm, revision 2"]


def test_option_moves_between_kinds_although_another_revision_fails(ships: Catalogue) -> None:
    """Load two kinds of which one depends on the other, in either order."""
    publish("acme/mixin", {"fast-math": True})
    publish("acme/board", {"kind": "cuda", "arch": "sm_90", "max_num_threads": 512})
    llvm, cuda = ships.kinds["llvm"], ships.kinds["cuda"]
    ships.kinds["metal"] = with_option(
        ships.kinds["metal"], "fast-math", **llvm["properties"]["fast-math"]
    )
    ships.kinds["llvm"] = without(llvm, "fast-math")
    ships.kinds["cuda"] = without(cuda, "max_num_threads")
    loaded = loading.load_catalogue()
    assert {each.name for each in loaded.made} == {"llvm, revision 2", "metal, revision 2"}
    assert left(loaded).keys() == {"cuda"}


def test_adopting_a_kind_that_breaks_a_version_loads_nothing(ships: Catalogue, alice: User) -> None:
    kinds.revise_kind(
        "llvm", ships.kinds["llvm"] | {"description": "Ours."}, actor=Actor.operator(alice)
    )
    publish("acme/board", cores(5000))
    ships.kinds["llvm"] = with_at_most(4000)
    ships.ship("vendor/new", cores(4))
    before = written()
    with pytest.raises(Refused, match="5000 is not 4000 or less"):
        loading.load_catalogue(adopt=["llvm"])
    assert written() == before
    assert kinds.find_kind("llvm").source["description"] == "Ours."


def test_redacted_revision_is_not_loaded_again(ships: Catalogue, alice: User) -> None:
    ships.kinds["c"] = ships.kinds["c"] | {"description": "By Carol Danvers."}
    loading.load_catalogue()
    redact("Carol Danvers", alice)
    loaded = loading.load_catalogue()
    assert not loaded.made
    assert left(loaded).keys() == {"c"}
    assert "Revision 2 of the kind c was redacted" in left(loaded)["c"]
