"""Writes the registry as a mirror: plain files that any web server can serve.

The client's writer makes the files, as for `ttag mirror` (docs/decisions/0120).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TypeVar

from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.event_log.notes import Checkpoint
from registry.domain.event_log.tiles import WIDTH, tiles_of
from registry.domain.reference import Reference
from registry.models import Ancestry, Event, Name, Namespace, Version
from registry.models.versions import VersionQuerySet
from registry.services.catalogue import coverage
from registry.services.core.damaged_rows import naming_damaged_rows
from registry.services.core.release import RELEASE
from registry.services.event_log import (
    checkpoints,
    leaf_bytes,
    proof_tiles,
    signing_keys,
    tree_hashes,
)
from registry.services.event_log.checkpoints import SignedCheckpoint
from registry.services.events import event_feed
from registry.services.operations.backups import Report, no_progress
from registry.services.operations.snapshots import snapshot
from registry.services.versions import exporting
from registry.services.versions.exporting import EXPORT_FORMATS, ExportFormat, Rendering
from registry.services.versions.resolving import ResolvedReference, load_accelerators
from ttag.errors import FileError, SettingsError
from ttag.mirror.changes import Changes, Unfit
from ttag.mirror.checksums import Unsealed
from ttag.mirror.layout import as_bytes
from ttag.mirror.update import LogFiles, Update
from ttag.mirror.writer import Summary, Writer
from ttag.references import Reference as MirroredReference
from ttag.resolution import Export
from ttag_rules.selectors import Selector

BATCH_SIZE = 200  # versions in memory at a time, with their texts
CHECKPOINT = "log/checkpoint"
NUMBER = ("major", "minor", "patch")

R = TypeVar("R")


def write_mirror(
    root: Path,
    *,
    address: str,
    forms: Collection[ExportFormat] = (),
    is_full: bool = False,
    report: Report = no_progress,
) -> Summary:
    """Make a folder the mirror of this registry, whose address readers are told.

    Applies the events since the last run; where that is not possible, and if it `is_full`, reads
    everything. Writes only what is new or has changed, from a consistent snapshot. Some queries,
    one for each 200 versions and for each 1,000 events, and those that load kinds. A full run
    waits for another one. Raises `Refused`: CONFLICT if the folder holds something else,
    REQUEST_INVALID if a file cannot be written or another run writes to it, LOG_UNAVAILABLE if
    the log cannot be signed, and INTERNAL if a row is damaged.
    """
    if Event.objects.exists():
        checkpoints.newest()  # or nothing may be signed
    with _refusals(), Writer.open(root, waits=is_full) as writer, snapshot(), naming_damaged_rows():
        reason = "this was asked for"
        if not is_full:
            try:
                return _apply_events(writer, address.rstrip("/"), forms)
            except (Unfit, Unsealed) as unfit:
                reason = str(unfit)
        return _copy_all(Writer(root), address.rstrip("/"), forms, report=report, reason=reason)


def _apply_events(writer: Writer, address: str, forms: Collection[ExportFormat]) -> Summary:
    """Bring a mirror up to date. Raises `Unfit` or `Unsealed` if everything has to be read."""
    names = sorted(form.name for form in forms)
    update = Update.open(writer, registry=address, namespaces=_namespaces(), formats=names)
    start = update.overview.event
    if update.overview.release != RELEASE:
        raise Unfit("another release has written it")
    signed, old = checkpoints.current(), _mirrored_size(update)
    size = signed.checkpoint.size
    changes = Changes.since(start, leaf_bytes.leaves(start, size))
    update.refuse_new_namespaces(_namespaces(), changes)
    keys = _keys_of(changes.references(update), changes.withdrawn)
    update.expect(len(keys))
    for chunk in _chunks(sorted(keys)):
        for answers in _batches(Version.objects.filter(pk__in=chunk)):
            _write_versions(answers, forms, writer)
    log = _later_files(min(start, old), old, signed)
    return update.finish(changes, namespaces=_namespaces(), log=log, release=RELEASE)


def _later_files(start: int, old: int, signed: SignedCheckpoint) -> LogFiles:
    """Return the files of the log that have changed since an event. `old` is its mirrored size."""
    tiles = [*tiles_of(signed.checkpoint.size)]
    changed = [each for each in tiles if each.index >= start // WIDTH ** ((each.level or 0) + 1)]
    outdated = {each.path for each in tiles_of(old) if not each.is_full}
    return LogFiles(
        {f"log/tile/{each.path}": proof_tiles.content(each) for each in changed},
        _log_heads(signed),
        [f"log/tile/{path}" for path in sorted(outdated - {each.path for each in tiles})],
    )


def _mirrored_size(update: Update) -> int:
    """Return the size of the log in a mirror. Raises `Unfit` if this log does not continue it."""
    note = update.seal.file(CHECKPOINT)
    if note is None:
        raise Unfit("it has no log")
    try:
        mirrored = Checkpoint.parse(note.decode())
    except ValueError as error:
        raise Unfit("its checkpoint is damaged") from error
    current = tree_hashes.current_range()
    if mirrored.origin != checkpoints.require_key().origin or mirrored.size > current.size:
        raise Unfit("it is of another log, or of a longer one")
    if tree_hashes.range_at(mirrored.size).root != mirrored.root:
        raise Unfit("its log is another one")
    return mirrored.size


def _keys_of(references: Collection[str], withdrawn: Collection[str]) -> set[int]:
    """Return the primary keys of versions, and of those made from the withdrawn ones.

    A query for each 200 of them.
    """
    keys = _keys(references)
    for ancestors in _chunks(sorted(_keys(withdrawn))):
        rows = Ancestry.objects.filter(ancestor__in=ancestors)
        keys |= {*rows.values_list("version", flat=True)}
    return keys


def _keys(references: Collection[str]) -> set[int]:
    keys: set[int] = set()
    for chunk in _chunks(sorted(references)):
        tags = {exact.partition("@")[0] for exact in chunk}
        versions = Version.objects.filter(tag__text__in=tags).select_related("tag")
        keys |= {each.pk for each in versions.only(*NUMBER, "tag__text") if each.exact in chunk}
    return keys


def _chunks(rows: Sequence[R]) -> Iterator[Sequence[R]]:
    for start in range(0, len(rows), BATCH_SIZE):
        yield rows[start : start + BATCH_SIZE]


def _copy_all(
    writer: Writer, address: str, forms: Collection[ExportFormat], *, report: Report, reason: str
) -> Summary:
    """Read everything, and write the mirror."""
    writer.begin()
    total, done = Version.objects.count(), 0
    for answers in _batches(Version.objects.all()):
        _write_versions(answers, forms, writer)
        done += len(answers)
        report("versions", done, total)
    last = event_feed.latest_events().rows[:1]
    return writer.finish(
        registry=address,
        event=last[0].number if last else 0,
        namespaces=_namespaces(),
        formats=sorted(form.name for form in forms),
        aliases=_aliases(),
        log_heads=_write_log(writer) if last else {},
        notices=coverage.notices(),
        release=RELEASE,
        reason=reason,
    )


def _namespaces() -> list[str]:
    return list(Namespace.objects.order_by("name").values_list("name", flat=True))


@contextmanager
def _refusals() -> Iterator[None]:
    """Raise the errors of the writer as those of the registry."""
    try:
        yield
    except SettingsError as error:
        raise Refused(Code.CONFLICT, error.message) from error
    except FileError as error:
        raise Refused(Code.REQUEST_INVALID, error.message) from error


def writable_formats() -> dict[str, ExportFormat]:
    """Return the formats that a mirror can hold besides the targets themselves, by name."""
    return {name: form for name, form in EXPORT_FORMATS.items() if form.written}


def _aliases() -> dict[str, MirroredReference]:
    names = Name.objects.filter(is_alias=True).select_related("tag")
    pinned = {name.text: Reference(name.tag.text, name.selector) for name in names}
    return {alias: MirroredReference.parse(str(pinned[alias])) for alias in sorted(pinned)}


def _batches(chosen: VersionQuerySet) -> Iterator[list[ResolvedReference]]:
    """Yield versions as exact references resolve to them, by tag, highest number first."""
    versions = chosen.as_resolved().with_withdrawal().with_reasons().select_related("tag")
    ordered = versions.order_by("tag__text", "-major", "-minor", "-patch")
    rows = ordered.iterator(chunk_size=BATCH_SIZE)
    while batch := list(islice(rows, BATCH_SIZE)):
        load_accelerators((version.tag.text, version) for version in batch)
        yield [_resolved(version) for version in batch]


def _resolved(version: Version) -> ResolvedReference:
    reference = Reference(version.tag.text, Selector(version.number.parts))
    return ResolvedReference(
        reference, version.exact, is_alias=False, is_floating=False, version=version
    )


def _write_versions(
    answers: Sequence[ResolvedReference], forms: Collection[ExportFormat], writer: Writer
) -> None:
    """Write some versions, with their texts in the formats that can express them."""
    renderings = exporting.render_formats(answers, forms)
    for answer, by_format in zip(answers, renderings, strict=True):
        exports = {
            form: Export(
                answer.exact,
                form,
                rendering.text,
                tuple(loss.pointer for loss in rendering.dropped),
            )
            for form, rendering in by_format.items()
            if isinstance(rendering, Rendering)
        }
        tag, target = answer.version.tag.text, answer.target.encode()
        writer.put_version(tag, _identity(answer), target, exports)


def _identity(answer: ResolvedReference) -> dict[str, Json]:
    """Return the members of a resolution, less those that a mirror stores elsewhere or leaves out.

    Those are the reference, the tag, the target, its dependencies and lints.
    """
    return {
        "version": str(answer.version.number),
        "digest": answer.digest,
        "published": answer.version.date,
        "event": answer.version.event,
        "status": answer.status,
        "tuning_keys": json.loads(answer.tuning_keys),
        "lineage": json.loads(answer.version.lineage),
        "build_key": answer.build_key,
        "warnings": [
            {name: text for name, text in asdict(warning).items() if text is not None}
            for warning in answer.warnings
        ],
    }


def _write_log(writer: Writer) -> dict[str, bytes]:
    """Write the tiles of the log; return the checkpoint that covers them, and the keys, by path."""
    signed = checkpoints.current()
    for tile, content in proof_tiles.all_tiles(signed.checkpoint.size):
        writer.put(f"log/tile/{tile.path}", content)
    return _log_heads(signed)


def _log_heads(signed: SignedCheckpoint) -> dict[str, bytes]:
    """Return the files that state the size of the log, by path; keys before what they sign."""
    keys = as_bytes(signing_keys.history())
    return {"log/keys": keys, CHECKPOINT: signed.note.encode()}
