"""Which versions and aliases a registry has, as its log of events tells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from ttag.mirror.documents import AliasIndex, TagIndex
from ttag.references import Reference
from ttag.registry.registry import Registry
from ttag_rules.selectors import Selector

PUBLISHED, POINTED, REDACTED = "version.published", "alias.pointed", "text.redacted"


@dataclass
class Contents:
    """The exact references of all versions by tag, and what each alias stands for.

    `event` is the number of the last event that was read.
    """

    event: int = 0
    versions: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    aliases: dict[str, Reference] = field(default_factory=dict)

    @classmethod
    def of(cls, event: int, indexes: Collection[TagIndex | AliasIndex]) -> Contents:
        """Return the contents of a mirror."""
        contents = cls(event)
        for index in indexes:
            if isinstance(index, AliasIndex):
                contents.aliases[index.name] = index.reference
            else:
                contents.versions[index.name] = {f"{index.name}@{each}" for each in index.versions}
        return contents

    def update(self, registry: Registry, progress: Callable[[str], None]) -> None:
        """Read the events that are new since the last one."""
        for event in registry.results("/events", {"after": str(self.event)}):
            self._apply(event)
            self.event = event["number"]
            progress(f"reading the log: event {self.event}")

    def keep(self, namespaces: Collection[str]) -> None:
        """Forget the tags and aliases of all other namespaces."""
        for names in (self.versions, self.aliases):
            for name in [name for name in names if name.partition("/")[0] not in namespaces]:
                names.pop(name)

    def exact_references(self) -> list[str]:
        """Return the exact references of all versions, by tag."""
        return [exact for tag in sorted(self.versions) for exact in sorted(self.versions[tag])]

    def _apply(self, event: Mapping[str, Any]) -> None:
        if event["action"] == PUBLISHED:
            self.versions[event["subject"].partition("@")[0]].add(event["subject"])
        elif event["action"] == POINTED:
            self.aliases[event["subject"]] = Reference.parse(event["detail"]["to"])
        elif event["action"] == REDACTED:
            # A redacted version has another digest, and aliases of the old one follow.
            digests = event["detail"]["digests"]
            self.aliases |= {
                alias: Reference(reference.name, Selector(digest=digests[digest]))
                for alias, reference in self.aliases.items()
                if (digest := reference.selector.digest) in digests
            }


def find_namespaces(registry: Registry, chosen: Collection[str]) -> list[str]:
    """Return the chosen namespaces of a registry, or all. Raises `Refused` for an unknown one."""
    if chosen:
        for namespace in chosen:
            registry.get(f"/namespaces/{namespace}")
        return sorted(set(chosen))
    return [namespace["name"] for namespace in registry.results("/namespaces")]
