"""Writes generated files, and compares them with what the facts give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import unified_diff
from itertools import takewhile
from pathlib import Path

from registry.services.core.shipped_facts import GENERATED

MAX_LINE = 120  # characters; a processor's features are longer
HEADING = 2  # lines of a comparison that name the files


def write_files(files: Mapping[str, str], catalogue: Path) -> list[str]:
    """Write the files that differ, remove generated tag files that are not among them.

    Returns what was changed, as `differences` does.
    """
    changes = list(differences(files, catalogue))
    for path in _outdated(files, catalogue):
        path.unlink()
    for name, text in files.items():
        path = catalogue / name
        if _text(path) != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for folder in sorted((catalogue / GENERATED).rglob("*/"), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()
    return changes


def differences(files: Mapping[str, str], catalogue: Path) -> Iterator[str]:
    """Yield a line for each file of the catalogue that is not as given."""
    for path in _outdated(files, catalogue):
        yield f"{path.relative_to(catalogue)} is no longer generated"
    for name, text in sorted(files.items()):
        present = _text(catalogue / name)
        if present is None:
            yield f"{name} is missing"
        elif present != text:
            yield f"{name} differs from line {_first_difference(present, text)}"


def line_differences(texts: Mapping[Path, str]) -> Iterator[str]:
    """Yield the lines that are to be taken out of files, and those that are to be added."""
    for path, text in texts.items():
        present = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        lines = [*unified_diff(present, text.splitlines(), n=0, lineterm="")][HEADING:]
        yield from (f"{path.name}: {line[:MAX_LINE]}" for line in lines if line[0] in "+-")


def _outdated(files: Mapping[str, str], catalogue: Path) -> list[Path]:
    present = sorted((catalogue / GENERATED).rglob("*.json"))
    return [path for path in present if str(path.relative_to(catalogue)) not in files]


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _first_difference(old: str, new: str) -> int:
    pairs = zip(old.splitlines(), new.splitlines(), strict=False)
    return 1 + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
