"""Copies a registry, or some of its namespaces, into a mirror."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from ttag.errors import Refused, TtagError
from ttag.export_options import VERIFIED
from ttag.files import exclusive
from ttag.mirror.contents import Contents, find_namespaces
from ttag.mirror.documents import AliasIndex, MirroredVersion, Overview, TagIndex, read_index
from ttag.mirror.layout import OVERVIEW, digest_path, format_path, index_path
from ttag.mirror.log_copy import copy_log
from ttag.mirror.reader import Mirror
from ttag.mirror.storage import Folder
from ttag.mirror.writer import Writer
from ttag.registry import Registry
from ttag.resolution import Export, Resolution

BATCH = 500  # references in a request; their targets seldom exceed what one response may hold
GONE = frozenset({"TAG_UNKNOWN", "VERSION_UNKNOWN"})
INEXPRESSIBLE = frozenset({"NOT_A_TARGET", "FORMAT_UNFIT"})

R = TypeVar("R", Resolution, Export)
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Summary:
    """The contents of a mirror, and the changes that a run has made."""

    tags: int
    aliases: int
    versions: int
    event: int
    written: int
    removed: int


def write_mirror(
    registry: Registry,
    root: Path,
    *,
    namespaces: Collection[str] = (),
    formats: Collection[str] = (),
    progress: Progress = lambda sentence: None,
) -> Summary:
    """Make a folder the mirror of a registry, or of some namespaces, with texts in some formats.

    Writes only what is new or has changed. If it fails, an older mirror in the folder remains
    usable. Raises `Refused`, `Unreachable`, `Tampered`, `FileError`, or `SettingsError` if the
    folder holds something else.
    """
    writer = Writer(root)
    with exclusive(root / OVERVIEW):
        source = replace(registry, cache=None)
        forms = sorted(set(formats) - VERIFIED)
        wanted = find_namespaces(source, namespaces)
        contents = _read_contents(source, root, wanted, progress)
        contents.keep(wanted)
        versions = _copy_versions(source, contents, forms, writer, progress)
        log = copy_log(source, root, writer, progress)
        if log:
            for tag, each in versions.items():
                log.refuse_unproven(tag, each)
        indexes = _indexes(contents, versions)
        created = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        address = source.transport.address
        overview = Overview(address, created, contents.event, tuple(wanted), tuple(forms))
        documents = {index_path(index.name): index.as_json() for index in indexes}
        writer.finish(documents, overview.as_json(), log.heads if log else {})
    return Summary(
        tags=len(versions),
        aliases=len(indexes) - len(versions),
        versions=sum(map(len, versions.values())),
        event=contents.event,
        written=writer.written,
        removed=writer.removed,
    )


def _read_contents(
    registry: Registry, root: Path, wanted: Collection[str], progress: Progress
) -> Contents:
    """Return what the registry has: as the older mirror says, and the events since then."""
    contents = _mirrored_contents(registry, root, wanted)
    try:
        contents.update(registry, progress)
    except Refused as refusal:
        # The log has become shorter: the registry was restored from an older backup.
        if refusal.code != "FILTER_INVALID" or not contents.event:
            raise
        contents = Contents()
        contents.update(registry, progress)
    return contents


def _mirrored_contents(registry: Registry, root: Path, wanted: Collection[str]) -> Contents:
    """Return the contents of the mirror in a folder, if this run can continue it."""
    try:
        folder = Folder(root)
        old = Mirror(str(root), folder).overview
        if old.registry != registry.transport.address or not set(wanted) <= set(old.namespaces):
            return Contents()
        names = sorted(file.name for file in (root / "index").glob("*.json"))
        indexes = [read_index(json.loads(folder.read(f"index/{name}") or b"")) for name in names]
    except (TtagError, OSError, ValueError, KeyError, TypeError, AttributeError):
        return Contents()
    return Contents.of(old.event, indexes)


def _copy_versions(
    registry: Registry,
    contents: Contents,
    forms: Sequence[str],
    writer: Writer,
    progress: Progress,
) -> dict[str, list[MirroredVersion]]:
    """Write the targets and texts of all versions; return the versions by tag."""
    versions = defaultdict(list)
    references = contents.exact_references()
    for start in range(0, len(references), BATCH):
        progress(f"copying: {start} of {len(references)} versions")
        answers = registry.resolve_many(references[start : start + BATCH])
        resolutions = list(_without(GONE, answers))
        for resolution in resolutions:
            writer.put(digest_path(resolution.digest), resolution.text.encode())
        exports = _copy_texts(registry, resolutions, forms, writer)
        for resolution in resolutions:
            version = MirroredVersion.of(resolution, exports[resolution.exact])
            versions[resolution.tag].append(version)
    return versions


def _copy_texts(
    registry: Registry, resolutions: Sequence[Resolution], forms: Sequence[str], writer: Writer
) -> dict[str, dict[str, Export]]:
    """Write versions in some formats; return the texts by exact reference and format."""
    written: dict[str, dict[str, Export]] = {each.exact: {} for each in resolutions}
    for form in forms:
        exports = registry.export_resolved(resolutions, form)
        for export in _without(INEXPRESSIBLE, exports):
            writer.put(format_path(form, export.reference), export.text.encode())
            written[export.reference][form] = export
    return written


def _without(codes: Collection[str], results: Sequence[R | TtagError]) -> Iterator[R]:
    """Yield the results; leave out refusals with these codes, and raise any other error."""
    for result in results:
        if not isinstance(result, TtagError):
            yield result
        elif not (isinstance(result, Refused) and result.code in codes):
            raise result


def _indexes(
    contents: Contents, versions: dict[str, list[MirroredVersion]]
) -> list[TagIndex | AliasIndex]:
    """Return the indexes of all tags, and of the aliases whose tag is in the mirror."""
    aliases = {name: to for name, to in contents.aliases.items() if to.name in versions}
    by_tag = defaultdict(list)
    for name, reference in aliases.items():
        by_tag[reference.name].append(name)
    tags = [TagIndex(tag, tuple(by_tag[tag]), tuple(each)) for tag, each in versions.items()]
    return [*tags, *(AliasIndex(name, reference) for name, reference in aliases.items())]
