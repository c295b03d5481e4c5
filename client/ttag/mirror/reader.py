"""Resolves references from a mirror, as the registry would."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar

from ttag.cache import Cache
from ttag.canonical_json import digest_of
from ttag.errors import (
    NotFound,
    NotMirrored,
    ReferenceInvalid,
    Refused,
    Tampered,
    TtagError,
    Unreachable,
    attempt,
)
from ttag.export_options import PLAIN, VERIFIED, ExportOptions
from ttag.log.files import LogReader
from ttag.mirror.documents import AliasIndex, MirroredVersion, Overview, TagIndex, read_index
from ttag.mirror.layout import OVERVIEW, VERSION, digest_path, format_path, index_path
from ttag.mirror.storage import MirroredLog, Storage, open_storage
from ttag.references import Reference, select_version
from ttag.resolution import Export, Resolution
from ttag.texts import proven, read_text
from ttag.unsafe import require_safe

MAX_SUGGESTIONS = 5  # versions in an error
CONNECTIONS = 8  # at once, as browsers open to a host; a reference takes two requests

R = TypeVar("R")


@dataclass(frozen=True)
class Mirror:
    """A mirror at an address: `file:///path` or `mirror+https://host/path`.

    It resolves as `Registry` does, but for nodes. Several threads may share it. Unless
    `allow_unsafe`, a target with a value that could harm a build is refused (`UnsafeTarget`).
    """

    address: str
    storage: Storage
    allow_unsafe: bool = False
    warn: Callable[[str], None] = lambda sentence: None

    @classmethod
    def open(
        cls,
        address: str,
        *,
        base: Path = Path(),
        timeout: float = 15.0,
        cache: Cache | None = None,
        offline: bool = False,
        warn: Callable[[str], None] = lambda sentence: None,
        allow_unsafe: bool = False,
    ) -> Mirror:
        """Return the mirror at an address, which may be relative to `base`, as `file:mirror`.

        Only a mirror on a web server uses the other arguments. Raises `SettingsError` if the
        address is not that of a mirror.
        """
        storage = open_storage(
            address, base=base, timeout=timeout, cache=cache, offline=offline, warn=warn
        )
        return cls(address.rstrip("/"), storage, allow_unsafe, warn)

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

    @property
    def addresses(self) -> frozenset[str]:
        """The addresses under which a lock may know this mirror: its own and its registry's."""
        return frozenset({self.address, self.overview.registry})

    def open_log(self) -> LogReader:
        """Return a reader of the mirrored log."""
        return LogReader(f"the mirror {self.address}", MirroredLog(self.storage), may_lag=True)

    def resolve(self, reference: str, *, node: str | None = None) -> Resolution:
        """Return what a reference resolves to, with its digest verified.

        Raises `Refused`, `NotMirrored`, `Unreachable`, `Tampered` or `UnsafeTarget`.
        """
        if node:
            raise NotMirrored(
                f"{self.address} is a mirror and holds whole targets only: ask a registry for the "
                f"node {node} of {reference}."
            )
        parsed = Reference.parse(reference)
        tag, version = self._select(parsed)
        return self._resolution(parsed, tag, version)

    def resolve_many(self, references: Sequence[str]) -> list[Resolution | TtagError]:
        """Return a resolution or an error for each reference, in order."""
        return self._each(self.resolve, references)

    def export(self, reference: str, form: str, options: ExportOptions = PLAIN) -> Export:
        """Return a target in a format that the mirror holds. Raises as `resolve` does."""
        if form in VERIFIED and not options.record:
            return self.resolve(reference, node=options.node).export(form)
        self._refuse_unmirrored(reference, form, options)
        parsed = Reference.parse(reference)
        tag, version = self._select(parsed)
        exact = f"{tag}@{version}"
        dropped = version.formats.get(form)
        if dropped is None:
            raise NotMirrored(f"{exact} cannot be written in the format {form}.")
        if options.strict and dropped:
            others = f" and {len(dropped) - 1} more" if len(dropped) > 1 else ""
            detail = f"The format {form} would drop {dropped[0] or 'the root'}{others}."
            raise Refused(detail, code="FORMAT_LOSSY", status=HTTPStatus.NOT_ACCEPTABLE)
        text = read_text(self._read_text(form, exact, version), self._source)
        resolution = self._resolution(parsed, tag, version)
        export = Export(reference, form, text, dropped, tag=tag)
        return proven(export, resolution, source=self._source)

    def export_many(
        self, references: Sequence[str], form: str, options: ExportOptions = PLAIN
    ) -> list[Export | TtagError]:
        """Return an export or an error for each reference, in order."""
        return self._each(self.export, references, form, options)

    def export_resolved(
        self, resolutions: Sequence[Resolution], form: str, options: ExportOptions = PLAIN
    ) -> list[Export | TtagError]:
        """Return an export or an error for each resolution, in order, each compared with it."""
        exports = self.export_many([each.exact for each in resolutions], form, options)
        return [
            export
            if isinstance(export, TtagError)
            else attempt(_of_resolution, export, resolution, self._source)
            for export, resolution in zip(exports, resolutions, strict=True)
        ]

    @property
    def _source(self) -> str:
        return f"The mirror {self.address}"

    def _read_text(self, form: str, exact: str, version: MirroredVersion) -> bytes:
        """Return the bytes of a text. Raises `Tampered` if the index has another SHA-256."""
        path = format_path(form, exact)
        data = self._read(path)
        if form not in version.texts:
            self.warn(
                f"The index of {self._source} has no SHA-256 of its texts, as release 0.1 wrote "
                "it: they are only compared with their targets. `ttag mirror` writes it anew."
            )
        elif digest_of(data) != version.texts[form]:
            raise Tampered(
                f"{self.address}/{path} does not have the SHA-256 that its index states, but "
                f"{digest_of(data)}: the text of {exact} was changed or is damaged."
            )
        return data

    def _select(self, reference: Reference) -> tuple[str, MirroredVersion]:
        """Return the tag and the version that a reference selects, by the registry's rules."""
        index = self._index(reference.name)
        selector = reference.selector
        if isinstance(index, AliasIndex):
            pinned = index.reference
            if pinned.selector and selector:
                raise ReferenceInvalid(
                    f"{reference.name} is an alias of {pinned}, which already selects a version; "
                    "remove the @ and what follows it."
                )
            selector = pinned.selector or selector
            index = self._index(pinned.name)
        if not isinstance(index, TagIndex):
            raise self._damaged(index_path(reference.name))
        version = select_version(selector, index.versions)
        if version is None:
            raise _no_version(index, selector)
        return index.name, version

    def _resolution(self, reference: Reference, tag: str, version: MirroredVersion) -> Resolution:
        path = digest_path(version.digest)
        data = self._read(path, is_immutable=True)
        if digest_of(data) != version.digest:
            data = self._read(path)  # the server may have been repaired since it was cached
        if digest_of(data) != version.digest:
            raise Tampered(
                f"{self.address}/{path} does not have its digest, but {digest_of(data)}: the "
                f"target of {tag}@{version} was changed or is damaged."
            )
        target = self._parse(path, data)
        answer = {**version.identity, "reference": str(reference), "tag": tag, "target": target}
        resolution = Resolution.from_json(answer, self._source, reference)
        if not self.allow_unsafe:
            require_safe(resolution.text, resolution.reference)
        return resolution

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

    def _refuse_unmirrored(self, reference: str, form: str, options: ExportOptions) -> None:
        """Raise `NotMirrored` for options and formats that only a registry has."""
        if options.node or options.record:
            option = "nodes" if options.node else "recorded origins"
            raise NotMirrored(f"{self.address} is a mirror without {option}: ask a registry.")
        formats = self.overview.formats
        if form not in formats:
            listed = ", ".join([*sorted(VERIFIED), *formats])
            raise NotMirrored(
                f"{self.address} does not hold {reference} in the format {form}; it holds "
                f"{listed}. Formats are added by ttag mirror --format."
            )

    def _document(self, path: str) -> Any:
        """Return the JSON of a file, or None if there is no such file."""
        data = self.storage.read(path)
        return None if data is None else self._parse(path, data)

    def _parse(self, path: str, data: bytes) -> Any:
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise self._damaged(path) from error

    def _read(self, path: str, *, is_immutable: bool = False) -> bytes:
        """Return the content of a file that the index promises."""
        data = self.storage.read(path, is_immutable=is_immutable)
        if data is None:
            raise Unreachable(f"{self.address} is incomplete: it has no {path}.")
        return data

    def _damaged(self, path: str) -> Unreachable:
        return Unreachable(f"{self.address}/{path} is damaged, or is not a file of a mirror.")

    def _each(
        self, call: Callable[..., R], references: Sequence[str], *arguments: object
    ) -> list[R | TtagError]:
        """Return a result or an error for each reference, in order; read several at once."""
        with suppress(TtagError):
            self.overview  # noqa: B018 - read once, not by every thread
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            return [*pool.map(lambda each: attempt(call, each, *arguments), references)]


def _of_resolution(export: Export, resolution: Resolution, source: str) -> Export:
    """Return an export under the reference of a resolution, if it was proven for that target."""
    if export.digest and export.digest != resolution.digest:
        raise Tampered(
            f"{source} has another target for {resolution.exact} than before: {export.digest}, "
            f"not {resolution.digest}."
        )
    return replace(export, reference=resolution.reference)


def _no_version(index: TagIndex, selector: str) -> Refused:
    """Return the error of the registry for a selector that admits no version."""
    unyanked = [f"{index.name}@{each}" for each in index.newest_first() if not each.yanked]
    subject = f"version {selector} of {index.name}" if selector else f"version of {index.name}"
    is_floating = Reference(index.name, selector).is_floating
    return Refused(
        f"There is no {subject}{' that is not yanked' if is_floating else ''}.",
        code="VERSION_UNKNOWN",
        status=404,
        suggestions=unyanked[:MAX_SUGGESTIONS],
    )
