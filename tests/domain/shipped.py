"""The shipped catalogue, published in memory, and the part of it that every run tests in depth."""

# Decision 070: generated tags are tested in memory, not in a database.

import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from catalogue_tools.in_memory import InMemoryVersion
from registry.domain.document import canonical, parse_json
from registry.domain.resolution.body_references import body_references
from registry.services.core import shipped_facts
from registry.services.core.shipped_facts import ShippedTag
from tests.built_once import ROOT, built_once, digest_of
from tests.domain.builders import Library
from tests.profiles import is_thorough

PROCESSOR = ("kind", "mtriple", "mcpu", "arch", "mattr")  # what compilers know of it


def parents_first() -> Iterator[ShippedTag]:
    """Yield every shipped tag after those that its bodies refer to."""
    ahead = {tag.name: (tag, _needs(tag)) for tag in shipped_facts.every_tag()}
    while ahead:
        ready = [tag for tag, needs in ahead.values() if not needs & ahead.keys()]
        assert ready, f"a cycle among {sorted(ahead)}"
        yield from ready
        for tag in ready:
            del ahead[tag.name]


def _needs(tag: ShippedTag) -> set[str]:
    references = (request for version in tag.versions for request in body_references(version.body))
    return {request.reference.text for request in references} - {tag.name}


@cache
def library() -> Library:
    """Return a library with every shipped version, which all processes of a run share."""
    shipped = Library()
    shipped.versions = pickle.loads(built_once("library", _key(), _publish_all).read_bytes())  # noqa: S301 - written below
    return shipped


def _publish_all(path: Path) -> None:
    """Publish every shipped version, and write them to a file."""
    shipped = Library()
    for tag in parents_first():
        for version in tag.versions:
            shipped.publish(tag.name, parse_json(version.source))
    path.write_bytes(pickle.dumps(shipped.versions))


def _key() -> str:
    """Return a digest of all files that can affect a published version."""
    folders = (ROOT / "registry", ROOT / "tests/domain")
    files = (path for folder in folders for path in folder.rglob("*"))
    sources = (path for path in files if path.suffix in {".py", ".json"})
    return digest_of([ROOT / "requirements.txt", *sources])


@cache
def sample() -> frozenset[str]:
    """Return the tags to test in depth: with --thorough all of them.

    Otherwise the hand-written ones, one of each generated file, and one of each processor.
    """
    tags = sorted(shipped_facts.every_tag(), key=lambda tag: tag.name)
    if is_thorough():
        return frozenset(tag.name for tag in tags)
    chosen = {tag.name for tag in shipped_facts.written_tags()}
    groups = set[object]()
    for tag in tags:
        group = {tag.file, _processor(library().versions[tag.name][-1])}
        if not group <= groups and not tag.is_family:
            chosen.add(tag.name)
            groups |= group
    return frozenset(chosen)


def _processor(version: InMemoryVersion) -> bytes:
    target = version.resolution.target
    assert isinstance(target, dict)
    return canonical({name: target.get(name) for name in PROCESSOR})
