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
from tests.services.catalogue.upgrades.catalogues import (
    LLVM,
    Catalogue,
    change_names,
    cores,
    skip_reasons,
)

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_repointed_alias_is_skipped(catalogue: Catalogue, alice: User) -> None:
    aliases.point_alias(
        "vendor/brd", Reference.parse("vendor/board@1.0.0"), actor=Actor.operator(alice)
    )
    reason = skip_reasons(loading.load_catalogue())["vendor/brd"]
    assert reason == (
        "The alias vendor/brd points at vendor/board@1.0.0, in the catalogue at vendor/board. "
        "manage.py load_catalogue --adopt vendor/brd points it at vendor/board."
    )
    assert loading.load_catalogue(adopt=["vendor/brd"]).counts == {"alias": 1}
    assert str(Name.objects.get(text="vendor/brd").selector) == ""
    assert loading.load_catalogue() == LoadResult((), ())


def test_alias_shipped_for_another_tag_is_repointed(catalogue: Catalogue) -> None:
    catalogue.ship("vendor/board", cores(1), cores(2))
    catalogue.ship("vendor/next", cores(8), aliases=("vendor/brd",))
    assert change_names(loading.load_catalogue())[1:] == ["vendor/brd, for vendor/next"]


def test_alias_that_is_a_tag_is_skipped(catalogue: Catalogue) -> None:
    publish("vendor/b", LLVM)
    catalogue.ship("vendor/board", cores(1), cores(2), aliases=("vendor/b", "vendor/brd"))
    assert "vendor/b is the name of a tag" in skip_reasons(loading.load_catalogue())["vendor/b"]
    with pytest.raises(Refused, match="is the name of a tag"):
        loading.load_catalogue(adopt=["vendor/b"])


def test_tag_whose_name_is_an_alias_is_skipped(catalogue: Catalogue, alice: User) -> None:
    aliases.point_alias("vendor/new", Reference.parse("vendor/board"), actor=Actor.operator(alice))
    catalogue.ship("vendor/new", cores(4), aliases=("vendor/n",))
    result = loading.load_catalogue()
    assert not result.changes
    assert skip_reasons(result).keys() == {"vendor/new"}
    assert (
        "vendor/new is an alias of vendor/board in this registry"
        in skip_reasons(result)["vendor/new"]
    )
    with pytest.raises(Refused, match="names cannot be reused") as refused:
        loading.load_catalogue(adopt=["vendor/new"])
    assert refused.value.code == Code.CONFLICT


def test_tag_of_another_user_with_a_shipped_name_is_skipped(catalogue: Catalogue) -> None:
    publish("vendor/new", cores(9))
    catalogue.ship("vendor/new", cores(4))
    assert (
        "vendor/new@1.0.0 was published by alice"
        in skip_reasons(loading.load_catalogue())["vendor/new"]
    )


def test_namespace_of_another_user_gets_no_new_names(catalogue: Catalogue) -> None:
    catalogue.namespaces.append("acme")
    catalogue.ship("acme/one", cores(1), aliases=("acme/uno",))
    catalogue.ship("acme/two", cores(2), aliases=("vendor/two",))
    result = loading.load_catalogue()
    assert result.changes == ()
    assert skip_reasons(result) == {
        "acme": "The namespace acme was created by somebody else, so 2 shipped names in it were "
        "not loaded. manage.py load_catalogue --adopt acme loads them."
    }
    one = loading.load_catalogue(adopt=["acme/one"])
    assert change_names(one) == ["acme/one@1.0.0"]
    assert skip_reasons(one).keys() == {"acme"}
    assert loading.load_catalogue(adopt=["acme"]).counts == {"version": 1, "alias": 2}
    assert loading.load_catalogue() == LoadResult((), ())
