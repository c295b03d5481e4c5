"""Shipped versions of tags that others have published."""

import pytest

from registry.domain.errors import Refused
from registry.models import User
from registry.services.catalogue import loading
from registry.services.catalogue.load_run import LoadResult
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from tests.publishing import publish
from tests.services.catalogue.upgrades.catalogues import (
    Catalogue,
    bodies,
    change_names,
    cores,
    redact,
    skip_reasons,
)
from tests.services.kinds.schemas import with_max_cores

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_next_shipped_version_follows_the_catalogues_own(catalogue: Catalogue) -> None:
    catalogue.ship("vendor/board", cores(1), cores(2), cores(3), aliases=("vendor/brd",))
    assert loading.load_catalogue().counts == {"version": 1}
    assert bodies("vendor/board") == [cores(1), cores(2), cores(3)]


def test_redacted_version_is_not_loaded_again(catalogue: Catalogue, alice: User) -> None:
    secret = cores(4) | {"model": "secret-board"}
    catalogue.ship("vendor/secret", cores(3), secret)
    loading.load_catalogue()
    redact("secret-board", alice)
    assert loading.load_catalogue() == LoadResult((), ())
    catalogue.ship("vendor/secret", cores(3), secret, cores(5))
    assert change_names(loading.load_catalogue()) == ["vendor/secret@3.0.0"]


def test_version_published_by_another_user_is_not_published_again(catalogue: Catalogue) -> None:
    """Later shipped versions are still recognized as missing or published."""
    publish("vendor/board", cores(3))
    catalogue.ship("vendor/board", cores(1), cores(2), cores(3), aliases=("vendor/brd",))
    assert loading.load_catalogue() == LoadResult((), ())
    catalogue.ship("vendor/board", cores(1), cores(2), cores(3), cores(4), aliases=("vendor/brd",))
    assert (
        "1 shipped version cannot follow" in skip_reasons(loading.load_catalogue())["vendor/board"]
    )
    assert loading.load_catalogue(adopt=["vendor/board"]).counts == {"version": 1}
    assert loading.load_catalogue() == LoadResult((), ())
    assert bodies("vendor/board") == [cores(1), cores(2), cores(3), cores(4)]


def test_skipped_versions_are_published_once_adopted(catalogue: Catalogue) -> None:
    publish("vendor/board", cores(16))
    catalogue.ship("vendor/board", *map(cores, (1, 2, 3, 4)), aliases=("vendor/brd",))
    assert (
        "2 shipped versions cannot follow" in skip_reasons(loading.load_catalogue())["vendor/board"]
    )
    loading.load_catalogue(adopt=["vendor/board"])
    assert bodies("vendor/board") == [cores(count) for count in (1, 2, 16, 3, 4)]
    catalogue.ship("vendor/board", *map(cores, (1, 2, 3, 4, 5)), aliases=("vendor/brd",))
    assert loading.load_catalogue().counts == {"version": 1}


def test_change_and_its_reversal_are_two_versions(catalogue: Catalogue) -> None:
    catalogue.ship("vendor/board", *map(cores, (1, 2, 1)), aliases=("vendor/brd",))
    assert loading.load_catalogue().counts == {"version": 1}
    assert loading.load_catalogue() == LoadResult((), ())
    assert bodies("vendor/board") == [cores(1), cores(2), cores(1)]


def test_other_formatting_is_not_a_new_version(catalogue: Catalogue) -> None:
    reordered = dict(reversed(cores(2).items()))
    catalogue.ship("vendor/board", cores(1), reordered, aliases=("vendor/brd",))
    assert loading.load_catalogue() == LoadResult((), ())


def test_invalid_version_stops_only_its_tag(catalogue: Catalogue, alice: User) -> None:
    """A stricter kind rejects a shipped version, and its dependents are skipped."""
    kinds.revise_kind("llvm", with_max_cores(100), actor=Actor.operator(alice))
    catalogue.kinds["llvm"] = with_max_cores(100)
    catalogue.ship("vendor/big", cores(101), cores(5))
    catalogue.ship("vendor/child", {"tag": "vendor/big"}, aliases=("vendor/chld",))
    catalogue.ship("vendor/small", cores(4))
    result = loading.load_catalogue()
    assert change_names(result) == ["vendor/small@1.0.0"]
    reasons = skip_reasons(result)
    assert reasons.keys() == {"vendor/big", "vendor/child"}
    assert reasons["vendor/big"].startswith(
        "A shipped version of vendor/big was rejected: Not accepted at "
        "/num-cores: 101 is not 100 or less"
    )
    assert "There is no tag vendor/big" in reasons["vendor/child"]
    with pytest.raises(Refused, match="101 is not 100 or less"):
        loading.load_catalogue(adopt=["vendor/big"])
