"""Modules of the registry, looked up by the short names that the documents use."""

import importlib
from types import ModuleType

from tests.docs.markdown import ROOT


def find_modules(stem: str) -> list[ModuleType]:
    """Return the modules with this file name, in any layer or package."""
    paths = sorted((ROOT / "registry").glob(f"*/**/{stem}.py"))
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]
    return [importlib.import_module(name) for name in names]


def has_attributes(owner: object, names: list[str]) -> bool:
    """Return whether `owner.a.b` exists, for the names a and b."""
    for name in names:
        if not hasattr(owner, name):
            return False
        owner = getattr(owner, name)
    return True
