"""A project: its settings, and the registries that its targets come from."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from ttag.cache import Cache
from ttag.credentials import Credentials
from ttag.errors import ReferenceInvalid, TtagError
from ttag.references import Reference
from ttag.registry import PLAIN, ExportOptions, Registry
from ttag.resolution import Export, Resolution
from ttag.settings import Settings

R = TypeVar("R")


@dataclass(frozen=True)
class Project:
    """The settings of a folder, and what resolves its references. Several threads may share it.

    `warn` is called with a sentence for everything that a user should know and that is no error.
    """

    settings: Settings
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    warn: Callable[[str], None] = lambda sentence: None

    @classmethod
    def open(
        cls,
        directory: Path | str = ".",
        *,
        environment: Mapping[str, str] = os.environ,
        warn: Callable[[str], None] = lambda sentence: None,
    ) -> Project:
        """Return the project at or above a folder. Raises `SettingsError` or `FileError`."""
        return cls(Settings.load(Path(directory), environment), environment, warn)

    def registry(self, address: str = "") -> Registry:
        """Return the registry at an address, or the main one."""
        address = address or self.settings.main_registry()
        credentials = Credentials.load(self.environment, self.settings.registry)
        return Registry(
            address,
            credentials.token_for(address),
            self.settings.timeout,
            Cache(self.settings.cache),
            self.settings.offline,
            self.warn,
        )

    def registry_of(self, reference: str) -> Registry:
        """Return the registry that the namespace of a reference belongs to."""
        return self.registry(self.settings.registry_of(Reference.parse(reference)))

    def resolve(self, reference: str, *, node: str | None = None) -> Resolution:
        """Return what a reference resolves to. Raises `TtagError`."""
        return self.registry_of(reference).resolve(reference, node=node)

    def export(self, reference: str, form: str, options: ExportOptions = PLAIN) -> Export:
        """Return a target in a format. Raises `TtagError`."""
        return self.registry_of(reference).export(reference, form, options)

    def resolve_many(self, references: Sequence[str]) -> list[Resolution | TtagError]:
        """Return a resolution or an error for each reference, in order."""
        return self._by_registry(references, Registry.resolve_many)

    def export_many(
        self, references: Sequence[str], form: str, options: ExportOptions = PLAIN
    ) -> list[Export | TtagError]:
        """Return an export or an error for each reference, in order."""
        return self._by_registry(
            references, lambda registry, group: registry.export_many(group, form, options)
        )

    def _by_registry(
        self,
        references: Sequence[str],
        ask: Callable[[Registry, Sequence[str]], list[R | TtagError]],
    ) -> list[R | TtagError]:
        """Ask each registry once for all of its references."""
        results: dict[str, R | TtagError] = {}
        groups: dict[str, list[str]] = {}
        for reference in dict.fromkeys(references):
            try:
                address = self.settings.registry_of(Reference.parse(reference))
            except ReferenceInvalid as error:
                results[reference] = error
            else:
                groups.setdefault(address, []).append(reference)
        for address, group in groups.items():
            results |= zip(group, ask(self.registry(address), group), strict=True)
        return [results[reference] for reference in references]
