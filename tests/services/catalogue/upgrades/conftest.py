"""A fixture with a small, loaded catalogue."""

import pytest

from registry.models import Namespace
from registry.services.catalogue import loading
from registry.services.core import shipped_facts
from tests.services.catalogue.upgrades.catalogues import Catalogue, cores


@pytest.fixture
def catalogue(acme: Namespace, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    """Load a small catalogue: a board with two versions and an alias, and a dependent."""
    small = Catalogue()
    small.ship("vendor/board", cores(1), cores(2), aliases=("vendor/brd",))
    small.ship("vendor/kit", {"tag": "vendor/board", "mcpu": "skylake"})
    monkeypatch.setattr(shipped_facts, "kinds", lambda: small.kinds)
    monkeypatch.setattr(shipped_facts, "tags", lambda: iter(small.tags.values()))
    monkeypatch.setattr(
        shipped_facts, "namespaces", lambda: [{"name": name} for name in small.namespaces]
    )
    loading.load_catalogue()
    return small
