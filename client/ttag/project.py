"""A project: its settings and lock, and the registries and mirrors that its targets come from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ttag.errors import TtagError, or_raise
from ttag.files import is_there
from ttag.judging import Judging, Side
from ttag.lock.answers import LockedAnswers
from ttag.lock.content import LockContent, LockedTarget
from ttag.lock.lock import Lock
from ttag.log.history import KnownLog
from ttag.mirror.reader import Mirror
from ttag.proving import Prover
from ttag.references import Reference
from ttag.resolution import PLAIN, Export, ExportOptions, Resolution, with_node
from ttag.settings import Settings, misspelt_variables, unread_settings
from ttag.sources import Sources
from ttag.unlocked_answers import UnlockedAnswers


@dataclass(frozen=True)
class Project(Sources, Judging):
    """The settings of a folder, and what resolves its references. Several threads may share it.

    What the lock holds comes from there, without a network. Other formats of a locked target come
    from the registry or the cache, by the locked version. `warn` is called with a sentence for
    everything that a user should know and that is no error; `note` says what was proven. Unless
    `allow_unsafe`, a target with a value that could harm a build is refused (`UnsafeTarget`).
    """

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
        for sentence in misspelt_variables(environment):
            warn(sentence)
        settings = Settings.load(Path(directory), environment)
        for sentence in unread_settings(settings.file):
            warn(sentence)
        return cls(settings, environment, warn, allow_unsafe=allow_unsafe, note=note)

    @cached_property
    def lock(self) -> Lock:
        """The lock of the project, as it was when first used; empty if there is none.

        Raises `FileError` or `Tampered`.
        """
        path = self.settings.lock
        if not is_there(path):
            return Lock(path, allow_unsafe=self.allow_unsafe)
        return Lock.read(path, allow_unsafe=self.allow_unsafe)

    def without_cache(self) -> Project:
        """Return this project, but asking the registry itself for everything.

        Caches in front of it could hide a yank.
        """
        return replace(self, use_cache=False, no_cache=True)

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
            if self.settings.find_registry(Reference.parse_with_node(reference)) == address
        }
        for log in content.logs:
            yield log, log.registry in registries

    def locked_only(self) -> Project:
        """Return this project, but refusing references that the lock does not hold."""
        return replace(self, settings=replace(self.settings, locked=True))

    def offline(self) -> Project:
        """Return this project, but never using the network."""
        return replace(self, settings=replace(self.settings, offline=True))

    def side(self, reference: str) -> Side:
        """Return the target of a reference, with the tables of the mirror that it comes from."""
        resolution = self.resolve(reference)
        if not self.is_mirrored(reference) or self.lock.find(reference):
            return Side.of(resolution)
        source = self.source_of(reference)
        newer = source.newer_compatibility if isinstance(source, Mirror) else None
        return Side.of(resolution, newer)

    @property
    def _locked(self) -> LockedAnswers:
        return LockedAnswers(self.lock, self)

    @property
    def _unlocked(self) -> UnlockedAnswers:
        return UnlockedAnswers(self, self.prover)

    def resolve(self, reference: str, *, node: str | None = None) -> Resolution:
        """Return what a reference, or a node of it, resolves to. Raises `TtagError`.

        `REF#/pointer` names a node, as `node` does. The lock tells those of what it holds.
        """
        return or_raise(self.resolve_many(with_node([reference], node))[0])

    def export(self, reference: str, form: str, options: ExportOptions = PLAIN) -> Export:
        """Return a target in a format. Raises `TtagError`."""
        return or_raise(self.export_many([reference], form, options)[0])

    def resolve_many(self, references: Sequence[str]) -> list[Resolution | TtagError]:
        """Return a resolution or an error for each reference, in order."""
        targets = self._locked.find_each(references)
        answers = self._unlocked.resolve_many([name for name in targets if targets[name] is None])
        for reference, target in targets.items():
            if isinstance(target, LockedTarget):
                answers[reference] = target.answer
            elif target is not None:
                answers[reference] = target
        return [answers[reference] for reference in references]

    def export_many(
        self, references: Sequence[str], form: str, options: ExportOptions = PLAIN
    ) -> list[Export | TtagError]:
        """Return an export or an error for each reference, in order."""
        references, options = options.applied_to(references)
        targets = self._locked.find_each(references)
        unlocked = [name for name, target in targets.items() if target is None]
        locked = [target for target in targets.values() if isinstance(target, LockedTarget)]
        exports = self._unlocked.export_many(unlocked, form, options)
        exports |= self._locked.export_many(locked, form, options)
        for reference, target in targets.items():
            if isinstance(target, TtagError):
                exports[reference] = target
        return [exports[reference] for reference in references]

    def ask_proven(self, asked: Mapping[str, str]) -> dict[str, Resolution | TtagError]:
        """Ask as `ask_for` does for resolutions, and have the log of each registry prove them."""
        return self._unlocked.ask_proven(asked)
