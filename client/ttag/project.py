"""A project: its settings, and the registries and mirrors that its targets come from."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from ttag.cache import Cache
from ttag.credentials import Credentials
from ttag.errors import ReferenceInvalid, SettingsError, TtagError
from ttag.mirror.reader import Mirror
from ttag.mirror.storage import is_mirror
from ttag.references import Reference
from ttag.registry import PLAIN, ExportOptions, Registry
from ttag.resolution import Export, Resolution
from ttag.settings import Settings
from ttag.source import Source

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
        """Return the registry at an address, or the main one.

        Raises `SettingsError` if there is a mirror, which can only be resolved from.
        """
        address = address or self.settings.main_registry()
        if is_mirror(address):
            raise SettingsError(f"{address} is a mirror: this needs the address of a registry.")
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

    def source(self, address: str) -> Source:
        """Return the registry or the mirror at an address."""
        if not is_mirror(address):
            return self.registry(address)
        return Mirror.open(
            address,
            timeout=self.settings.timeout,
            cache=Cache(self.settings.cache),
            offline=self.settings.offline,
            warn=self.warn,
        )

    def source_of(self, reference: str) -> Source:
        """Return the registry or mirror that the namespace of a reference belongs to."""
        return self.source(self.settings.registry_of(Reference.parse(reference)))

    def resolve(self, reference: str, *, node: str | None = None) -> Resolution:
        """Return what a reference resolves to. Raises `TtagError`."""
        return self.source_of(reference).resolve(reference, node=node)

    def export(self, reference: str, form: str, options: ExportOptions = PLAIN) -> Export:
        """Return a target in a format. Raises `TtagError`."""
        return self.source_of(reference).export(reference, form, options)

    def resolve_many(self, references: Sequence[str]) -> list[Resolution | TtagError]:
        """Return a resolution or an error for each reference, in order."""
        return self._by_source(references, lambda source, group: source.resolve_many(group))

    def export_many(
        self, references: Sequence[str], form: str, options: ExportOptions = PLAIN
    ) -> list[Export | TtagError]:
        """Return an export or an error for each reference, in order."""
        return self._by_source(
            references, lambda source, group: source.export_many(group, form, options)
        )

    def _by_source(
        self,
        references: Sequence[str],
        ask: Callable[[Source, Sequence[str]], list[R | TtagError]],
    ) -> list[R | TtagError]:
        """Ask each registry or mirror once for all of its references."""
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
            results |= zip(group, ask(self.source(address), group), strict=True)
        return [results[reference] for reference in references]
