"""A registry that is asked over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from ttag.errors import TtagError, attempt, or_raise
from ttag.judging import Judging, Side
from ttag.log.files import FOLDER, LogReader, ServedFiles
from ttag.mirror.reader import Mirror
from ttag.mirror.storage import is_mirror
from ttag.references import Reference, whole_of
from ttag.registry.batches import Batches
from ttag.registry.browsing import Browsing
from ttag.registry.connection import API, resolve_path
from ttag.registry.submitting import Submitting
from ttag.resolution import PLAIN, VERIFIED, Export, ExportOptions, Resolution, with_node
from ttag.responses.exports import read_export, read_result
from ttag.texts import proven
from ttag.texts.parts import require_part
from ttag.unsafe import require_safe

R = TypeVar("R")


@dataclass(frozen=True)
class Registry(Browsing, Submitting, Judging):
    """A registry at an address, with a cache if one is given. Several threads may share it.

    The address may be that of a mirror, which then resolves; everything else needs a registry.

    When the registry cannot be reached, what the cache holds is returned, and `warn` is called
    with a sentence. If `offline`, the registry is never asked. Unless `allow_unsafe`, a target with
    a value that could harm a build is refused (`UnsafeTarget`). With `no_cache`, caches in front of
    the registry pass requests on to it.
    """

    @cached_property
    def _mirror(self) -> Mirror | None:
        """The mirror at the address, if it is that of one."""
        if not is_mirror(self.address):
            return None
        return Mirror.open(
            self.address,
            timeout=self.timeout,
            cache=self.cache,
            offline=self.offline,
            warn=self.warn,
            allow_unsafe=self.allow_unsafe,
        )

    def resolve(self, reference: str, *, node: str | None = None) -> Resolution:
        """Return what a reference resolves to, or one node of it, with its digest verified.

        `REF#/pointer` names a node, as `node` does; it is compared with the whole target. Raises
        `Refused`, `Unreachable`, `Tampered` or `UnsafeTarget`.
        """
        (reference,) = with_node([reference], node)
        if self._mirror:
            return self._mirror.resolve(reference)
        asked = Reference.parse_with_node(reference)
        resolution = self.fetcher.read(
            resolve_path(asked, "json", PLAIN),
            lambda response: self._resolution(self.transport.json(response), asked),
            floating=reference if asked.selector.is_floating else "",
        )
        if asked.node:
            whole = whole_of(reference if asked.selector.digest else resolution.exact)
            require_part(resolution, self.resolve(whole), self.source)
        return resolution

    def resolve_many(self, references: Sequence[str]) -> list[Resolution | TtagError]:
        """Return a resolution or an error for each reference, in order, by few requests."""
        if self._mirror:
            return self._mirror.resolve_many(references)
        return self._many(references, "json", PLAIN, self._resolution, Registry.resolve)

    def export(self, reference: str, form: str, options: ExportOptions = PLAIN) -> Export:
        """Return a target in a format, compared with the target itself. Raises as `resolve` does.

        A text that does not belong to the target is `Tampered`: only the target has a digest.
        """
        return or_raise(self.export_many([reference], form, options)[0])

    def export_many(
        self, references: Sequence[str], form: str, options: ExportOptions = PLAIN
    ) -> list[Export | TtagError]:
        """Return an export or an error for each reference, in order, by few requests.

        A node can only be asked for one by one.
        """
        references, options = options.applied_to(references)
        if self._mirror:
            return self._mirror.export_many(references, form, options)
        answers = self.resolve_many(references)
        resolutions = [each for each in answers if isinstance(each, Resolution)]
        exports = iter(self.export_resolved(resolutions, form, options))
        return [each if isinstance(each, TtagError) else next(exports) for each in answers]

    def export_resolved(
        self, resolutions: Sequence[Resolution], form: str, options: ExportOptions = PLAIN
    ) -> list[Export | TtagError]:
        """Return an export or an error for each resolution, in order, each compared with it.

        Of a resolution of a node, it is the text of the node.
        """
        if form in VERIFIED and not options.record:
            return [resolution.export(form) for resolution in resolutions]
        if self._mirror:
            return self._mirror.export_resolved(resolutions, form, options)
        answers = self._many(
            [each.exact for each in resolutions],
            form,
            options,
            lambda result, asked: read_result(result, asked, form),
            lambda registry, exact: registry._export_exact(exact, form, options),
        )
        return [
            answer
            if isinstance(answer, TtagError)
            else attempt(self._proven, answer, resolution, options.record)
            for answer, resolution in zip(answers, resolutions, strict=True)
        ]

    def side(self, reference: str) -> Side:
        """Return the target of a reference, with the tables of the mirror that it comes from."""
        if self._mirror:
            return self._mirror.side(reference)
        return Side.of(self.resolve(reference))

    def _resolution(self, answer: Any, asked: Reference) -> Resolution:
        resolution = Resolution.from_json(answer, self.source, asked)
        if not self.allow_unsafe:
            require_safe(resolution, resolution.reference)
        return resolution

    def _export_exact(self, exact: str, form: str, options: ExportOptions) -> Export:
        asked = Reference.parse_with_node(exact)
        return self.fetcher.read(
            resolve_path(asked, form, options),
            lambda response: read_export(
                response, asked, form, transport=self.transport, source=self.source
            ),
        )

    def _proven(self, export: Export, resolution: Resolution, is_recorded: bool) -> Export:
        named = replace(export, reference=resolution.reference, tag=resolution.tag)
        return proven(named, resolution, source=self.source, is_recorded=is_recorded)

    @property
    def addresses(self) -> frozenset[str]:
        """The addresses under which a lock may know this registry."""
        return self._mirror.addresses if self._mirror else frozenset({self.address.rstrip("/")})

    def open_log(self) -> LogReader:
        """Return a reader of the registry's log."""
        if self._mirror:
            return self._mirror.open_log()
        files = ServedFiles(self.fetcher, f"{API}/{FOLDER}")
        return LogReader(f"the registry {self.address}", files)

    def _many(
        self,
        references: Sequence[str],
        form: str,
        options: ExportOptions,
        read: Callable[[Any, Reference], R],
        read_one: Callable[[Registry, str], R],
    ) -> list[R | TtagError]:
        """Return an answer or an error for each reference; whole targets are asked for together."""
        parsed = [attempt(Reference.parse, reference) for reference in references]
        asked = [each for each in parsed if isinstance(each, Reference)]
        if self.offline or len(asked) <= 1:
            return [attempt(read_one, self, reference) for reference in references]
        answers = iter(Batches(self, form, options, read, read_one).ask(asked))
        return [
            next(answers) if isinstance(each, Reference) else attempt(read_one, self, reference)
            for reference, each in zip(references, parsed, strict=True)
        ]
