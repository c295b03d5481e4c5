"""Resolves references from a mirror, as the registry would.

The digest of a target and the SHA-256 of a text are checked here, whether the target is in the
signed log by `ttag.proving`, and the checksums of the files only where a mirror is updated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar

from ttag.canonical_json import digest_of
from ttag.errors import NotMirrored, Refused, Tampered, TtagError, attempt
from ttag.http.cache import Cache
from ttag.judging import Judging, Side
from ttag.log.files import LogReader
from ttag.mirror.compatibility import Compatibility
from ttag.mirror.documents import MirroredVersion, Overview
from ttag.mirror.indexes import Indexes
from ttag.mirror.layout import COMPATIBILITY, digest_path, format_path
from ttag.mirror.storage import MirroredLog, Storage, open_storage
from ttag.references import Reference
from ttag.resolution import PLAIN, VERIFIED, Export, ExportOptions, Resolution, with_node
from ttag.texts import proven, read_text
from ttag.texts.node_texts import node_text
from ttag.texts.parts import part_of
from ttag.unsafe import require_safe
from ttag_rules.compatibility.tables import UnknownVersion

CONNECTIONS = 8  # at once, as browsers open to a host; a reference takes two requests

R = TypeVar("R")


@dataclass(frozen=True)
class Mirror(Judging):
    """A mirror at an address: `file:///path` or `mirror+https://host/path`.

    It resolves as `Registry` does; a node of a target has no build key, and of the other formats
    only those that the text of the whole target tells. Several threads may share it. Unless
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
        no_cache: bool = False,
    ) -> Mirror:
        """Return the mirror at an address, which may be relative to `base`, as `file:mirror`.

        Only a mirror on a web server uses the other arguments; with `no_cache`, caches in front of
        it pass requests on. Raises `SettingsError` if the address is not that of a mirror.
        """
        storage = open_storage(
            address,
            base=base,
            timeout=timeout,
            cache=cache,
            offline=offline,
            warn=warn,
            no_cache=no_cache,
        )
        return cls(address.rstrip("/"), storage, allow_unsafe, warn)

    @cached_property
    def _indexes(self) -> Indexes:
        return Indexes(self.address, self.storage)

    @property
    def overview(self) -> Overview:
        """The contents of the mirror. Raises `Unreachable` if it is none, or has another layout."""
        return self._indexes.overview

    @property
    def addresses(self) -> frozenset[str]:
        """The addresses under which a lock may know this mirror: its own and its registry's."""
        return frozenset({self.address, self.overview.registry})

    # Decision 151: newer tables are used only where the rules here give the answers of their cases.
    @cached_property
    def newer_compatibility(self) -> Compatibility | None:
        """The tables of verdicts of a later release, if this one reads them as that one does.

        Otherwise None, and the tables of this release are used; with a warning if the mirror has
        later ones. Raises `Unreachable` for a damaged file.
        """
        with suppress(UnknownVersion):
            stated = self._indexes.compatibility()
            if stated is None or not stated.is_newer:
                return None
            if stated.is_reproduced:
                return stated
        self.warn(
            f"{COMPATIBILITY} of the mirror {self.address} is of a later release, whose rules this "
            "release of ttag does not know: it answers by its own tables."
        )
        return None

    def side(self, reference: str) -> Side:
        """Return the target of a reference, with the mirror's tables if they are newer."""
        return Side.of(self.resolve(reference), self.newer_compatibility)

    def open_log(self) -> LogReader:
        """Return a reader of the mirrored log."""
        return LogReader(f"the mirror {self.address}", MirroredLog(self.storage), may_lag=True)

    def resolve(self, reference: str, *, node: str | None = None) -> Resolution:
        """Return what a reference resolves to, with its digest verified.

        Raises `Refused`, `NotMirrored`, `Unreachable`, `Tampered` or `UnsafeTarget`.
        """
        (reference,) = with_node([reference], node)
        asked = Reference.parse_with_node(reference)
        tag, version = self._indexes.select(asked.whole)
        whole = self._resolution(asked.whole, tag, version)
        return part_of(whole, asked.node) if asked.node else whole

    def resolve_many(self, references: Sequence[str]) -> list[Resolution | TtagError]:
        """Return a resolution or an error for each reference, in order."""
        return self._each(self.resolve, references)

    def export(self, reference: str, form: str, options: ExportOptions = PLAIN) -> Export:
        """Return a target in a format that the mirror holds. Raises as `resolve` does."""
        (reference,), options = options.applied_to([reference])
        if form in VERIFIED and not options.record:
            return self.resolve(reference).export(form)
        self._refuse_unmirrored(reference, form, options)
        asked = Reference.parse_with_node(reference)
        whole, text = self._text(asked.whole, form)
        export = proven(text, whole, source=self._source)
        if asked.node:
            part = part_of(whole, asked.node)
            derived = node_text(export, whole, part)
            if derived is None:
                raise NotMirrored(
                    f"{self.address} holds {form} of whole targets only: ask a registry for the "
                    f"node {asked.node} of {asked.whole}."
                )
            export = proven(derived, part, source=self._source)
        return _refuse_losses(export) if options.strict else export

    def _text(self, asked: Reference, form: str) -> tuple[Resolution, Export]:
        """Return a target, and its text in a format, which is not yet compared with it."""
        tag, version = self._indexes.select(asked)
        exact = f"{tag}@{version}"
        dropped = version.formats.get(form)
        if dropped is None:
            raise NotMirrored(f"{exact} cannot be written in the format {form}.")
        text = read_text(self._read_text(form, exact, version), self._source)
        resolution = self._resolution(asked, tag, version)
        return resolution, Export(str(asked), form, text, dropped, tag=tag)

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
        data = self._indexes.read(path)
        if form not in version.texts:
            self.warn(
                f"The index of the mirror {self.address} has no SHA-256 of its texts, as before "
                "release 0.2: they are only compared with their targets. `ttag mirror` writes it "
                "again."
            )
        elif digest_of(data) != version.texts[form]:
            raise Tampered(
                f"{self.address}/{path} does not have the SHA-256 that its index states, but "
                f"{digest_of(data)}: the text of {exact} was changed or is damaged."
            )
        return data

    def _resolution(self, reference: Reference, tag: str, version: MirroredVersion) -> Resolution:
        path = digest_path(version.digest)
        data = self._indexes.read(path, is_immutable=True)
        if digest_of(data) != version.digest:
            data = self._indexes.read(path)  # the server may have been repaired since it was cached
        if digest_of(data) != version.digest:
            raise Tampered(
                f"{self.address}/{path} does not have its digest, but {digest_of(data)}: the "
                f"target of {tag}@{version} was changed or is damaged."
            )
        target = self._indexes.parse(path, data)
        answer = {**version.identity, "reference": str(reference), "tag": tag, "target": target}
        resolution = Resolution.from_json(answer, self._source, reference)
        if not self.allow_unsafe:
            require_safe(resolution, resolution.reference)
        return resolution

    def _refuse_unmirrored(self, reference: str, form: str, options: ExportOptions) -> None:
        """Raise `NotMirrored` for options and formats that only a registry has."""
        if options.record:
            raise NotMirrored(
                f"{self.address} is a mirror without recorded origins: ask a registry."
            )
        formats = self.overview.formats
        if form not in formats:
            listed = ", ".join([*sorted(VERIFIED), *formats])
            raise NotMirrored(
                f"{self.address} does not hold {reference} in the format {form}; it holds "
                f"{listed}. Formats are added by ttag mirror --format."
            )

    def _each(
        self, call: Callable[..., R], references: Sequence[str], *arguments: object
    ) -> list[R | TtagError]:
        """Return a result or an error for each reference, in order; read several at once."""
        with suppress(TtagError):
            _ = self.overview  # read once, not by every thread
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            return [*pool.map(lambda each: attempt(call, each, *arguments), references)]


def _refuse_losses(export: Export) -> Export:
    """Return an export that leaves nothing out, or raise `Refused` as the registry does."""
    if dropped := export.dropped:
        others = f" and {len(dropped) - 1} more" if len(dropped) > 1 else ""
        raise Refused(
            f"The format {export.format} would drop {dropped[0] or 'the root'}{others}.",
            code="FORMAT_LOSSY",
            status=HTTPStatus.NOT_ACCEPTABLE,
        )
    return export


def _of_resolution(export: Export, resolution: Resolution, source: str) -> Export:
    """Return an export under the reference of a resolution, if it was proven for that target."""
    if export.digest and export.digest != resolution.digest:
        raise Tampered(
            f"{source} has another target for {resolution.exact} than before: {export.digest}, "
            f"not {resolution.digest}."
        )
    return replace(export, reference=resolution.reference)
