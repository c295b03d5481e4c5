"""Versions get the target that they had in their release, in every registry."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from catalogue_tools.__main__ import main
from catalogue_tools.in_memory import publish_in_memory
from catalogue_tools.releases import locked_versions
from registry.models import Version
from registry.services.catalogue import loading, lock
from registry.services.catalogue.shipped_order import waves
from registry.services.core import shipped_facts
from tests.catalogue_tools.small_catalogue import link_tables

pytestmark = pytest.mark.django_db

PARENT = [{"kind": "llvm", "num-cores": 4}, {"kind": "llvm", "num-cores": 4, "model": "m"}]
CHILD = [{"tag": "wave/parent@1", "libs": ["mkl"]}]

Ship = Callable[..., None]


@pytest.fixture
def ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ship:
    """Return a function that writes the tags of a small catalogue, by name."""
    monkeypatch.setattr(shipped_facts, "CATALOGUE", tmp_path)
    link_tables(tmp_path)
    (tmp_path / "tags").mkdir()
    namespaces = [{"name": "wave", "title": "Wave", "description": "For tests."}]
    (tmp_path / "namespaces.json").write_text(json.dumps({"namespaces": namespaces}))

    def write(**tags: Sequence[Any]) -> None:
        entries = [
            {
                "tag": f"wave/{name}",
                "versions": [{"target": body, "message": "x"} for body in bodies],
            }
            for name, bodies in tags.items()
        ]
        (tmp_path / "tags" / "wave.json").write_text(json.dumps({"tags": entries}))

    return write


def digests() -> dict[str, str]:
    rows = Version.objects.filter(tag__text__startswith="wave/").select_related("tag")
    return {version.exact: version.digest for version in rows}


def in_memory() -> dict[str, str]:
    return {str(item): item.digest for item in locked_versions(publish_in_memory())}


def test_wave_has_the_versions_of_its_release(ship: Ship) -> None:
    ship(parent=PARENT[:1], child=CHILD)
    main(["lock", "0.1"])
    ship(parent=PARENT, child=CHILD, other=PARENT)
    assert [
        {tag.name: len(tag.versions) for tag in wave}
        for wave in waves(shipped_facts.every_tag(), lock.read_lock())
    ] == [{"wave/parent": 1, "wave/child": 1}, {"wave/parent": 2, "wave/other": 2}]


def test_registry_of_the_second_release_has_the_targets_of_the_first(ship: Ship) -> None:
    ship(parent=PARENT[:1], child=CHILD)
    main(["lock", "0.1"])
    released = in_memory()
    ship(parent=PARENT, child=[*CHILD, {"tag": "wave/parent@1", "libs": ["dnnl"]}])
    main(["lock", "0.2"])
    assert in_memory().items() > released.items()
    assert loading.load_catalogue().skipped == ()
    assert digests() == in_memory()
    call_command("load_catalogue")
    assert digests() == in_memory()


def test_upgraded_registry_equals_a_new_one(ship: Ship) -> None:
    ship(parent=PARENT[:1], child=CHILD)
    main(["lock", "0.1"])
    loading.load_catalogue()
    ship(parent=PARENT, child=[*CHILD, {"tag": "wave/parent@1", "libs": ["dnnl"]}])
    assert loading.load_catalogue().counts == {"version": 2}
    assert digests() == in_memory()


def test_lock_refuses_a_changed_release(ship: Ship) -> None:
    ship(parent=PARENT)
    main(["lock", "0.1"])
    before = (shipped_facts.CATALOGUE / "lock.json").read_text()
    ship(parent=PARENT[1:])
    with pytest.raises(SystemExit, match=r"wave/parent@1\.0\.0 has another target"):
        main(["lock", "0.2"])
    assert (shipped_facts.CATALOGUE / "lock.json").read_text() == before
