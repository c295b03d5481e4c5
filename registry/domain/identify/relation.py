"""Relate a tag to a reading of a text: where they differ, and what the tag adds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from registry.domain.document import Json, is_same_json
from registry.domain.identify.places import leaves
from registry.domain.identify.readings import Fact, Reading
from registry.domain.kinds.expected_facts import OPTIONS
from registry.domain.names.name_folding import fold_name
from registry.domain.search.attributes import LAUNCH, LAUNCHED
from ttag_rules.pointer import ROOT, child, look_up, split_pointer
from ttag_rules.triples import Triple

# All values are equal; those of a part are; or some differ.
Relation = Literal["same", "contains", "near"]

HARDWARE = "/hardware/"
MODEL, VENDOR = "/hardware/model", "/hardware/vendor"
LAUNCHED_POINTER = f"{HARDWARE}{LAUNCHED}"
# Sizes with which a product is sold, by the fact that states one of them.
SIZES = {f"{HARDWARE}{fact}": f"{HARDWARE}{options}" for options, fact in OPTIONS.items()}
TELLING = frozenset({"/arch", "/mcpu", LAUNCHED_POINTER})  # that tell machines apart
NAMED_FACTS = (MODEL, VENDOR)  # compared by the name
NOT_COMPARED = frozenset({"/keys", "/device_name"})  # follow from kind and name
DECIDING = ("kind", "arch", "mcpu", "mtriple", "num-cores")  # which code runs on a machine
# A driver reports a little less than a card has; twice as much is another card.
MEMORY_FACTOR = 0.9
SUFFIXED = "sm_"  # sm_90a is what compilers are told of an sm_90


@dataclass(frozen=True, slots=True)
class Difference:
    """A value of the text that a tag states otherwise; None where the tag states none.

    For a size of memory, `tag` may be the list of those with which the machine is sold.
    """

    pointer: str
    tag: Json
    text: Json


@dataclass(frozen=True, slots=True)
class Related:
    """The relation of a tag to a reading; `node` is the pointer of the part that was compared."""

    relation: Relation
    node: str
    differences: tuple[Difference, ...] = ()


def relate(reading: Reading, target: Mapping[str, Any], *, is_named: bool) -> Related | None:
    """Return how a tag's target is related to a reading.

    A tag that the text names is related even if it is of another kind; another tag is not. What a
    tag shares with others does not have the model that the text states.
    """
    kind = reading.body.get("kind")
    for pointer, node in _parts(target):
        if kind in (None, node.get("kind")):
            differences = (
                *_differences(reading, node, is_named=is_named),
                *_launch(reading, target),
            )
            relation: Relation = "near" if differences else "contains" if pointer else "same"
            return Related(relation, pointer, differences)
    if not is_named or "kind" not in target:
        return None
    return Related("near", ROOT, (Difference("/kind", target["kind"], kind),))


def _parts(target: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield a target, its devices and its host, with their pointers."""
    yield ROOT, target
    devices = target.get("devices")
    named = devices.items() if isinstance(devices, dict) else enumerate(devices or ())
    for label, device in named:
        if isinstance(device, dict):
            yield child(child(ROOT, "devices"), label), device
    if isinstance(host := target.get("host"), dict):
        yield child(ROOT, "host"), host


def _differences(
    reading: Reading, node: Mapping[str, Any], *, is_named: bool
) -> Iterator[Difference]:
    """Yield what the text says otherwise. What a tag does not state of hardware is no difference.

    An inferred triple has a system and a C library that nothing tells.
    """
    stated = {fact.pointer: fact.stated for fact in reading.facts}
    own = dict(leaves(dict(node)))
    for pointer, value in leaves(reading.body):
        if pointer in NOT_COMPARED or stated.get(pointer) == "ambiguous":
            continue
        if pointer in NAMED_FACTS and (is_named or pointer == VENDOR):
            continue
        if pointer not in own:
            is_stated = stated.get(pointer) == "text"
            sizes = own.get(SIZES.get(pointer, ""))
            if isinstance(sizes, list) and not _is_one_of(pointer, sizes, value):
                yield Difference(pointer, sizes, value)
            elif is_stated and (not pointer.startswith(HARDWARE) or pointer == MODEL):
                yield Difference(pointer, None, value)
        elif not _is_equal(pointer, own[pointer], value, stated.get(pointer, "text")):
            yield Difference(pointer, own[pointer], value)


