"""The fixture of a small, loaded catalogue."""

import pytest

from registry.models import Namespace
from registry.services.catalogue import loading
from registry.services.core import shipped_facts
from tests.services.catalogue.upgrades.catalogues import Catalogue, cores


@pytest.fixture
def ships(acme: Namespace, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    """A small catalogue, loaded: a board with two versions, its alias, and one made from it."""
    found = Catalogue()
    found.ship("vendor/board", cores(1), cores(2), aliases=("vendor/brd",))
    found.ship("vendor/kit", {"tag": "vendor/board", "mcpu": "skylake"})
    monkeypatch.setattr(shipped_facts, "kinds", lambda: found.kinds)
    monkeypatch.setattr(shipped_facts, "tags", lambda: iter(found.tags.values()))
    monkeypatch.setattr(
        shipped_facts, "namespaces", lambda: [{"name": name} for name in found.namespaces]
    )
    loading.load_catalogue()
    return found
