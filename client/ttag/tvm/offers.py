"""The code generators and libraries that Relax functions of a node are offered to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ttag.canonical_json import canonical
from ttag.tvm.accounting.libraries import library
from ttag.tvm.accounting.outcomes import Build, Step
from ttag.tvm.description import Description
from ttag.tvm.errors import CodegenUnusable
from ttag.tvm.forms import CODEGEN, SETTINGS, tvm_form
from ttag.tvm.placement import Placement
from ttag_rules.nodes import DEVICES, HOST, Node, labelled_devices
from ttag_rules.pointer import child

ENABLED = "enable-byoc"
OPTIONS = ("executor", "runtime", "flow")


@dataclass(frozen=True, slots=True)
class Offer:
    """Relax functions that a code generator is offered, and its options for what it takes.

    `name` is the reference that asks for it; with `is_byoc`, functions can also be annotated with
    its node. The options hold a target as TVM takes it.
    """

    codegen: str
    name: str
    functions: frozenset[str]
    options: Mapping[str, Any]
    role: str = "code generator"
    is_byoc: bool = False


def byoc_nodes(placement: Placement) -> list[tuple[Description, Node]]:
    """Return the nodes of all targets that code generators compile, with their targets."""
    return [
        (description, node)
        for description in placement.descriptions
        for node in description.nodes()
        if CODEGEN in node.value
    ]


def offers(placement: Placement, build: Build) -> list[Offer]:
    """Return what is offered, in order. Functions that are annotated with a byoc are not offered.

    Raises `CodegenUnusable` if a code generator has several targets, as TVM calls it once.
    """
    requested = [*_of_byoc(placement)]
    own = {offer.codegen: offer.options for offer in requested}
    for offer in (*_of_flow(placement), *_of_libraries(placement, build)):
        options = own.get(offer.codegen, offer.options)  # a byoc says what its generator gets
        requested.append(replace(offer, options=options))
    chosen: dict[str, Offer] = {}
    for offer in requested:
        first = chosen.setdefault(offer.codegen, offer)
        if canonical(dict(first.options)) != canonical(dict(offer.options)):
            raise CodegenUnusable(
                f"{placement.root.origin.reference} has several targets for the code generator "
                f"{offer.codegen}: compile for one of them at a time."
            )
    return requested


def _of_byoc(placement: Placement) -> Iterator[Offer]:
    root = placement.root
    nodes = byoc_nodes(placement)
    of_root = {root.name_of(node.pointer) for owner, node in nodes if owner is root}
    for owner, node in nodes:
        if owner is not root and owner.name_of(node.pointer) in of_root:
            continue  # an annotation with the same node
        functions = placement.main.functions if owner is root else frozenset()
        name = owner.origin.reference
        yield Offer(node.value[CODEGEN], name, functions, _options(node), is_byoc=True)


def _of_flow(placement: Placement) -> Iterator[Offer]:
    for built in placement.functional:
        for codegen in built.flow.get(ENABLED, ()):
            target = dict(built.description.target)
            yield Offer(codegen, built.name, built.functions, {"target": target})


def _of_libraries(placement: Placement, build: Build) -> Iterator[Offer]:
    for built in placement.functional:
        for name in built.libs:
            if library(name, built, build) is Step.LIBRARY:
                target = built.target
                yield Offer(name, built.name, built.functions, {"target": target}, "library")


def _options(node: Node) -> dict[str, Any]:
    """Return the target of a byoc and its settings; those of nodes in it by pointer, as `build`."""
    settings = {name: node.value[name] for name in OPTIONS if name in node.value}
    build = dict(_settings_inside(node.value, ""))
    return {"target": tvm_form(node.value), **settings, **({"build": build} if build else {})}


def _settings_inside(value: Mapping[str, Any], pointer: str) -> Iterator[tuple[str, Any]]:
    """Yield the settings of the nodes in a byoc, by pointers into its target."""
    devices = labelled_devices(value).values()
    inner = {f"{pointer}/{DEVICES}/{index}": device for index, device in enumerate(devices)}
    if HOST in value:
        inner[child(pointer, HOST)] = value[HOST]
    for place, node in inner.items():
        if stated := {name: node[name] for name in SETTINGS if name in node}:
            yield place, stated
        yield from _settings_inside(node, place)