def _launch(reading: Reading, target: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield the launch of a machine that did not exist in the year that the text says."""
    year = launch_year_of(target)
    if reading.year and year > reading.year:
        yield Difference(LAUNCHED_POINTER, year, reading.year)


def _is_equal(pointer: str, tag: Json, text: Json, stated: str) -> bool:
    if pointer == "/hardware/memory_bytes" and isinstance(tag, int) and isinstance(text, int):
        return MEMORY_FACTOR <= text / tag <= 1 / MEMORY_FACTOR
    if isinstance(tag, str) and isinstance(text, str):
        if pointer == "/mtriple" and stated != "text":
            return Triple.parse(tag).arch == Triple.parse(text).arch
        if text.startswith(SUFFIXED):
            return tag.rstrip("af") == text.rstrip("af")
        return tag == text or (pointer.startswith(HARDWARE) and fold_name(tag) == fold_name(text))
    if isinstance(tag, list) and isinstance(text, list) and pointer == "/mattr":
        return set(map(str, tag)) == set(map(str, text))
    return is_same_json(tag, text)


def _is_one_of(pointer: str, sizes: list[Json], text: Json) -> bool:
    return any(_is_equal(pointer, size, text, "text") for size in sizes)


def contradicts(related: Related) -> bool:
    """Return whether a tag is of another machine: of another processor, or a later one."""
    return any(
        difference.pointer in TELLING and difference.tag is not None
        for difference in related.differences
    )


def launch_year_of(target: Mapping[str, Any]) -> int:
    """Return the year in which a machine was launched, 0 if it is unknown."""
    hardware = target.get("hardware")
    launched = hardware.get(LAUNCHED) if isinstance(hardware, dict) else None
    match = LAUNCH.fullmatch(launched) if isinstance(launched, str) else None
    return int(match[1]) if match else 0


def corrected(source: Mapping[str, Any], related: Related) -> dict[str, Any]:
    """Return the body of a tag with the values that the text says otherwise."""
    body = dict(source)
    for difference in map(_among_sizes, related.differences):
        tokens = [*filter(None, f"{related.node}{difference.pointer}".split("/"))]
        place = body
        for token in tokens[:-1]:
            inner = place.get(token)
            place[token] = dict(inner) if isinstance(inner, dict) else {}
            place = place[token]
        place[tokens[-1]] = difference.text
    return body


def _among_sizes(difference: Difference) -> Difference:
    """Return a difference from several sizes as those with one more."""
    sizes, pointer = difference.tag, difference.pointer
    if pointer not in SIZES or not isinstance(sizes, list):
        return difference
    return Difference(SIZES[pointer], sizes, [*sizes, difference.text])


def completed(reading: Reading, machines: Sequence[tuple[Mapping[str, Any], Related]]) -> Reading:
    """Return a reading with the deciding values that all tags of its name have, as inferred.

    Each tag comes as its target with its relation. The places are those of the name in the text.
    """
    first, *others = [look_up(target, related.node) for target, related in machines]
    added = {
        name: first[name]
        for name in DECIDING
        if name in first
        and name not in reading.body
        and all(is_same_json(node.get(name), first[name]) for node in others)
    }
    if not added:
        return reading
    place = next(
        ((fact.start, fact.end) for fact in reading.facts if fact.pointer == MODEL),
        (reading.recognised[0].start, reading.recognised[0].end) if reading.recognised else (0, 0),
    )
    body = {**added, **reading.body}
    body = ({"kind": body["kind"]} if "kind" in body else {}) | body
    facts = (*reading.facts, *(Fact(child("", name), *place, "inferred") for name in added))
    order = list(body)
    in_order = sorted(facts, key=lambda fact: order.index(split_pointer(fact.pointer)[0]))
    return replace(reading, body=body, facts=tuple(in_order))
