"""The project's modules, found by the short names under which the documents speak of them."""

import importlib
from types import ModuleType

from tests.docs.markdown import ROOT


def modules(stem: str) -> list[ModuleType]:
    """The modules that have a name, in whichever layer and package of one."""
    found = sorted((ROOT / "registry").glob(f"*/**/{stem}.py"))
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in found]
    return [importlib.import_module(name) for name in names]


def reaches(holder: object, names: list[str]) -> bool:
    """Whether attributes lead on from one to the next."""
    for name in names:
        if not hasattr(holder, name):
            return False
        holder = getattr(holder, name)
    return True
