"""Answers from a lock, and what is asked further of locked versions: other formats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ttag.errors import NotLocked, Tampered, TtagError, Unreachable, attempt
from ttag.lock.content import LockedTarget
from ttag.lock.lock import Lock, find_export, refuse_losses
from ttag.references import Reference
from ttag.resolution import Export, ExportOptions, Resolution
from ttag.sources import Sources, exporter, resolver


@dataclass(frozen=True)
class LockedAnswers:
    """Answers from a lock; registries and mirrors add the rest, by the locked version."""

    lock: Lock
    sources: Sources

    def find(self, reference: str) -> LockedTarget | None:
        """Return the locked target of a reference; None if the registry is to be asked.

        Raises as `Lock.find` does, and `NotLocked` if the settings allow only what is locked.
        """
        target = self.lock.find(reference)
        if target is None and self.sources.settings.locked:
            raise self.lock.not_locked(reference)
        asked = Reference.parse_with_node(reference)
        if target is None and self.lock.targets and asked.selector.is_floating:
            self.sources.warn(
                f"{self.lock.not_locked(reference)} Until then its version can change."
            )
        return target

    def find_each(self, references: Iterable[str]) -> dict[str, LockedTarget | TtagError | None]:
        """Return what `find` returns or raises for each reference."""
        return {name: attempt(self.find, name) for name in dict.fromkeys(references)}

    def export_many(
        self, targets: Iterable[LockedTarget], form: str, options: ExportOptions
    ) -> dict[str, Export | TtagError]:
        """Return an export or an error for each target, by its reference."""
        exports: dict[str, Export | TtagError] = {}
        missing = []
        for target in targets:
            if export := _find(target, form, options):
                exports[target.reference] = export
            else:
                missing.append(target)
        return exports | self._export_missing(missing, form, options)

    def _export_missing(
        self, targets: Sequence[LockedTarget], form: str, options: ExportOptions
    ) -> dict[str, Export | TtagError]:
        """Return exports that the lock does not hold, of the locked versions."""
        locked = [target.answer for target in targets]
        asked = {each.reference: each.exact for each in locked}
        answers = self.sources.ask_for(asked, resolver)
        exports = self.sources.ask_for(asked, exporter(form, locked, options))
        for target in targets:
            export = exports[target.reference]
            if refusal := _refusal(target, answers[target.reference]):
                exports[target.reference] = refusal
            elif isinstance(export, NotLocked | Unreachable):
                exports[target.reference] = self.lock.format_missing(target.reference, form, export)
        return exports


def _find(target: LockedTarget, form: str, options: ExportOptions) -> Export | TtagError | None:
    """Return what the lock holds of a target in a format, or None if that is not enough."""
    if options.record:
        return None
    export = find_export(target, form)
    return attempt(refuse_losses, export) if export and options.strict else export


def _refusal(target: LockedTarget, answer: Resolution | TtagError) -> TtagError | None:
    """Return the error if the registry does not have the locked target any more.

    Without the registry, the cache may hold an export and no resolution to compare with.
    """
    if isinstance(answer, NotLocked | Unreachable):
        return None
    if isinstance(answer, TtagError):
        return answer
    try:
        target.verify(answer)
    except Tampered as error:
        return error
    return None
