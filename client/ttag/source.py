"""Questions to registries and mirrors: resolutions and exports of several references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from ttag.errors import TtagError
from ttag.export_options import PLAIN, ExportOptions
from ttag.mirror.reader import Mirror
from ttag.registry.registry import Registry
from ttag.resolution import Export, Resolution

Source: TypeAlias = Registry | Mirror  # their methods are the same, as far as references go


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
