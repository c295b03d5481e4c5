"""Shipped kinds that others have revised."""

import pytest

from registry.domain.errors import Refused
from registry.models import User
from registry.services.catalogue import loading
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from tests.publishing import publish, row_counts, yank
from tests.services.catalogue.upgrades.catalogues import (
    Catalogue,
    change_names,
    cores,
    redact,
    skip_reasons,
)
from tests.services.kinds.schemas import with_max_cores, with_option, without_options

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_shipped_revision_follows_a_shipped_revision(catalogue: Catalogue) -> None:
    catalogue.kinds["c"] = catalogue.kinds["c"] | {"description": "Newer."}
    assert loading.load_catalogue().counts == {"kind": 1}
    assert kinds.find_kind("c").source["description"] == "Newer."


def test_skip_reason_names_the_shipped_revision(catalogue: Catalogue, alice: User) -> None:
    kinds.revise_kind(
        "c", catalogue.kinds["c"] | {"description": "Ours."}, actor=Actor.operator(alice)
    )
    assert "the shipped schema was revision 1" in skip_reasons(loading.load_catalogue())["c"]
    kinds.revise_kind("c", catalogue.kinds["c"], actor=Actor.operator(alice))
    assert skip_reasons(loading.load_catalogue()) == {}


def test_shipped_revision_that_breaks_a_version_does_not_stop_others(catalogue: Catalogue) -> None:
    publish("acme/board", cores(5000))
    catalogue.kinds["llvm"] = with_max_cores(4000)
    catalogue.kinds["c"] = catalogue.kinds["c"] | {"description": "Newer."}
    result = loading.load_catalogue()
    assert change_names(result) == ["c, revision 2"]
    assert skip_reasons(result) == {
        "llvm": "The kind llvm was not revised. The new revision of llvm was rejected: "
        "acme/board@1.0.0 would be invalid: 5000 is not 4000 or less. Publish versions that are "
        "valid under both schemas, or yank those that are not, then load again."
    }
    yank("acme/board@1.0.0")
    assert change_names(loading.load_catalogue()) == ["llvm, revision 2"]


def test_option_moves_between_kinds_although_another_revision_fails(catalogue: Catalogue) -> None:
    """Load two kinds of which one depends on the other, in either order."""
    publish("acme/mixin", {"fast-math": True})
    publish("acme/board", {"kind": "cuda", "arch": "sm_90", "max_num_threads": 512})
    llvm, cuda = catalogue.kinds["llvm"], catalogue.kinds["cuda"]
    catalogue.kinds["metal"] = with_option(
        catalogue.kinds["metal"], "fast-math", **llvm["properties"]["fast-math"]
    )
    catalogue.kinds["llvm"] = without_options(llvm, "fast-math")
    catalogue.kinds["cuda"] = without_options(cuda, "max_num_threads")
    result = loading.load_catalogue()
    assert set(change_names(result)) == {"llvm, revision 2", "metal, revision 2"}
    assert skip_reasons(result).keys() == {"cuda"}


def test_adopting_a_kind_that_breaks_a_version_loads_nothing(
    catalogue: Catalogue, alice: User
) -> None:
    kinds.revise_kind(
        "llvm", catalogue.kinds["llvm"] | {"description": "Ours."}, actor=Actor.operator(alice)
    )
    publish("acme/board", cores(5000))
    catalogue.kinds["llvm"] = with_max_cores(4000)
    catalogue.ship("vendor/new", cores(4))
    before = row_counts()
    with pytest.raises(Refused, match="5000 is not 4000 or less"):
        loading.load_catalogue(adopt=["llvm"])
    assert row_counts() == before
    assert kinds.find_kind("llvm").source["description"] == "Ours."


def test_redacted_revision_is_not_loaded_again(catalogue: Catalogue, alice: User) -> None:
    catalogue.kinds["c"] = catalogue.kinds["c"] | {"description": "By Carol Danvers."}
    loading.load_catalogue()
    redact("Carol Danvers", alice)
    result = loading.load_catalogue()
    assert not result.changes
    assert skip_reasons(result).keys() == {"c"}
    assert "Revision 2 of the kind c was redacted" in skip_reasons(result)["c"]
