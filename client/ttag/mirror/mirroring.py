"""Copies a registry, or some of its namespaces, into a mirror."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar

from ttag.errors import Refused, TtagError
from ttag.export_options import VERIFIED
from ttag.mirror.contents import Contents, find_namespaces
from ttag.mirror.documents import identity_of, read_index
from ttag.mirror.indexes import Indexes
from ttag.mirror.log_copy import copy_log
from ttag.mirror.storage import Folder
from ttag.mirror.writer import Summary, Writer
from ttag.registry.registry import Registry
from ttag.resolution import Export, Resolution

BATCH = 500  # references in a request; their targets seldom exceed what one response may hold
GONE = frozenset({"TAG_UNKNOWN", "VERSION_UNKNOWN"})
INEXPRESSIBLE = frozenset({"NOT_A_TARGET", "FORMAT_UNFIT"})

R = TypeVar("R", Resolution, Export)
Progress = Callable[[str], None]


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
    source, forms = replace(registry, cache=None), sorted(set(formats) - VERIFIED)
    with Writer.open(root) as writer:
        wanted = find_namespaces(source, namespaces)
        contents = _read_contents(source, root, wanted, progress)
        contents.keep(wanted)
        _copy_versions(source, contents, forms, writer, progress)
        log = copy_log(source, root, writer, progress)
        if log:
            for tag, versions in writer.versions.items():
                log.refuse_unproven(tag, versions)
        return writer.finish(
            registry=source.transport.address,
            event=contents.event,
            namespaces=wanted,
            formats=forms,
            aliases=contents.aliases,
            log_heads=log.heads if log else {},
            notices=_notices(source),
        )


def _notices(registry: Registry) -> list[dict[str, Any]]:
    """Return the sources of the registry's facts with their licences; release 0.1 names none."""
    try:
        notices: list[dict[str, Any]] = registry.get("/catalogue")["notices"]
    except Refused as refusal:
        if refusal.status != HTTPStatus.NOT_FOUND:
            raise
        return []
    return notices


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
        old = Indexes(str(root), folder).overview
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
) -> None:
    """Write all versions, with their texts in some formats."""
    references = contents.exact_references()
    for start in range(0, len(references), BATCH):
        progress(f"copying: {start} of {len(references)} versions")
        answers = registry.resolve_many(references[start : start + BATCH])
        resolutions = list(_without(GONE, answers))
        texts: dict[str, dict[str, Export]] = {each.exact: {} for each in resolutions}
        for form in forms:
            exports = registry.export_resolved(resolutions, form)
            for export in _without(INEXPRESSIBLE, exports):
                texts[export.reference][form] = export
        for each in resolutions:
            writer.put_version(each.tag, identity_of(each), each.text.encode(), texts[each.exact])


def _without(codes: Collection[str], results: Sequence[R | TtagError]) -> Iterator[R]:
    """Yield the results; leave out refusals with these codes, and raise any other error."""
    for result in results:
        if not isinstance(result, TtagError):
            yield result
        elif not (isinstance(result, Refused) and result.code in codes):
            raise result
