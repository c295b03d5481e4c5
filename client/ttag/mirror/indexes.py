"""Finds versions in the indexes of a mirror, by the registry's rules."""

from __future__ import annotations

import json
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from ttag.errors import NotFound, NotLocked, NotMirrored, ReferenceInvalid, Refused, Unreachable
from ttag.mirror.compatibility import MAX_SIZE, UNFIT, Compatibility
from ttag.mirror.documents import AliasIndex, MirroredVersion, Overview, TagIndex, read_index
from ttag.mirror.layout import COMPATIBILITY, OVERVIEW, VERSION, index_path
from ttag.mirror.storage import Storage
from ttag.references import Reference
from ttag_rules.compatibility.tables import UnknownVersion
from ttag_rules.selectors import NEWEST, Selector

MAX_SUGGESTIONS = 5  # versions in an error


@dataclass(frozen=True)
class Indexes:
    """The indexes in a mirror, and what else it holds. Raises `Unreachable` for damaged files."""

    address: str
    storage: Storage

    @cached_property
    def overview(self) -> Overview:
        """The contents of the mirror. Raises `Unreachable` if it is none, or has another layout."""
        document = self._document(OVERVIEW)
        if document is None:
            raise NotFound(f"{self.address} is not a mirror: it has no {OVERVIEW}.")
        if not isinstance(document, dict) or document.get("version") != VERSION:
            raise Unreachable(
                f"{self.address} is not a mirror that this release of ttag reads: {OVERVIEW} must "
                f"have the version {VERSION}."
            )
        try:
            return Overview.from_json(document)
        except (KeyError, TypeError, ValueError) as error:
            raise self._damaged(OVERVIEW) from error

    def compatibility(self) -> Compatibility | None:
        """Return the tables of verdicts; None if the mirror has none, or is away.

        Raises `UnknownVersion` for another form of them, and `Unreachable` for a damaged file.
        """
        try:
            data = self.storage.read(COMPATIBILITY)
        except (NotLocked, Unreachable):
            return None  # targets may come from a cache, for which this release's tables suffice
        if data is None:
            return None
        if len(data) > MAX_SIZE:
            raise self._damaged(COMPATIBILITY)
        try:
            return Compatibility.from_json(self.parse(COMPATIBILITY, data))
        except UnknownVersion:
            raise
        except UNFIT as error:
            raise self._damaged(COMPATIBILITY) from error

    def select(self, reference: Reference) -> tuple[str, MirroredVersion]:
        """Return the tag and the version that a reference selects."""
        index = self._index(reference.name)
        selector = reference.selector
        if isinstance(index, AliasIndex):
            pinned = index.reference
            if NEWEST not in {pinned.selector, selector}:
                raise ReferenceInvalid(
                    f"{reference.name} is an alias of {pinned}, which already selects a version; "
                    "remove the @ and what follows it."
                )
            selector = selector if pinned.selector == NEWEST else pinned.selector
            index = self._index(pinned.name)
        if not isinstance(index, TagIndex):
            raise self._damaged(index_path(reference.name))
        version = selector.choose(index.versions)
        if version is None:
            raise _no_version(index, selector)
        return index.name, version

    def _index(self, name: str) -> TagIndex | AliasIndex:
        """Return the index of a tag or an alias. Raises `Refused` (TAG_UNKNOWN)."""
        namespace = name.partition("/")[0]
        if namespace not in self.overview.namespaces:
            near = get_close_matches(namespace, self.overview.namespaces, 1)
            raise NotMirrored(
                f"The mirror {self.address} does not hold the namespace {namespace}.",
                suggestions=near,
            )
        path = index_path(name)
        document = self._document(path)
        if document is None:
            raise Refused(
                f"There is no tag {name} in the mirror {self.address}.",
                code="TAG_UNKNOWN",
                status=404,
            )
        try:
            index = read_index(document)
        except (KeyError, TypeError, ValueError, AttributeError, ReferenceInvalid) as error:
            raise self._damaged(path) from error
        if index.name != name:
            raise self._damaged(path)
        return index

    def _document(self, path: str) -> Any:
        """Return the JSON of a file, or None if there is no such file."""
        data = self.storage.read(path)
        return None if data is None else self.parse(path, data)

    def parse(self, path: str, data: bytes) -> Any:
        """Return the JSON in a file."""
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise self._damaged(path) from error

    def read(self, path: str, *, is_immutable: bool = False) -> bytes:
        """Return the content of a file that the index promises."""
        data = self.storage.read(path, is_immutable=is_immutable)
        if data is None:
            raise Unreachable(f"{self.address} is incomplete: it has no {path}.")
        return data

    def _damaged(self, path: str) -> Unreachable:
        return Unreachable(f"{self.address}/{path} is damaged, or is not a file of a mirror.")


def _no_version(index: TagIndex, selector: Selector) -> Refused:
    """Return the error of the registry for a selector that admits no version."""
    unyanked = [f"{index.name}@{each}" for each in index.newest_first() if not each.yanked]
    subject = "version" if selector == NEWEST else f"version {selector}"
    return Refused(
        f"There is no {subject} of {index.name}"
        f"{' that is not yanked' if selector.is_floating else ''}.",
        code="VERSION_UNKNOWN",
        status=404,
        suggestions=unyanked[:MAX_SUGGESTIONS],
    )
