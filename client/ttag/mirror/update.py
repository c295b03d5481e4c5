"""Brings a mirror up to date by what has changed since the last run, and reads nothing else.

It starts from files that have the checksums of a run that was finished, or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ttag.errors import FileError, ReferenceInvalid
from ttag.mirror import compatibility
from ttag.mirror.changes import Changes, Unfit
from ttag.mirror.checksums import Seal, Unsealed
from ttag.mirror.documents import (
    AliasIndex,
    Counts,
    MirroredVersion,
    Overview,
    TagIndex,
    read_index,
)
from ttag.mirror.layout import COMPATIBILITY, OVERVIEW, VERSION, as_bytes, index_path
from ttag.mirror.storage import Folder
from ttag.mirror.writer import Summary, Writer, now
from ttag.references import Reference

FEW = 200  # versions, whose files are flushed to the disk one by one
DAMAGED = (KeyError, TypeError, ValueError, AttributeError, ReferenceInvalid)
Index = TagIndex | AliasIndex


@dataclass(frozen=True, slots=True)
class LogFiles:
    """The files of a log that has grown, by path: tiles and bundles, and those that name a size.

    `outdated` are the paths of partial ones that others replace.
    """

    tiles: Mapping[str, bytes]
    heads: Mapping[str, bytes]
    outdated: Sequence[str]


@dataclass
class Update:
    """A run that applies events to the mirror that a folder holds."""

    writer: Writer
    seal: Seal
    overview: Overview
    indexes: dict[str, Index | None] = field(default_factory=dict)  # as they were, by name

    @classmethod
    def open(
        cls, writer: Writer, *, registry: str, namespaces: Collection[str], formats: Collection[str]
    ) -> Update:
        """Return the update of a folder. Raises `Unfit` if only a full run can write it."""
        if writer.is_unfinished:
            raise Unfit("the last run was interrupted")
        try:
            seal = Seal.read(Folder(writer.root))
            overview = _overview(seal)
            tables = seal.file(COMPATIBILITY)
        except (Unsealed, FileError) as error:
            raise Unfit(str(error)) from error
        for is_same, difference in (
            (overview.registry == registry, f"it is a mirror of {overview.registry}"),
            (list(overview.formats) == sorted(formats), "it has other formats"),
            (set(overview.namespaces) <= set(namespaces), "it has other namespaces"),
            (tables == compatibility.content(), "another release has written it"),
        ):
            if not is_same:
                raise Unfit(difference)
        return cls(writer, seal, overview)

    def exact_references(self, tag: str) -> list[str]:
        """Return the exact references of the versions of a tag; none if the mirror lacks it."""
        index = self.index(tag)
        return [f"{tag}@{each}" for each in index.versions] if isinstance(index, TagIndex) else []

    def version(self, exact: str) -> MirroredVersion | None:
        """Return a version as the mirror has it, or None."""
        tag, _, number = exact.rpartition("@")
        index = self.index(tag)
        versions = index.versions if isinstance(index, TagIndex) else ()
        return next((each for each in versions if str(each) == number), None)

    def index(self, name: str) -> Index | None:
        """Return the index of a tag or an alias as the mirror has it. Raises `Unfit`."""
        if name not in self.indexes:
            try:
                data = self.seal.file(index_path(name))
                self.indexes[name] = read_index(json.loads(data)) if data else None
            except (Unsealed, *DAMAGED) as error:
                raise Unfit(f"the index of {name} is damaged ({error})") from error
        return self.indexes[name]

    def refuse_new_namespaces(self, namespaces: Collection[str], changes: Changes) -> None:
        """Raise `Unfit` for a namespace that the mirror lacks and that no event has made."""
        if missing := set(namespaces) - set(self.overview.namespaces) - changes.namespaces:
            raise Unfit(f"it lacks the namespace {min(missing)}")

    def expect(self, versions: int) -> None:
        """Choose how files are flushed to the disk, before the first is written."""
        self.writer.is_durable = versions <= FEW

    def finish(
        self,
        changes: Changes,
        *,
        namespaces: Collection[str],
        log: LogFiles,
        release: str,
    ) -> Summary:
        """Write the log and what names other files, after the versions, and at last the checksums.

        Until then, files were only added.
        """
        writer, removed = self.writer, list(log.outdated)
        tags = self._changed_tags()
        pointed = {
            name: text
            for name, text in changes.aliases.items()
            if name.partition("/")[0] in namespaces
        }
        aliases = self._move_aliases(pointed, tags)
        writer.begin()
        for path, data in log.tiles.items():
            writer.put(path, data)
        writer.flush()
        for path, data in log.heads.items():
            writer.put(path, data)
        for tag in tags.values():
            writer.put(index_path(tag.name), as_bytes(tag.as_json()))
        for name, alias in aliases.items():
            if alias is None:
                removed.append(index_path(name))
            else:
                writer.put(index_path(name), as_bytes(alias.as_json()))
        writer.flush()
        counts = self._counts(tags, aliases)
        overview = replace(
            self.overview,
            created=now(),
            event=changes.event,
            namespaces=tuple(sorted(namespaces)),
            release=release,
            counts=counts,
        )
        writer.put_overview(overview)
        self._put_checksums(removed)
        for path in removed:
            writer.remove(path)
        writer.end()
        return writer.summary(changes.event, counts)

    def _changed_tags(self) -> dict[str, TagIndex]:
        """Return the indexes of the tags of the versions that were put, by name."""
        tags = {}
        for tag, versions in self.writer.versions.items():
            index, numbers = self._tag(tag), {each.number for each in versions}
            kept = [each for each in index.versions if each.number not in numbers]
            tags[tag] = replace(index, versions=(*kept, *versions))
        return tags

    def _move_aliases(
        self, pointed: Mapping[str, str], tags: dict[str, TagIndex]
    ) -> dict[str, AliasIndex | None]:
        """Move aliases from the indexes of tags to those of others.

        Returns their own indexes by name; None for one whose tag the mirror lacks.
        """
        aliases: dict[str, AliasIndex | None] = {}
        for name, text in pointed.items():
            old, reference = self.index(name), Reference.parse(text)
            if isinstance(old, AliasIndex):
                before = tags.get(old.reference.name) or self._tag(old.reference.name)
                tags[before.name] = replace(before, aliases=tuple({*before.aliases} - {name}))
            after = tags.get(reference.name) or self._tag(reference.name)
            if after.versions:
                tags[after.name] = replace(after, aliases=tuple({*after.aliases, name}))
                aliases[name] = AliasIndex(name, reference)
            elif old is not None:
                aliases[name] = None
        return aliases

    def _tag(self, name: str) -> TagIndex:
        """Return the index of a tag as the mirror has it; an empty one if it lacks the tag."""
        index = self.index(name)
        return index if isinstance(index, TagIndex) else TagIndex(name, (), ())

    def _counts(
        self, tags: Mapping[str, TagIndex], aliases: Mapping[str, AliasIndex | None]
    ) -> Counts:
        """Return how many tags, aliases and versions there are after the changes."""
        old = self.overview.counts
        before = [self._tag(name) for name in tags]
        new_aliases = sum(alias is not None for alias in aliases.values())
        old_aliases = sum(self.index(name) is not None for name in aliases)
        new_versions = sum(len(tag.versions) for tag in tags.values())
        return Counts(
            old.tags + sum(not tag.versions for tag in before),
            old.aliases + new_aliases - old_aliases,
            old.versions + new_versions - sum(len(tag.versions) for tag in before),
        )

    def _put_checksums(self, removed: Collection[str]) -> None:
        """Write the parts of the checksums that have changed, and SHA256SUMS."""
        writer = self.writer
        try:
            parts = self.seal.updated(writer.hashes, removed)
        except Unsealed as error:
            raise Unfit(str(error)) from error
        root = {
            **self.seal.root,
            **{path: writer.hashes[path] for path in (COMPATIBILITY, OVERVIEW)},
        }
        for name in [name for name, listed in parts.items() if not listed]:
            del parts[name]
            root.pop(name, None)
            writer.remove(name)
        writer.put_checksums(parts, root)


def _overview(seal: Seal) -> Overview:
    """Return the overview of a sealed mirror. Raises `Unsealed`."""
    data = seal.file(OVERVIEW)
    try:
        document: Any = json.loads(data or b"")
        if document["version"] != VERSION:
            raise Unsealed("it has another layout")
        return Overview.from_json(document)
    except DAMAGED as error:
        raise Unsealed("there is no mirror yet") from error
