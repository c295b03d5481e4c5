"""A small catalogue, already loaded."""

import pytest

from registry.models import Namespace
from registry.services.shipping import catalogue, shipped
from tests.services.shipping.upgrading.catalogues import Catalogue, cores


@pytest.fixture
def ships(acme: Namespace, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    """A small catalogue, loaded: a board with two versions, its alias, and one made from it."""
    found = Catalogue()
    found.ship("vendor/board", cores(1), cores(2), aliases=("vendor/brd",))
    found.ship("vendor/kit", {"tag": "vendor/board", "mcpu": "skylake"})
    monkeypatch.setattr(shipped, "kinds", lambda: found.kinds)
    monkeypatch.setattr(shipped, "tags", lambda: iter(found.tags.values()))
    monkeypatch.setattr(
        shipped, "namespaces", lambda: [{"name": name} for name in found.namespaces]
    )
    catalogue.load()
    return found
