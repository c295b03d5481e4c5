"""The reviewed classes of LLVM's features."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from registry.services.core.shipped_facts import CATALOGUE

FOLDER = CATALOGUE / "compatibility"
CLASSES = FOLDER / "feature_classes.json"
ADDITIONS = FOLDER / "processor_additions.json"
OPTIONS = FOLDER / "processor_options.json"
TUNING = "tuning"  # no instructions, so they are in no table


class Classes:
    """The classes of the features of one architecture. What no row names is emitted."""

    def __init__(self, architecture: str) -> None:
        self.patterns = {
            pattern: row["class"]
            for row in _rows(CLASSES, architecture)
            for pattern in row["features"]
        }

    def of_class(self, name: str, features: Iterable[str]) -> Iterator[str]:
        return (feature for feature in features if self.class_of(feature) == name)

    def class_of(self, feature: str) -> str:
        """Return the class of a feature: empty if it is emitted."""
        matches = (name for pattern, name in self.patterns.items() if fnmatchcase(feature, pattern))
        return next(matches, "")


def additions(architecture: str) -> dict[str, list[str]]:
    """Return what all products of a processor's name have, and LLVM's table lacks."""
    return _by_processor(ADDITIONS, architecture)


# Decision 163: a machine has of its name in LLVM's table what is no option of the core.
def options(architecture: str) -> dict[str, list[str]]:
    """Return the features of a processor's name that some of its chips have and others lack."""
    return _by_processor(OPTIONS, architecture)


def _by_processor(path: Path, architecture: str) -> dict[str, list[str]]:
    rows = _rows(path, architecture)
    return {name: list(row["features"]) for row in rows for name in row["processors"]}


def _rows(path: Path, architecture: str) -> list[dict[str, Any]]:
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return [row for row in rows if row["architecture"] == architecture]
