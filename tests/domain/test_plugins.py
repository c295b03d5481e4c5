"""Every module of a package is registered automatically."""

import importlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from registry.domain.exporting import Format
from registry.domain.formats import FORMATS
from registry.domain.importers import IMPORTERS
from registry.domain.importing import Importer
from registry.domain.plugins import find_registered

PACKAGE = "found_by_being_there"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / PACKAGE
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def register(folder: Path, **modules: str) -> tuple[str, ...]:
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    importlib.invalidate_caches()
    importlib.import_module(PACKAGE)
    return find_registered(PACKAGE, "WORD", str)


def test_objects_are_returned_in_order_of_module_names(package: Path) -> None:
    assert register(package, second='WORD = "two"', first='WORD = "one"') == ("one", "two")


def test_a_module_without_the_name_raises(package: Path) -> None:
    with pytest.raises(AttributeError):
        register(package, first='WORD = "one"', second="OTHER = 1")


def test_an_object_of_another_type_raises(package: Path) -> None:
    with pytest.raises(AssertionError):
        register(package, first="WORD = 1")


@pytest.mark.parametrize("objects", [FORMATS, IMPORTERS])
def test_formats_and_importers_are_keyed_by_name(objects: Mapping[str, Format | Importer]) -> None:
    assert [item.name for item in objects.values()] == list(objects)
