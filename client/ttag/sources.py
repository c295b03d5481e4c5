"""The registries and mirrors of some settings, and which of them a reference belongs to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from ttag.errors import ReferenceInvalid, SettingsError, TtagError, attempt
from ttag.http.cache import Cache
from ttag.mirror.reader import Mirror
from ttag.mirror.storage import is_mirror, refuse_mirror
from ttag.references import Reference
from ttag.registry import trusted_publishing
from ttag.registry.credentials import Credentials
from ttag.registry.registry import Registry
from ttag.resolution import PLAIN, Export, ExportOptions, Resolution
from ttag.settings import Settings

Source: TypeAlias = Registry | Mirror  # their methods are the same, as far as references go
R = TypeVar("R")


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


@dataclass(frozen=True)
class Sources:
    """The registries and mirrors that some settings name. Several threads may share it.

    `warn` is called with a sentence for everything that a user should know and that is no error.
    Unless `allow_unsafe`, a target with a value that could harm a build is refused
    (`UnsafeTarget`). With `no_cache`, caches in front of a registry or mirror pass requests on.
    """

    settings: Settings
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    warn: Callable[[str], None] = lambda sentence: None
    use_cache: bool = True
    allow_unsafe: bool = False
    no_cache: bool = False

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
            self.no_cache,
            self.settings.log_key_of(address.rstrip("/")),
        )

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
            no_cache=self.no_cache,
        )

    def address_of(self, reference: str) -> str:
        """Return the address that the namespace of a reference belongs to.

        Raises `ReferenceInvalid` or `SettingsError`.
        """
        return self.settings.registry_of(Reference.parse_with_node(reference))

    def is_mirrored(self, reference: str) -> bool:
        """Return whether the namespace of a reference belongs to a mirror."""
        address = attempt(self.address_of, reference)
        return isinstance(address, str) and is_mirror(address)

    def registry_of(self, reference: str) -> Registry:
        """Return the registry that the namespace of a reference belongs to."""
        return self.registry(self.address_of(reference))

    def source_of(self, reference: str) -> Source:
        """Return the registry or mirror that the namespace of a reference belongs to."""
        return self.source(self.address_of(reference))

    def authorized(self, registry: Registry, tag: str, scope: str) -> Registry:
        """Return a registry with a token to write a tag, if need be for the identity of a CI job.

        Raises `TokenMissing`, and `Refused` if the registry does not trust the job.
        """
        if not registry.token and trusted_publishing.has_identity(self.environment):
            token = trusted_publishing.token_for(registry, tag, self.environment)
            return replace(registry, token=token)
        registry.require_token(scope)
        return registry

    def ask_for(
        self,
        asked: Mapping[str, str],
        ask: Callable[[Source, Sequence[str]], list[R | TtagError]],
    ) -> dict[str, R | TtagError]:
        """Ask each registry or mirror once for all of its references, whatever a lock holds.

        `asked` has a text for each reference: itself, or the exact version that it stands for. The
        namespace of the reference decides whom to ask.
        """
        results: dict[str, R | TtagError] = {}
        groups: dict[str, list[str]] = {}
        for reference in asked:
            try:
                groups.setdefault(self.address_of(reference), []).append(reference)
            except ReferenceInvalid as error:
                results[reference] = error
        for address, group in groups.items():
            answers = ask(self.source(address), [asked[reference] for reference in group])
            checked = [_refuse_foreign(self.settings, address, answer) for answer in answers]
            results |= zip(group, checked, strict=True)
        return results


def _refuse_foreign(settings: Settings, address: str, answer: R | TtagError) -> R | TtagError:
    """Return an answer, or the error that another registry has the tag of an alias."""
    if not (isinstance(answer, Resolution) and answer.is_of_alias):
        return answer
    owner = settings.find_registry(Reference.parse(answer.tag))
    if owner == address:
        return answer
    return SettingsError(
        f"{answer.reference} is an alias of {answer.tag}, whose namespace belongs to "
        f"{owner or 'no registry'}, and not to {address}: use {answer.tag} itself."
    )
