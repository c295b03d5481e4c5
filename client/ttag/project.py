"""A project: its settings and lock, and the registries and mirrors that its targets come from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from ttag import trusted_publishing
from ttag.cache import Cache
from ttag.credentials import Credentials
from ttag.errors import (
    NotLocked,
    ReferenceInvalid,
    SettingsError,
    Tampered,
    TtagError,
    Unreachable,
    UnsafeTarget,
    attempt,
)
from ttag.export_options import PLAIN, ExportOptions
from ttag.lock import Lock, find_export, refuse_losses
from ttag.lock_format import LockContent, LockedTarget
from ttag.log.history import KnownLog
from ttag.mirror.reader import Mirror
from ttag.mirror.storage import is_mirror, refuse_mirror
from ttag.proving import Prover
from ttag.references import Reference
from ttag.registry import Registry
from ttag.resolution import Export, Resolution
from ttag.settings import Settings
from ttag.source import Source
from ttag.texts.parts import require_part

R = TypeVar("R")


@dataclass(frozen=True)
class Project:
    """The settings of a folder, and what resolves its references. Several threads may share it.

    What the lock holds comes from there, without a network. Other formats of a locked target come
    from the registry or the cache, by the locked version. `warn` is called with a sentence for
    everything that a user should know and that is no error; `note` says what was proven. Unless
    `allow_unsafe`, a target with a value that could harm a build is refused (`UnsafeTarget`).
    """

    settings: Settings
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    warn: Callable[[str], None] = lambda sentence: None
    use_cache: bool = True
    allow_unsafe: bool = False
    note: Callable[[str], None] = lambda sentence: None
    locked: LockContent | None = None  # what logs are compared with; None: what the lock holds

    @classmethod
    def open(
        cls,
        directory: Path | str = ".",
        *,
        environment: Mapping[str, str] = os.environ,
        warn: Callable[[str], None] = lambda sentence: None,
        note: Callable[[str], None] = lambda sentence: None,
        allow_unsafe: bool = False,
    ) -> Project:
        """Return the project at or above a folder. Raises `SettingsError` or `FileError`."""
        settings = Settings.load(Path(directory), environment)
        return cls(settings, environment, warn, allow_unsafe=allow_unsafe, note=note)

    @cached_property
    def lock(self) -> Lock:
        """The lock of the project, as it was when first used; empty if there is none.

        Raises `FileError` or `Tampered`.
        """
        path = self.settings.lock
        if not path.exists():
            return Lock(path, allow_unsafe=self.allow_unsafe)
        return Lock.read(path, allow_unsafe=self.allow_unsafe)

    def without_cache(self) -> Project:
        """Return this project, but asking the registry itself for everything."""
        return replace(self, use_cache=False)

    def knowing(self, content: LockContent) -> Project:
        """Return this project, but comparing logs with some content of a lock, not with its own."""
        return replace(self, locked=content)

    @cached_property
    def prover(self) -> Prover:
        """The logs of the registries and mirrors, which prove what they answer."""
        # Files of a log that never change are cached even where nothing else is.
        cached = replace(self, use_cache=True)
        return Prover(cached.source, self._known_logs, self.settings, self.note)

    def _known_logs(self, address: str) -> Iterable[tuple[KnownLog, bool]]:
        """Yield the logs that the lock has seen, and whether an address must continue each.

        It must if the settings name it for references that were locked from that log's registry.
        """
        content = self.lock.content if self.locked is None else self.locked
        registries = {
            target.registry
            for reference, target in content.targets.items()
            if self.settings.find_registry(Reference.parse(reference)) == address
        }
        for log in content.logs:
            yield log, log.registry in registries

    def locked_only(self) -> Project:
        """Return this project, but refusing references that the lock does not hold."""
        return replace(self, settings=replace(self.settings, locked=True))

    @property
    def _cache(self) -> Cache | None:
        return Cache(self.settings.cache) if self.use_cache else None

    def registry(self, address: str = "") -> Registry:
        """Return the registry at an address, or the main one.

        Raises `SettingsError` if there is a mirror, which can only be resolved from.
        """
        address = address or self.settings.main_registry()
        refuse_mirror(address)
        credentials = Credentials.load(self.environment, self.settings.registry)
        return Registry(
            address,
            credentials.token_for(address),
            self.settings.timeout,
            self._cache,
            self.settings.offline,
            self.warn,
            self.allow_unsafe,
        )

    def registry_of(self, reference: str) -> Registry:
        """Return the registry that the namespace of a reference belongs to."""
        return self.registry(self.settings.registry_of(Reference.parse(reference)))

    def authorized(self, registry: Registry, tag: str, scope: str) -> Registry:
        """Return a registry with a token to write a tag, if need be for the identity of a CI job.

        Raises `TokenMissing`, and `Refused` if the registry does not trust the job.
        """
        if not registry.token and trusted_publishing.has_identity(self.environment):
            token = trusted_publishing.token_for(registry, tag, self.environment)
            return replace(registry, token=token)
        registry.require_token(scope)
        return registry

    def source(self, address: str) -> Source:
        """Return the registry or the mirror at an address."""
        if not is_mirror(address):
            return self.registry(address)
        return Mirror.open(
            address,
            base=self.settings.file.parent if self.settings.file else Path(),
            timeout=self.settings.timeout,
            cache=self._cache,
            offline=self.settings.offline,
            warn=self.warn,
            allow_unsafe=self.allow_unsafe,
        )

    def source_of(self, reference: str) -> Source:
        """Return the registry or mirror that the namespace of a reference belongs to."""
        return self.source(self.settings.registry_of(Reference.parse(reference)))

    def resolve(self, reference: str, *, node: str | None = None) -> Resolution:
        """Return what a reference resolves to. Raises `TtagError`."""
        target = self._find_locked(reference)
        if target is None:
            asked = {reference: reference}
            if node is None and self._mirrored(asked):
                answer = self.ask_proven(asked)[reference]
            else:
                (answer,) = self.ask_for(
                    asked, lambda source, each: [attempt(source.resolve, *each, node=node)]
                ).values()
            self._mention_alias(answer)
            return _or_raise(answer)
        if node is None:
            return target.resolution
        source, exact = self.source_of(reference), target.resolution.exact
        target.verify(source.resolve(exact))
        part = source.resolve(exact, node=node)
        target.verify_exact(part)
        require_part(part, target.resolution, "The registry")
        return replace(part, reference=reference)

    def export(self, reference: str, form: str, options: ExportOptions = PLAIN) -> Export:
        """Return a target in a format. Raises `TtagError`."""
        return _or_raise(self.export_many([reference], form, options)[0])

    def resolve_many(self, references: Sequence[str]) -> list[Resolution | TtagError]:
        """Return a resolution or an error for each reference, in order."""
        results: dict[str, Resolution | TtagError] = {}
        others: dict[str, str] = {}
        for reference, target in self._find_each(references):
            if target is None:
                others[reference] = reference
            else:
                results[reference] = (
                    target.resolution if isinstance(target, LockedTarget) else target
                )
        mirrored = self._mirrored(others)
        results |= self.ask_proven(mirrored)
        results |= self.ask_for({name: name for name in others if name not in mirrored}, resolver)
        for reference in others:
            self._mention_alias(results[reference])
        return [results[reference] for reference in references]

    def export_many(
        self, references: Sequence[str], form: str, options: ExportOptions = PLAIN
    ) -> list[Export | TtagError]:
        """Return an export or an error for each reference, in order."""
        results: dict[str, Export | TtagError] = {}
        others: dict[str, str] = {}
        missing = []
        for reference, target in self._find_each(references):
            if target is None:
                others[reference] = reference
            elif isinstance(target, TtagError):
                results[reference] = target
            elif export := _export_of(target, form, options):
                results[reference] = export
            else:
                missing.append(target)
        results |= self._export_others(others, form, options)
        for reference in others:
            self._mention_alias(results[reference])
        results |= self._export_missing(missing, form, options)
        return [results[reference] for reference in references]

    def ask_for(
        self,
        asked: Mapping[str, str],
        ask: Callable[[Source, Sequence[str]], list[R | TtagError]],
    ) -> dict[str, R | TtagError]:
        """Ask each registry or mirror once for all of its references, whatever the lock holds.

        `asked` has a text for each reference: itself, or the exact version that it stands for. The
        namespace of the reference decides whom to ask.
        """
        results: dict[str, R | TtagError] = {}
        groups: dict[str, list[str]] = {}
        for reference in asked:
            try:
                address = self.settings.registry_of(Reference.parse(reference))
            except ReferenceInvalid as error:
                results[reference] = error
            else:
                groups.setdefault(address, []).append(reference)
        for address, group in groups.items():
            answers = ask(self.source(address), [asked[reference] for reference in group])
            checked = [self._belonging(address, answer) for answer in answers]
            results |= zip(group, checked, strict=True)
        return results

    def ask_proven(self, asked: Mapping[str, str]) -> dict[str, Resolution | TtagError]:
        """Ask as `ask_for` does for resolutions, and have the log of each registry prove them."""
        answers = self.ask_for(asked, resolver)
        return {
            reference: attempt(self._prove, reference, answer)
            if isinstance(answer, Resolution)
            else answer
            for reference, answer in answers.items()
        }

    def _prove(self, reference: str, resolution: Resolution) -> Resolution:
        address = self.settings.registry_of(Reference.parse(reference))
        return self.prover.prove(address, resolution)

    def _mirrored(self, asked: Mapping[str, str]) -> dict[str, str]:
        """Return those of some references that the settings assign to a mirror."""
        mirrored = {}
        for reference, text in asked.items():
            with suppress(TtagError):
                if is_mirror(self.settings.registry_of(Reference.parse(reference))):
                    mirrored[reference] = text
        return mirrored

    def _export_others(
        self, asked: Mapping[str, str], form: str, options: ExportOptions
    ) -> dict[str, Export | TtagError]:
        """Return exports that no lock holds; those of a mirror are of versions that are proven."""
        mirrored = {} if options.node else self._mirrored(asked)
        others = {name: text for name, text in asked.items() if name not in mirrored}
        results = self.ask_for(
            others, lambda source, references: source.export_many(references, form, options)
        )
        proven: dict[str, Resolution] = {}
        for reference, answer in self.ask_proven(mirrored).items():
            if isinstance(answer, TtagError):
                results[reference] = answer
            else:
                proven[reference] = answer
        exact = {reference: resolution.exact for reference, resolution in proven.items()}
        exports = self.ask_for(exact, exporter(form, proven.values(), options))
        for reference, export in exports.items():
            if isinstance(export, Export):
                results[reference] = replace(export, reference=reference)
            else:
                results[reference] = export
        return results

    def _belonging(self, address: str, answer: R | TtagError) -> R | TtagError:
        """Return an answer, or the error that another registry has the tag of an alias."""
        if not (isinstance(answer, Resolution) and answer.is_of_alias):
            return answer
        owner = self.settings.find_registry(Reference.parse(answer.tag))
        if owner == address:
            return answer
        return SettingsError(
            f"{answer.reference} is an alias of {answer.tag}, whose namespace belongs to "
            f"{owner or 'no registry'}, and not to {address}: use {answer.tag} itself."
        )

    def _mention_alias(self, answer: Resolution | Export | TtagError) -> None:
        """Warn of a reference that is not locked and an alias: only its registry knows of what."""
        if not isinstance(answer, TtagError) and answer.is_of_alias:
            self.warn(
                f"{answer.reference} is an alias, which its registry can point at another tag; now "
                f"it stands for {answer.tag}."
            )

    def _find_each(
        self, references: Iterable[str]
    ) -> Iterable[tuple[str, LockedTarget | TtagError | None]]:
        for reference in dict.fromkeys(references):
            try:
                yield reference, self._find_locked(reference)
            except (NotLocked, ReferenceInvalid, UnsafeTarget) as error:
                yield reference, error

    def _find_locked(self, reference: str) -> LockedTarget | None:
        """Return the locked target of a reference; None if the registry is to be asked.

        Raises `NotLocked` if the settings allow only what is locked.
        """
        target = self.lock.find(reference)
        if target is None and self.settings.locked:
            raise self.lock.not_locked(reference)
        if target is None and self.lock.targets and Reference.parse(reference).is_floating:
            self.warn(f"{self.lock.not_locked(reference)} Until then its version can change.")
        return target

    def _export_missing(
        self, targets: Sequence[LockedTarget], form: str, options: ExportOptions
    ) -> dict[str, Export | TtagError]:
        """Return exports that the lock does not hold, of the locked versions."""
        if options.node:
            return {
                target.reference: attempt(self._export_node, target.reference, form, options)
                for target in targets
            }
        asked = {target.reference: target.resolution.exact for target in targets}
        answers = self.ask_for(asked, resolver)
        locked = [target.resolution for target in targets]
        results = self.ask_for(asked, exporter(form, locked, options))
        for target in targets:
            export = results[target.reference]
            if refusal := _refusal(target, answers[target.reference]):
                results[target.reference] = refusal
            elif isinstance(export, NotLocked | Unreachable):
                results[target.reference] = self.lock.format_missing(target.reference, form, export)
        return results

    def _export_node(self, reference: str, form: str, options: ExportOptions) -> Export:
        part = self.resolve(reference, node=options.node)
        (export,) = self.source_of(reference).export_resolved([part], form, options)
        if isinstance(export, TtagError):
            raise export
        return export


def _or_raise(result: R | TtagError) -> R:
    """Return a result, or raise it if it is an error."""
    if isinstance(result, TtagError):
        raise result
    return result


def _refusal(target: LockedTarget, resolution: Resolution | TtagError) -> TtagError | None:
    """Return the error if the registry does not have the locked target any more.

    Without the registry, the cache may hold an export and no resolution to compare with.
    """
    if isinstance(resolution, NotLocked | Unreachable):
        return None
    if isinstance(resolution, TtagError):
        return resolution
    try:
        target.verify(resolution)
    except Tampered as error:
        return error
    return None


def _export_of(
    target: LockedTarget, form: str, options: ExportOptions
) -> Export | TtagError | None:
    """Return what the lock holds of a target in a format, or None if that is not enough."""
    if options.node or options.record:
        return None
    export = find_export(target, form)
    try:
        return refuse_losses(export) if export and options.strict else export
    except TtagError as error:
        return error


def resolver(source: Source, references: Sequence[str]) -> list[Resolution | TtagError]:
    """Ask a registry or mirror for the resolutions of several references."""
    return source.resolve_many(references)


def exporter(
    form: str, resolutions: Iterable[Resolution], options: ExportOptions = PLAIN
) -> Callable[[Source, Sequence[str]], list[Export | TtagError]]:
    """Return what asks a registry or mirror for exports of resolutions, by exact reference."""
    by_exact = {resolution.exact: resolution for resolution in resolutions}
    return lambda source, references: source.export_resolved(
        [by_exact[reference] for reference in references], form, options
    )
