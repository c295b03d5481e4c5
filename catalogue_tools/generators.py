"""Finds the generators: functions `tags` of modules, which yield tags from tables of facts."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator

from catalogue_tools import clouds, cpus, devices, gaps, gpus, microcontrollers, superseded, tvm
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing, Superseded

Generator = Callable[[], Iterator[GeneratedTag | Superseded | Disagreement | Missing]]

MODULES = (
    *(
        importlib.import_module(f"{package.__name__}.{module.name}")
        for package in (clouds, cpus, devices, gpus, microcontrollers)
        for module in pkgutil.iter_modules(package.__path__)
    ),
    gaps,
    superseded,
    tvm,
)
GENERATORS: tuple[Generator, ...] = tuple(
    module.tags for module in MODULES if hasattr(module, "tags")
)
