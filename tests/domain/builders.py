"""Published versions in memory, and shortcuts through the checks of a body."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from catalogue_tools.in_memory import InMemoryRegistry
from registry.domain.checks.checks import check_target
from registry.domain.document import Json, parse_json
from registry.domain.errors import Fault, Refused
from registry.domain.keys.tuning import tuning_keys
from registry.domain.kinds.kinds import Kind, Kinds
from registry.domain.resolution.body_references import body_references
from registry.domain.resolution.merging import PublishedVersion
from registry.domain.resolution.resolution import Resolution, resolve_body
from registry.services.core import shipped_facts
from ttag_rules.pointer import ROOT, child
from ttag_rules.version_number import VersionNumber

KINDS = Kinds(Kind(name, 1, schema) for name, schema in shipped_facts.kinds().items())


class Library(InMemoryRegistry):
    """Published versions by tag, under the shipped kinds."""

    def __init__(self) -> None:
        super().__init__(KINDS)

    def put(self, tag: str, body: Any) -> PublishedVersion:
        """Publish without checking, for bodies that no schema allows."""
        return self.add(tag, body, self.resolve(body), VersionNumber(1, 0, 0))


def target_of(body: Any, library: Library | None = None) -> dict[str, Any]:
    """Resolve and check a body; return its target."""
    resolution = (library or Library()).resolve(body)
    check_target(resolution.target, KINDS, resolution.provenance)
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
