"""Copies a registry, or some of its namespaces, into a mirror."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar

from ttag.errors import Refused, TtagError
from ttag.log.entries import read_leaf, states
from ttag.mirror.changes import Changes, Unfit
from ttag.mirror.checksums import Unsealed
from ttag.mirror.contents import Contents, find_namespaces
from ttag.mirror.documents import MirroredVersion, identity_of, read_index
from ttag.mirror.indexes import Indexes
from ttag.mirror.log_copy import LogGrowth, copy_log, extend_log, unproven
from ttag.mirror.storage import Folder
from ttag.mirror.update import Update
from ttag.mirror.writer import Summary, Writer
from ttag.registry.registry import Registry
from ttag.resolution import VERIFIED, Export, Resolution

BATCH = 500  # references in a request; their targets seldom exceed what one response may hold
GONE = frozenset({"TAG_UNKNOWN", "VERSION_UNKNOWN"})
INEXPRESSIBLE = frozenset({"NOT_A_TARGET", "FORMAT_UNFIT"})

R = TypeVar("R", Resolution, Export)
Progress = Callable[[str], None]
Report = Callable[[str], None]


def write_mirror(
    registry: Registry,
    root: Path,
    *,
    namespaces: Collection[str] = (),
    formats: Collection[str] = (),
    is_full: bool = False,
    progress: Progress = lambda sentence: None,
    report: Report = lambda line: None,
) -> Summary:
    """Make a folder the mirror of a registry, or of some namespaces, with texts in some formats.

    Applies the events since the last run, and reports each in a line; where that is not possible,
    and if it `is_full`, reads everything. Writes only what is new or has changed. If it fails, an
    older mirror in the folder remains usable. Raises `Refused`, `Unreachable`, `Tampered`,
    `FileError`, or `SettingsError` if the folder holds something else.
    """
    source, forms = replace(registry, cache=None, no_cache=True), sorted(set(formats) - VERIFIED)
    with Writer.open(root) as writer:
        wanted = find_namespaces(source, namespaces)
        reason = "this was asked for"
        if not is_full:
            try:
                return _apply_events(source, writer, wanted, forms, report)
            except (Unfit, Unsealed) as unfit:
                reason = str(unfit)
        return _copy_all(source, Writer(root), wanted, forms, progress=progress, reason=reason)


def _apply_events(
    registry: Registry,
    writer: Writer,
    wanted: Collection[str],
    forms: Sequence[str],
    report: Report,
) -> Summary:
    """Bring a mirror up to date. Raises `Unfit` or `Unsealed` if everything has to be read."""
    update = Update.open(
        writer, registry=registry.transport.address, namespaces=wanted, formats=forms
    )
    start = update.overview.event
    log = extend_log(registry, update.seal, start)
    changes = Changes.since(start, log.leaves)
    update.refuse_new_namespaces(wanted, changes)
    if log.release != update.overview.release:
        raise Unfit(f"the registry has another release, {log.release or 'which it does not state'}")
    references = changes.references(update).union(*_descendants(registry, changes))
    chosen = sorted(each for each in references if each.partition("/")[0] in wanted)
    update.expect(len(chosen))
    _copy_versions(registry, chosen, forms, writer)
    for exact in chosen:
        version = _version(update, exact)
        _refuse_unproven(update, exact, version, log)
        changes.refuse_older(exact, version)
    summary = update.finish(changes, namespaces=wanted, log=log.files, release=log.release)
    for namespace, line in changes.lines:
        if namespace in wanted:
            report(line)
    return summary


def _descendants(registry: Registry, changes: Changes) -> Iterator[list[str]]:
    """Yield the versions that are made from each one that was yanked, or no longer is."""
    for exact in sorted(changes.withdrawn):
        rows = registry.results(f"/dependents/{exact}", {"versions": "all"})
        yield [str(row["reference"]) for row in rows]


def _version(update: Update, exact: str) -> MirroredVersion:
    """Return a version that was put. Raises `Unfit` if the registry has no such version."""
    tag, _, number = exact.rpartition("@")
    for version in update.writer.versions[tag]:
        if str(version) == number:
            return version
    raise Unfit(f"{exact} is gone")


def _refuse_unproven(update: Update, exact: str, version: MirroredVersion, log: LogGrowth) -> None:
    """Raise `Tampered` for a version of which no leaf states the digest.

    The leaf of an older event was compared when the mirror got the version. Raises `Unfit` for a
    version that has changed since the checkpoint was read.
    """
    start, event = update.overview.event, version.identity.get("event") or 0
    if event > log.size:
        raise Unfit(f"{exact} was changed by event {event} in the meantime")
    tag, _, number = exact.rpartition("@")
    if event <= start:
        known = update.version(exact)
        is_proven = known is not None and known.digest == version.digest
    else:
        leaf = read_leaf(log.leaves[event - start - 1])
        is_proven = states(leaf, event, tag, number, version.digest)
    if not is_proven:
        raise unproven(tag, version)


def _copy_all(
    source: Registry,
    writer: Writer,
    wanted: Collection[str],
    forms: Sequence[str],
    *,
    progress: Progress,
    reason: str,
) -> Summary:
    """Read everything that a registry has, and write the mirror."""
    writer.begin()
    contents = _read_contents(source, writer.root, wanted, progress)
    contents.keep(wanted)
    _copy_versions(source, contents.exact_references(), forms, writer, progress)
    log = copy_log(source, writer.root, writer, progress)
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
        release=log.release if log else "",
        reason=reason,
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
    references: Sequence[str],
    forms: Sequence[str],
    writer: Writer,
    progress: Progress = lambda sentence: None,
) -> None:
    """Write versions, with their texts in some formats."""
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
