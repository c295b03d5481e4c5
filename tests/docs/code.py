"""The project's modules, found by the short names under which the documents speak of them."""

import importlib
from types import ModuleType

from tests.docs.markdown import ROOT


def files(folder: str) -> set[str]:
    """The modules of a folder, and the packages in it with a slash behind."""
    modules = {path.name for path in (ROOT / folder).glob("*.py")} - {"__init__.py"}
    return modules | {f"{path.parent.name}/" for path in (ROOT / folder).glob("*/__init__.py")}


def modules(stem: str) -> list[ModuleType]:
    """The modules that have a name, in whichever layer."""
    folders = sorted(path for path in (ROOT / "registry").iterdir() if path.is_dir())
    found = [folder.name for folder in folders if (folder / f"{stem}.py").exists()]
    return [importlib.import_module(f"registry.{folder}.{stem}") for folder in found]


def reaches(holder: object, names: list[str]) -> bool:
    """Whether attributes lead on from one to the next."""
    for name in names:
        if not hasattr(holder, name):
            return False
        holder = getattr(holder, name)
    return True
