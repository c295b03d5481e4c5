"""Published versions in memory, and shortcuts through the checks of a body."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from registry.domain.body_references import body_references
from registry.domain.checks import check_target
from registry.domain.document import Json, digest, parse_json
from registry.domain.errors import Fault, Refused
from registry.domain.kinds import Kind, Kinds
from registry.domain.merging import PublishedVersion
from registry.domain.pointer import ROOT, child
from registry.domain.reference import Reference
from registry.domain.resolution import Resolution, resolve_body
from registry.domain.tuning import tuning_keys
from registry.domain.version_number import VersionNumber, next_number
from registry.domain.versioning import Edition, compute_bump
from registry.services.core import shipped_facts

KINDS = Kinds(Kind(name, 1, schema) for name, schema in shipped_facts.kinds().items())


@dataclass(frozen=True)
class Edited:
    """A published version with its source and resolution."""

    source: Json
    resolution: Resolution
    published: PublishedVersion
    yanked: bool = False

    @property
    def number(self) -> VersionNumber:
        return self.published.number

    @property
    def digest(self) -> str:
        return digest(self.resolution.text)

    @property
    def edition(self) -> Edition:
        return Edition.of(self.source, self.resolution.ancestors, self.resolution.target, KINDS)


@dataclass
class Library:
    """Published versions by tag, with the lookup of references."""

    versions: dict[str, list[Edited]] = field(default_factory=dict)

    def publish(self, tag: str, body: Any) -> PublishedVersion:
        """Resolve, check and number a body as the registry does."""
        resolution = self.resolve(body)
        check_target(resolution.target, KINDS)
        history = self.versions.setdefault(tag, [])
        new = Edition.of(body, resolution.ancestors, resolution.target, KINDS)
        base = max(history, key=lambda version: version.number, default=None)
        move = compute_bump(base.edition if base else None, new, KINDS)
        assert move is not None, f"nothing changed in {tag}"
        taken = [version.number for version in history]
        number = next_number(move, base.number if base else None, taken)
        return self._add(tag, body, resolution, number)

    def put(self, tag: str, body: Any) -> PublishedVersion:
        """Publish without checking, for bodies that no schema allows."""
        return self._add(tag, body, self.resolve(body), VersionNumber(1, 0, 0))

    def resolve(self, body: Any) -> Resolution:
        """Resolve a body against the newest matching versions."""
        return resolve_body(body, self.answers(body))

    def answers(self, body: Any) -> dict[str, PublishedVersion]:
        """Return the versions that the references of a body resolve to."""
        references = [item.reference for item in body_references(body)]
        return {str(reference): self.pick(reference) for reference in references}

    def pick(self, reference: Reference) -> PublishedVersion:
        """Return the version that a reference resolves to."""
        chosen = reference.selector.choose(self.versions[reference.text])
        assert chosen is not None, f"no version of {reference}"
        return chosen.published

    def _add(
        self, tag: str, body: Json, resolution: Resolution, number: VersionNumber
    ) -> PublishedVersion:
        published = PublishedVersion(
            tag=tag,
            number=number,
            target=json.loads(resolution.text),
            provenance=resolution.provenance,
            lineage=resolution.lineage,
            depth=resolution.depth,
        )
        self.versions.setdefault(tag, []).append(Edited(body, resolution, published))
        return published


def target_of(body: Any, library: Library | None = None) -> dict[str, Any]:
    """Resolve and check a body; return its target."""
    resolution = (library or Library()).resolve(body)
    check_target(resolution.target, KINDS)
    return resolution.target


def keys_of(body: Any, library: Library | None = None) -> dict[str, str]:
    """Return the tuning keys of a body."""
    return tuning_keys(target_of(body, library), KINDS)


def check_text(text: bytes | str) -> Resolution:
    """Run every check of a body's text that needs no other version."""
    body = parse_json(text)
    assert not body_references(body)
    resolution = resolve_body(body, {})
    check_target(resolution.target, KINDS)
    return resolution


def refusal(action: Callable[[], object]) -> Refused:
    """Return the error that an action raises; fail if it raises none."""
    with pytest.raises(Refused) as caught:
        action()
    return caught.value


def faults(body: Any, library: Library | None = None) -> dict[str, Fault]:
    """Return the faults of a body by pointer, from the first check that has any."""
    all_faults = refusal(lambda: target_of(body, library)).faults
    assert all_faults, "refused as a whole"
    by_pointer = {fault.pointer: fault for fault in all_faults}
    assert len(by_pointer) == len(all_faults), "two faults at one place: look at them one by one"
    return by_pointer


def leaves(document: Json) -> dict[str, Json]:
    """Return the values of a target by pointer, implemented independently of the code."""
    return dict(_leaves(document, ROOT))


def _leaves(value: Json, pointer: str) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, child(pointer, key))
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for index, item in enumerate(value):
            yield from _leaves(item, child(pointer, index))
    else:
        yield pointer, value


def reordered(value: Json, order: Callable[[list[str]], list[str]]) -> Json:
    """Return the same JSON with the keys of its objects in another order."""
    if isinstance(value, dict):
        return {key: reordered(value[key], order) for key in order(list(value))}
    if isinstance(value, list):
        return [reordered(item, order) for item in value]
    return value
