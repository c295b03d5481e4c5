"""Finding what the modules of a package register, so that a new one is found by being there."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from typing import TypeVar

T = TypeVar("T")


def registered(package: str, name: str, of: type[T]) -> tuple[T, ...]:
    """What every module of a package has under a name, in the order of the modules' names."""
    names = sorted(module.name for module in pkgutil.iter_modules(sys.modules[package].__path__))
    found = [getattr(importlib.import_module(f"{package}.{each}"), name) for each in names]
    assert all(isinstance(each, of) for each in found)  # noqa: S101 - a module of the package's own
    return tuple(found)
