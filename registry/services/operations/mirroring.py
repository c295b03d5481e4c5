"""Writes the registry as a mirror: plain files that any web server can serve.

`ttag mirror` makes the same files over the API, byte for byte (docs/mirrors.md).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

from django.utils import timezone

from registry.domain.document import Json, digest
from registry.domain.mirror_layout import (
    CHECKPOINT,
    KEYS,
    VERSION,
    as_bytes,
    digest_path,
    format_path,
    index_path,
    tile_path,
)
from registry.domain.reference import Reference, Selector
from registry.models import Event, Name, Namespace, Version
from registry.services.core import checkpoints
from registry.services.events import event_feed, log_files
from registry.services.operations.backups import Report, no_progress
from registry.services.operations.mirror_folder import MirrorFolder
from registry.services.operations.snapshots import snapshot
from registry.services.versions import exporting
from registry.services.versions.exporting import EXPORT_FORMATS, ExportFormat, Rendering
from registry.services.versions.resolving import ResolvedReference

BATCH_SIZE = 200  # versions in memory at a time, with their texts
Document = dict[str, Json]


@dataclass(frozen=True, slots=True)
class MirrorSummary:
    """The contents of a mirror, and what a run changed."""

    tags: int
    aliases: int
    versions: int
    written: int
    removed: int


@dataclass
class Indexes:
    """The indexes of a mirror: the versions and aliases by tag, and what each alias stands for."""

    versions: dict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))
    aliases: dict[str, Reference] = field(default_factory=dict)

    def documents(self) -> dict[str, Document]:
        """Return the indexes by path."""
        by_tag: dict[str, list[Json]] = defaultdict(list)
        for alias, reference in sorted(self.aliases.items()):
            by_tag[reference.text].append(alias)
        documents: dict[str, Document] = {
            index_path(tag): {"tag": tag, "aliases": by_tag[tag], "versions": versions}
            for tag, versions in self.versions.items()
        }
        for alias, reference in self.aliases.items():
            documents[index_path(alias)] = {"alias": alias, "reference": str(reference)}
        return documents


def write_mirror(
    root: Path, *, address: str, forms: Collection[ExportFormat] = (), report: Report = no_progress
) -> MirrorSummary:
    """Make a folder the mirror of this registry, whose address readers are told.

    Writes only what is new or has changed, from a consistent snapshot. Some queries, one for each
    200 versions and for each 1,000 events, and those that load kinds. Raises `Refused` as
    `MirrorFolder.open` does, and LOG_UNAVAILABLE if the log cannot be signed.
    """
    if Event.objects.exists():
        checkpoints.newest()  # or nothing may be signed
    with MirrorFolder.open(root) as folder, snapshot():
        indexes = Indexes(aliases=_aliases())
        total, done = Version.objects.count(), 0
        for answers in _batches():
            _write_versions(answers, forms, folder, indexes)
            done += len(answers)
            report("versions", done, total)
        overview = _overview(address, forms)
        if overview["event"]:
            _write_log(folder)
        folder.finish(indexes.documents(), overview)
    return MirrorSummary(
        tags=len(indexes.versions),
        aliases=len(indexes.aliases),
        versions=done,
        written=folder.written,
        removed=folder.removed,
    )


def writable_formats() -> dict[str, ExportFormat]:
    """Return the formats that a mirror can hold besides the targets themselves, by name."""
    return {name: form for name, form in EXPORT_FORMATS.items() if form.written}


def _aliases() -> dict[str, Reference]:
    names = Name.objects.filter(is_alias=True).select_related("tag")
    return {name.text: Reference(name.tag.text, name.selector) for name in names}


def _batches() -> Iterator[list[ResolvedReference]]:
    """Yield all versions as exact references resolve to them, by tag, highest number first."""
    versions = Version.objects.as_resolved().with_withdrawal().with_reasons().select_related("tag")
    ordered = versions.order_by("tag__text", "-major", "-minor", "-patch")
    rows = ordered.iterator(chunk_size=BATCH_SIZE)
    while batch := list(islice(rows, BATCH_SIZE)):
        yield [_resolved(version) for version in batch]


def _resolved(version: Version) -> ResolvedReference:
    reference = Reference(version.tag.text, Selector(version.number.parts))
    return ResolvedReference(
        reference, version.exact, is_alias=False, is_floating=False, version=version
    )


def _write_versions(
    answers: Sequence[ResolvedReference],
    forms: Collection[ExportFormat],
    folder: MirrorFolder,
    indexes: Indexes,
) -> None:
    """Write the targets and texts of some versions, and add the versions to their indexes."""
    renderings = exporting.render_formats(answers, forms)
    for answer, by_format in zip(answers, renderings, strict=True):
        folder.put(digest_path(answer.digest), answer.target.encode())
        dropped: Document = {}
        texts: Document = {}
        for form, rendering in by_format.items():
            if isinstance(rendering, Rendering):
                data = rendering.text.encode()
                folder.put(format_path(form, answer.exact), data)
                dropped[form] = [loss.pointer for loss in rendering.dropped]
                texts[form] = digest(data)
        indexes.versions[answer.version.tag.text].append(
            {**_identity(answer), "formats": dropped, "texts": texts}
        )


def _identity(answer: ResolvedReference) -> Document:
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


def _write_log(folder: MirrorFolder) -> None:
    """Write the log: its tiles, its keys, and the checkpoint that covers them."""
    signed = checkpoints.sign(checkpoints.require_key())
    for tile, content in log_files.all_tiles(signed.checkpoint.size):
        folder.put(tile_path(tile.path), content)
    folder.put(KEYS, as_bytes(log_files.key_history()))
    folder.put(CHECKPOINT, signed.note.encode())


def _overview(address: str, forms: Collection[ExportFormat]) -> Document:
    last = event_feed.latest_events().rows[:1]
    names: list[Json] = [*Namespace.objects.order_by("name").values_list("name", flat=True)]
    return {
        "version": VERSION,
        "registry": address.rstrip("/"),
        "created": f"{timezone.now():%Y-%m-%dT%H:%M:%SZ}",
        "event": last[0].number if last else 0,
        "namespaces": names,
        "formats": [*sorted(form.name for form in forms)],
    }
