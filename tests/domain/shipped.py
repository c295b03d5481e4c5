"""The shipped catalogue, published in memory, and the part of it that every run tests in depth."""

# Decision 070: generated tags are tested in memory, not in a database.

import gc
import pickle
from functools import cache
from pathlib import Path
from typing import Any

from catalogue_tools.in_memory import InMemoryVersion, publish_in_memory
from registry.domain.document import canonical
from registry.services.core import shipped_facts
from tests.built_once import ROOT, built_once, digest_of
from tests.domain.builders import Library
from tests.profiles import is_thorough

PROCESSOR = ("kind", "mtriple", "mcpu", "arch", "mattr")  # what compilers know of it


@cache
def library() -> Library:
    """Return a library with every shipped version, which all processes of a run share."""
    shipped = Library()
    shipped.versions = _read(built_once("library", _key(), _publish_all))
    return shipped


def _publish_all(path: Path) -> None:
    """Publish every shipped version, release by release, and write them to a file."""
    path.write_bytes(pickle.dumps(publish_in_memory().versions))


def _read(path: Path) -> Any:
    """Return what was written to a file, and stays until the end of the process.

    To look for garbage among so many new objects takes longer than reading them.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    content = pickle.loads(path.read_bytes())  # noqa: S301 - written here
    gc.freeze()
    if was_enabled:
        gc.enable()
    return content


def _key() -> str:
    """Return a digest of all files that can affect a published version."""
    folders = (ROOT / "registry", ROOT / "catalogue_tools", ROOT / "tests/domain")
    files = (path for folder in folders for path in folder.rglob("*"))
    sources = (path for path in files if path.suffix in {".py", ".json"})
    return digest_of([ROOT / "requirements.txt", *sources])


@cache
def sample() -> frozenset[str]:
    """Return the tags to test in depth: with --thorough all of them.

    Otherwise the hand-written ones, one of each generated file, and one of each processor.
    """
    if is_thorough():
        return frozenset(tag.name for tag in shipped_facts.every_tag())
    names: frozenset[str] = _read(built_once("sample", _key(), _choose))
    return names


def _choose(path: Path) -> None:
    """Choose the tags of a sample, and write their names to a file."""
    chosen = {tag.name for tag in shipped_facts.written_tags()}
    groups = set[object]()
    for tag in sorted(shipped_facts.every_tag(), key=lambda tag: tag.name):
        group = {tag.file, _processor(library().versions[tag.name][-1])}
        if not group <= groups and not tag.is_family:
            chosen.add(tag.name)
            groups |= group
    path.write_bytes(pickle.dumps(frozenset(chosen)))


def _processor(version: InMemoryVersion) -> bytes:
    target = version.resolution.target
    assert isinstance(target, dict)
    return canonical({name: target.get(name) for name in PROCESSOR})
