"""Modules of the registry, its tools and the client, by the short names of documents."""

import importlib
from contextlib import suppress
from types import ModuleType

from tests.docs.markdown import ROOT

CLIENT, TOOLS = ROOT / "client", ROOT / "catalogue_tools"


def find_modules(stem: str) -> list[ModuleType]:
    """Return the modules with this file name, in any layer or package; or the client itself."""
    paths = [
        *(path.relative_to(ROOT) for path in sorted((ROOT / "registry").glob(f"*/**/{stem}.py"))),
        *(path.relative_to(ROOT) for path in sorted(TOOLS.glob(f"**/{stem}.py"))),
        *(path.relative_to(CLIENT) for path in sorted(CLIENT.glob(f"ttag*/**/{stem}.py"))),
        *(path.relative_to(CLIENT) for path in CLIENT.glob(stem)),
    ]
    names = [".".join(path.with_suffix("").parts) for path in paths]
    return [importlib.import_module(name) for name in names]


def defines(module: ModuleType, name: str) -> bool:
    """Return whether a name of a module is no import of a function or class from another one."""
    return getattr(getattr(module, name), "__module__", module.__name__) == module.__name__


def has_attributes(owner: object, names: list[str]) -> bool:
    """Return whether `owner.a.b` exists, for the names a and b."""
    for name in names:
        if isinstance(owner, ModuleType):
            with suppress(ModuleNotFoundError):  # a module is an attribute once it is imported
                importlib.import_module(f"{owner.__name__}.{name}")
        if not hasattr(owner, name):
            return False
        owner = getattr(owner, name)
    return True
