"""The tags of a registry that are nearest to a body. The registry compares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ttag.errors import Refused, Unreachable
from ttag.registry.registry import Registry

TAG = "probed/machine"  # a tag that need not exist: nothing is published
HARDWARE = "hardware"
SIZE_FACTOR = 2  # between machines of about the same size
MAX_SIMILAR = 3  # each takes a request
SIZES = {"cores": "cores", "memory_bytes": "memory"}  # facts, and the filters of a search for them


@dataclass(frozen=True, slots=True)
class Difference:
    """A value that differs between a tag and a machine; null where one of them has none."""

    pointer: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class Near:
    """A tag that is near to a part of a machine: all of it, a device, or the host."""

    part: str
    reference: str
    differences: tuple[Difference, ...]


def find_nearest(registry: Registry, body: Mapping[str, Any], limit: int) -> list[Near]:
    """Return tags near to a body, the nearest first, up to `limit` for each of its parts.

    Raises `Refused` if the registry would not accept the body, and `Unreachable`.
    """
    try:
        return [
            near
            for part, target in _parts(body)
            for near in _near_part(registry, part, target)[:limit]
        ]
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        message = f"The registry {registry.address} sent an answer of another form."
        raise Unreachable(message) from error


def _parts(body: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the machine, then its devices without a host, then the host."""
    yield "machine", body
    if body["kind"] == "composite":
        yield from ((f"device {label}", device) for label, device in body["devices"].items())
    elif "host" in body:
        yield "device", {name: value for name, value in body.items() if name != "host"}
    if "host" in body:
        yield "host", body["host"]


def _near_part(registry: Registry, part: str, target: Mapping[str, Any]) -> list[Near]:
    answer = _check(registry, TAG, target, include="near")
    named = _named_alike(registry, target)
    near = [Near(part, each["reference"], _differences(each["diff"])) for each in answer["near"]]
    near = [each for each in near if each.reference == named or _is_of_size(each)]
    others = [named] if named else []
    if not near and not named:
        others = _of_class_and_size(registry, target)
    for reference in others:
        if reference not in {each.reference for each in near}:
            diff = _check(registry, reference.partition("@")[0], target)["diff"]
            near.append(Near(part, reference, _differences(diff)))
    return sorted(near, key=lambda each: (len(each.differences), each.reference != named))


def _is_of_size(near: Near) -> bool:
    """Return whether a tag has about as many cores as the machine."""
    sizes = [
        (change.old, change.new)
        for change in near.differences
        if change.pointer.endswith("/num-cores") and change.old and change.new
    ]
    return all(max(pair) <= SIZE_FACTOR * min(pair) for pair in sizes)


def _of_class_and_size(registry: Registry, target: Mapping[str, Any]) -> list[str]:
    """Return versions of the same processor, with about as many cores or as much memory."""
    processor = target.get("mcpu") or target.get("arch")
    facts = target.get(HARDWARE, {})
    if not processor or "host" in target:
        return []
    parameters = {"q": processor, "kind": target["kind"], "limit": str(MAX_SIMILAR)}
    name, size = next(((each, facts[each]) for each in SIZES if facts.get(each)), ("", 0))
    if name:
        filter_name = SIZES[name]
        parameters[f"{filter_name}_min"] = str(max(size // SIZE_FACTOR, 1))
        parameters[f"{filter_name}_max"] = str(size * SIZE_FACTOR)
    found = registry.get("/tags", parameters)
    is_other = found.get("ignored") or found.get("beginning")
    return [] if is_other else [each["reference"] for each in found["results"]]


def _check(
    registry: Registry, tag: str, target: Mapping[str, Any], *, include: str = ""
) -> dict[str, Any]:
    parameters = {"include": include} if include else {}
    answer: dict[str, Any] = registry.post(
        "/check", {"tag": tag, "target": target}, parameters=parameters, write=False
    )
    if not answer["valid"]:
        fault = answer["errors"][0]
        raise Refused(
            f"The registry would refuse this body: {fault['pointer']}: {fault['message']}.",
            code=fault["code"],
            status=0,
            faults=answer["errors"],
        )
    return answer


def _named_alike(registry: Registry, target: Mapping[str, Any]) -> str:
    """Return the version that a search for the model finds first, if one has all its words."""
    model = target.get(HARDWARE, {}).get("model", "")
    if "host" in target:
        return ""  # the model is that of the device, which is compared without its host
    if not any(character.isdigit() for character in model):
        return ""  # a hypervisor has cut it to "Intel Xeon", or nothing is known
    page = registry.get("/tags", {"q": model, "kind": target["kind"], "limit": "1"})
    is_other = page.get("ignored") or page.get("beginning")  # a group of names is no machine
    if is_other or not page["results"]:
        return ""
    reference: str = page["results"][0]["reference"]
    return reference


def _differences(diff: list[Mapping[str, Any]]) -> tuple[Difference, ...]:
    """Return what differs, from the tag to the body, without facts for people."""
    return tuple(
        Difference(change["pointer"], _value(change["old"]), _value(change["new"]))
        for change in diff
        if HARDWARE not in change["pointer"].split("/")
    )


def _value(side: Mapping[str, Any] | None) -> Any:
    return None if side is None else side["value"]
