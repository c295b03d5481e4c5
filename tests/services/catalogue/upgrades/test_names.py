"""Shipped names that others have taken."""

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.models import Name, User
from registry.services.catalogue import loading
from registry.services.catalogue.load_run import LoadResult
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from tests.publishing import publish
from tests.services.catalogue.upgrades.catalogues import LLVM, Catalogue, cores, left

pytestmark = pytest.mark.django_db


def test_repointed_alias_is_left_alone(ships: Catalogue, alice: User) -> None:
    aliases.point_alias(
        "vendor/brd", Reference.parse("vendor/board@1.0.0"), actor=Actor.operator(alice)
    )
    why = left(loading.load_catalogue())["vendor/brd"]
    assert why == (
        "The alias vendor/brd stands for vendor/board@1.0.0 here; what ships points it at "
        "vendor/board. manage.py load_catalogue --adopt vendor/brd points it at vendor/board."
    )
    assert loading.load_catalogue(adopt=["vendor/brd"]).counts == {"alias": 1}
    assert str(Name.objects.get(text="vendor/brd").selector) == ""
    assert loading.load_catalogue() == LoadResult((), ())


def test_alias_that_ships_for_another_tag_is_repointed(ships: Catalogue) -> None:
    ships.ship("vendor/board", cores(1), cores(2))
    ships.ship("vendor/next", cores(8), aliases=("vendor/brd",))
    assert [each.name for each in loading.load_catalogue().made][1:] == [
        "vendor/brd, for vendor/next"
    ]


def test_alias_that_is_a_tag_is_skipped(ships: Catalogue) -> None:
    publish("vendor/b", LLVM)
    ships.ship("vendor/board", cores(1), cores(2), aliases=("vendor/b", "vendor/brd"))
    assert "vendor/b is a tag" in left(loading.load_catalogue())["vendor/b"]
    with pytest.raises(Refused, match="is a tag"):
        loading.load_catalogue(adopt=["vendor/b"])


def test_tag_whose_name_is_an_alias_is_skipped(ships: Catalogue, alice: User) -> None:
    aliases.point_alias("vendor/new", Reference.parse("vendor/board"), actor=Actor.operator(alice))
    ships.ship("vendor/new", cores(4), aliases=("vendor/n",))
    loaded = loading.load_catalogue()
    assert not loaded.made
    assert left(loaded).keys() == {"vendor/new"}
    assert "vendor/new is an alias of vendor/board here" in left(loaded)["vendor/new"]
    with pytest.raises(Refused, match="never free for another tag") as refused:
        loading.load_catalogue(adopt=["vendor/new"])
    assert refused.value.code == Code.CONFLICT


def test_tag_of_somebody_else_with_a_shipped_name_is_left_alone(ships: Catalogue) -> None:
    publish("vendor/new", cores(9))
    ships.ship("vendor/new", cores(4))
    assert "vendor/new@1.0.0 is alice's" in left(loading.load_catalogue())["vendor/new"]


def test_namespace_of_somebody_else_gets_no_new_names(ships: Catalogue) -> None:
    ships.namespaces.append("acme")
    ships.ship("acme/one", cores(1), aliases=("acme/uno",))
    ships.ship("acme/two", cores(2), aliases=("vendor/two",))
    loaded = loading.load_catalogue()
    assert loaded.made == ()
    assert left(loaded) == {
        "acme": "The namespace acme was made by somebody else: 2 names that would ship in it stay "
        "out. manage.py load_catalogue --adopt acme puts them there."
    }
    one = loading.load_catalogue(adopt=["acme/one"])
    assert [each.name for each in one.made] == ["acme/one@1.0.0"]
    assert left(one).keys() == {"acme"}
    assert loading.load_catalogue(adopt=["acme"]).counts == {"version": 1, "alias": 2}
    assert loading.load_catalogue() == LoadResult((), ())
