"""Collect the plugins that the modules of a package define, so that adding a module is enough."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from typing import TypeVar

T = TypeVar("T")


# Decision 029: a format is added by its file alone.
def find_registered(package: str, name: str, expected_type: type[T]) -> tuple[T, ...]:
    """Return the object of this name in every module of a package, in order of module names."""
    modules = sorted(module.name for module in pkgutil.iter_modules(sys.modules[package].__path__))
    objects = [getattr(importlib.import_module(f"{package}.{module}"), name) for module in modules]
    assert all(isinstance(item, expected_type) for item in objects)  # noqa: S101 - our own modules
    return tuple(objects)
