"""Shipped versions of tags that others have published."""

import pytest

from registry.domain.errors import Refused
from registry.models import User
from registry.services.catalogue import loading
from registry.services.catalogue.load_run import LoadResult
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from tests.publishing import publish
from tests.services.catalogue.upgrades.catalogues import Catalogue, bodies, cores, left, redact
from tests.services.kinds.schemas import with_at_most

pytestmark = pytest.mark.django_db


def test_next_shipped_version_follows_the_catalogues_own(ships: Catalogue) -> None:
    ships.ship("vendor/board", cores(1), cores(2), cores(3), aliases=("vendor/brd",))
    assert loading.load_catalogue().counts == {"version": 1}
    assert bodies("vendor/board") == [cores(1), cores(2), cores(3)]


def test_redacted_version_is_not_loaded_again(ships: Catalogue, alice: User) -> None:
    secret = cores(4) | {"model": "secret-board"}
    ships.ship("vendor/secret", cores(3), secret)
    loading.load_catalogue()
    redact("secret-board", alice)
    assert loading.load_catalogue() == LoadResult((), ())
    ships.ship("vendor/secret", cores(3), secret, cores(5))
    assert [each.name for each in loading.load_catalogue().made] == ["vendor/secret@3.0.0"]


def test_version_that_somebody_published_first_is_not_published_again(ships: Catalogue) -> None:
    """Check that later shipped versions are still recognised as missing or published."""
    publish("vendor/board", cores(3))
    ships.ship("vendor/board", cores(1), cores(2), cores(3), aliases=("vendor/brd",))
    assert loading.load_catalogue() == LoadResult((), ())
    ships.ship("vendor/board", cores(1), cores(2), cores(3), cores(4), aliases=("vendor/brd",))
    assert (
        "1 version that would ship is not there" in left(loading.load_catalogue())["vendor/board"]
    )
    assert loading.load_catalogue(adopt=["vendor/board"]).counts == {"version": 1}
    assert loading.load_catalogue() == LoadResult((), ())
    assert bodies("vendor/board") == [cores(1), cores(2), cores(3), cores(4)]


def test_versions_left_alone_are_all_published_once_adopted(ships: Catalogue) -> None:
    publish("vendor/board", cores(16))
    ships.ship("vendor/board", *map(cores, (1, 2, 3, 4)), aliases=("vendor/brd",))
    assert (
        "2 versions that would ship are not there" in left(loading.load_catalogue())["vendor/board"]
    )
    loading.load_catalogue(adopt=["vendor/board"])
    assert bodies("vendor/board") == [cores(count) for count in (1, 2, 16, 3, 4)]
    ships.ship("vendor/board", *map(cores, (1, 2, 3, 4, 5)), aliases=("vendor/brd",))
    assert loading.load_catalogue().counts == {"version": 1}


def test_change_and_its_reversal_are_two_versions(ships: Catalogue) -> None:
    ships.ship("vendor/board", *map(cores, (1, 2, 1)), aliases=("vendor/brd",))
    assert loading.load_catalogue().counts == {"version": 1}
    assert loading.load_catalogue() == LoadResult((), ())
    assert bodies("vendor/board") == [cores(1), cores(2), cores(1)]


def test_other_formatting_is_not_a_new_version(ships: Catalogue) -> None:
    turned = dict(reversed(cores(2).items()))
    ships.ship("vendor/board", cores(1), turned, aliases=("vendor/brd",))
    assert loading.load_catalogue() == LoadResult((), ())


def test_invalid_version_stops_only_its_tag(ships: Catalogue, alice: User) -> None:
    """Reject a shipped version by a stricter kind, and skip its dependents."""
    kinds.revise_kind("llvm", with_at_most(100), actor=Actor.operator(alice))
    ships.kinds["llvm"] = with_at_most(100)
    ships.ship("vendor/big", cores(101), cores(5))
    ships.ship("vendor/child", {"tag": "vendor/big"}, aliases=("vendor/chld",))
    ships.ship("vendor/small", cores(4))
    loaded = loading.load_catalogue()
    assert [each.name for each in loaded.made] == ["vendor/small@1.0.0"]
    why = left(loaded)
    assert why.keys() == {"vendor/big", "vendor/child"}
    assert why["vendor/big"].startswith(
        "A version of vendor/big that would ship is refused, and left out: Not accepted at "
        "/num-cores: 101 is not 100 or less"
    )
    assert "There is no tag vendor/big" in why["vendor/child"]
    with pytest.raises(Refused, match="101 is not 100 or less"):
        loading.load_catalogue(adopt=["vendor/big"])
