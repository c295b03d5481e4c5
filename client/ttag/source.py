"""The interface of registries and mirrors, which resolve references, and what they are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from ttag.errors import TtagError
from ttag.export_options import PLAIN, ExportOptions
from ttag.log.files import LogReader
from ttag.resolution import Export, Resolution


class Source(Protocol):
    """Resolves references. Its methods raise `TtagError`; those for many return it instead."""

    @property
    def addresses(self) -> frozenset[str]:
        """The addresses under which a lock may know it."""

    def open_log(self) -> LogReader:
        """Return a reader of its log."""

    def resolve(self, reference: str, *, node: str | None = None) -> Resolution:
        """Return what a reference resolves to, or one node of it."""

    def resolve_many(self, references: Sequence[str]) -> list[Resolution | TtagError]:
        """Return a resolution or an error for each reference, in order."""

    def export(self, reference: str, form: str, options: ExportOptions = PLAIN) -> Export:
        """Return a target in a format."""

    def export_many(
        self, references: Sequence[str], form: str, options: ExportOptions = PLAIN
    ) -> list[Export | TtagError]:
        """Return an export or an error for each reference, in order."""

    def export_resolved(
        self, resolutions: Sequence[Resolution], form: str, options: ExportOptions = PLAIN
    ) -> list[Export | TtagError]:
        """Return an export or an error for each resolution, in order, each compared with it."""


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
