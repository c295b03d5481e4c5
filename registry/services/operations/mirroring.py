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

from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Selector
from registry.models import Event, Name, Namespace, Version
from registry.services.catalogue import coverage
from registry.services.core.damaged_rows import naming_damaged_rows
from registry.services.event_log import checkpoints, proof_tiles, signing_keys
from registry.services.events import event_feed
from registry.services.operations.backups import Report, no_progress
from registry.services.operations.snapshots import snapshot
from registry.services.versions import exporting
from registry.services.versions.exporting import EXPORT_FORMATS, ExportFormat, Rendering
from registry.services.versions.resolving import ResolvedReference, load_accelerators
from ttag.errors import FileError, SettingsError
from ttag.mirror.layout import as_bytes
from ttag.mirror.writer import Summary, Writer
from ttag.references import Reference as MirroredReference
from ttag.resolution import Export

BATCH_SIZE = 200  # versions in memory at a time, with their texts


def write_mirror(
    root: Path, *, address: str, forms: Collection[ExportFormat] = (), report: Report = no_progress
) -> Summary:
    """Make a folder the mirror of this registry, whose address readers are told.

    Writes only what is new or has changed, from a consistent snapshot. Some queries, one for each
    200 versions and for each 1,000 events, and those that load kinds. Raises `Refused`: CONFLICT
    if the folder holds something else, REQUEST_INVALID if a file cannot be written or another run
    writes to it, LOG_UNAVAILABLE if the log cannot be signed, and INTERNAL if a row is damaged.
    """
    if Event.objects.exists():
        checkpoints.newest()  # or nothing may be signed
    with (
        _refusals(),
        Writer.open(root, waits=False) as writer,
        snapshot(),
        naming_damaged_rows(),
    ):
        total, done = Version.objects.count(), 0
        for answers in _batches():
            _write_versions(answers, forms, writer)
            done += len(answers)
            report("versions", done, total)
        last = event_feed.latest_events().rows[:1]
        return writer.finish(
            registry=address.rstrip("/"),
            event=last[0].number if last else 0,
            namespaces=Namespace.objects.order_by("name").values_list("name", flat=True),
            formats=sorted(form.name for form in forms),
            aliases=_aliases(),
            log_heads=_write_log(writer) if last else {},
            notices=coverage.notices(),
        )


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


def _batches() -> Iterator[list[ResolvedReference]]:
    """Yield all versions as exact references resolve to them, by tag, highest number first."""
    versions = Version.objects.as_resolved().with_withdrawal().with_reasons().select_related("tag")
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
    signed = checkpoints.sign(checkpoints.require_key())
    for tile, content in proof_tiles.all_tiles(signed.checkpoint.size):
        writer.put(f"log/tile/{tile.path}", content)
    keys = as_bytes(signing_keys.history())
    return {"log/checkpoint": signed.note.encode(), "log/keys": keys}
