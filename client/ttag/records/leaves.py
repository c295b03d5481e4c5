"""Fetches what tuning keys digest: of the leaves of a tag, and of the targets in records."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ttag.canonical_json import canonical, digest_of
from ttag.errors import Refused, Unreachable
from ttag.project import Project
from ttag.references import whole_of
from ttag.registry.registry import Registry
from ttag.responses.values import read

CHECKED_AS = "ttag/records"  # checking needs the name of a tag, which need not exist
FRESH = 24 * 60 * 60  # seconds; only the revision of a kind changes the key of a target
INCLUDED = {"include": "tuning"}
HOST_DEPENDENT = "HOST_DEPENDENT"
TOO_LARGE = "TOO_LARGE"  # the refusal that is about this target alone, and not about the asker
UNREADABLE = "the registry cannot read the target"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf of a version: its tuning key, and the options that the key is computed from."""

    exact: str
    pointer: str
    key: str
    options: Mapping[str, Any] = field(compare=False)

    @property
    def name(self) -> str:
        """The reference, with the pointer after `#` unless the leaf is the whole target."""
        return f"{self.exact}#{self.pointer}" if self.pointer else self.exact


@dataclass(frozen=True, slots=True)
class RecordedLeaf:
    """The target of records: its tuning key and options, or `reason`, which says why not."""

    key: str = ""
    options: Mapping[str, Any] | None = None
    reason: str = ""


def leaves_of(reference: str, project: Project) -> tuple[Leaf, ...]:
    """Return the leaves of a reference that have a key; of a node, it and those inside it.

    Their pointers lead into the whole target. Raises `TtagError`.
    """
    resolution = project.resolve(reference)
    exact, node = whole_of(resolution.exact), resolution.node or ""
    text = project.export(exact if node else reference, "tuning").text
    source = f"The registry of {exact}"
    leaves = read(lambda text: _leaves(exact, json.loads(text)), text, source, "tuning keys")
    return tuple(leaf for leaf in leaves if f"{leaf.pointer}/".startswith(f"{node}/"))


def recorded_leaf(target: str, registry: Registry) -> RecordedLeaf:
    """Return what the registry reads from the target of a record. Raises `TtagError`.

    The rules of tuning keys are the registry's. Its response is kept in the cache.
    """
    try:
        answer = _check(target, registry)
    except Refused as refusal:
        if refusal.code != TOO_LARGE:
            raise
        return RecordedLeaf(reason=f"{UNREADABLE}: {refusal.message.rstrip('.')}")
    return read(_read_verdict, answer, f"The registry {registry.address}", "the result of a check")


def _leaves(exact: str, answer: Any) -> tuple[Leaf, ...]:
    return tuple(
        Leaf(exact, pointer, str(answer["tuning_keys"][pointer]), dict(options))
        for pointer, options in answer["tuning"].items()
    )


def _check(target: str, registry: Registry) -> Any:
    url = f"{registry.transport.address}/api/v1/check?include=tuning#{digest_of(target.encode())}"
    cached = registry.cache.find(url) if registry.cache else None
    if cached and (registry.offline or cached.is_fresh(time.time())):
        return json.loads(cached.body)
    body = {"tag": CHECKED_AS, "format": "tvm", "source": target}
    try:
        answer = registry.post("/check", body, parameters=INCLUDED, write=False)
    except Unreachable as error:
        if cached is None:
            raise
        registry.warn(f"{error} An earlier response is used instead.")
        return json.loads(cached.body)
    if registry.cache:
        registry.cache.store(url, {}, canonical(answer), max_age=FRESH)
    return answer


def _read_verdict(answer: Any) -> RecordedLeaf:
    if not answer["valid"]:
        error = answer["errors"][0]
        return RecordedLeaf(reason=f"{UNREADABLE}: {error['message']}")
    if "" in answer["tuning_keys"]:
        return RecordedLeaf(answer["tuning_keys"][""], dict(answer["tuning"][""]))
    lints = [lint["message"] for lint in answer["lints"] if lint["code"] == HOST_DEPENDENT]
    return RecordedLeaf(reason=lints[0] if lints else "the target is not a leaf")
