"""Targets recorded on the functions of a module, and read by a later build."""

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from registry.services.core import shipped_facts
from tests.tvm.compiler import Compiler, compiler
from tests.tvm.exported import lost
from tests.tvm.registry import Registry
from ttag_rules.nodes import COMPOSITES, nodes

Functions = dict[str, tuple[str, str]]  # by name: an exact reference, and the pointer of a node


@pytest.fixture(scope="module")
def functions(registry: Registry) -> Functions:
    """A function for every node of every shipped composite."""
    nodes_by_reference = [
        (exact, node.pointer)
        for tag in shipped_facts.tags()
        for exact, target in [resolution(registry, tag.name)]
        if target.get("kind") in COMPOSITES
        for node in nodes(target)
    ]
    return {f"built_for_{index}": place for index, place in enumerate(nodes_by_reference)}


@pytest.fixture(scope="module")
def saved(
    tvm: Compiler,
    registry: Registry,
    functions: Functions,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """A saved module in which each function has its target and the target's digest."""
    path = tmp_path_factory.mktemp("module") / "module.json"
    tvm.call(
        "attach",
        urls={
            name: registry.url(exact, node=pointer, format="tvm", record="1")
            for name, (exact, pointer) in functions.items()
        },
        path=str(path),
    )
    return path


@pytest.fixture(scope="module")
def loaded(python: str, saved: Path) -> dict[str, dict[str, Any]]:
    """The targets and digests of the functions, read by a new process."""
    with compiler(python, saved.with_name("log")) as later:
        result: dict[str, dict[str, Any]] = later.call("attached", path=str(saved))
        return result


def test_several_nodes_of_every_composite_are_attached(functions: Functions) -> None:
    attached = Counter(exact for exact, _ in functions.values())
    assert len(attached) > 2
    assert min(attached.values()) > 1


def test_each_function_names_its_node(
    functions: Functions, loaded: dict[str, dict[str, Any]]
) -> None:
    recorded = {name: attributes["target"]["tag"] for name, attributes in loaded.items()}
    assert recorded == {
        name: f"{exact}#{pointer}" if pointer else exact
        for name, (exact, pointer) in functions.items()
    }


def test_each_function_keeps_its_whole_target(
    registry: Registry, functions: Functions, loaded: dict[str, dict[str, Any]]
) -> None:
    for name, (exact, pointer) in functions.items():
        answer = registry.resolved(exact, node=pointer, format="tvm", record="1")
        assert lost(json.loads(answer)["target"], loaded[name]["target"]) == []


def test_the_recorded_reference_resolves_to_the_digested_bytes(
    registry: Registry, loaded: dict[str, dict[str, Any]]
) -> None:
    for attributes in loaded.values():
        exact, _, pointer = attributes["target"]["tag"].partition("#")
        content = registry.resolved(exact, node=pointer, format="target")
        assert attributes["digest"] == f"sha256:{hashlib.sha256(content).hexdigest()}"


def resolution(registry: Registry, tag: str) -> tuple[str, dict[str, Any]]:
    """Return the exact reference of a tag's newest version, and its target."""
    answer = json.loads(registry.resolved(tag))
    return f"{answer['tag']}@{answer['version']}", answer["target"]
