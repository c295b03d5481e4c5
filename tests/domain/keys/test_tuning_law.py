"""Laws of tuning keys, for every kind and every shipped tag."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

from registry.domain.document import Json
from registry.domain.keys.tuning import is_host_dependent, preimage, tuning_keys
from registry.domain.kinds.kinds import FLOW
from tests.domain.builders import KINDS
from tests.domain.formats.subjects import catalogue, subject
from tests.domain.strategies import targets
from ttag_rules.nodes import Node, nodes

DEFAULTS = [
    (word, name, option.default)
    for word, kind in KINDS.targets.items()
    for name, option in kind.options.items()
    if option.default is not None
]
SETTINGS = [
    (name, option.default)
    for name, option in KINDS[FLOW].options.items()
    if option.default is not None
]


@pytest.mark.parametrize(("word", "name", "default"), DEFAULTS)
def test_an_explicit_default_equals_an_absent_option(word: str, name: str, default: Json) -> None:
    assert not KINDS.targets[word].faults({"kind": word, name: default}, "")
    absent, explicit = Node("", {"kind": word}), Node("", {"kind": word, name: default})
    assert preimage(explicit, KINDS) == preimage(absent, KINDS)


@given(targets, st.sampled_from(SETTINGS))
def test_a_stated_default_of_a_setting_changes_no_key(
    body: Json, setting: tuple[str, Json]
) -> None:
    target = subject(body).target
    name, default = setting
    before = tuning_keys(target, KINDS)
    settings = {name for node in nodes(target) for name in node.value.get("flow", {})}
    assume(not {"tir.disable_vectorize", "tirx.disable_vectorize"} & settings)
    target["flow"] = {**target.get("flow", {}), name: default}
    assert tuning_keys(target, KINDS) == before


def shipped_leaves() -> Iterator[tuple[str, dict[str, Any]]]:
    """Return every leaf of every tag that has a tuning key, with its name."""
    for exact, of in catalogue().items():
        for node in nodes(of.target):
            if node.is_leaf and not is_host_dependent(node, KINDS):
                yield f"{exact}#{node.pointer}", node.value


def key_of(leaf: dict[str, Any]) -> str:
    """Return the key of a leaf that is a target of its own."""
    return tuning_keys(leaf, KINDS)[""]


@pytest.mark.parametrize(
    "change",
    [
        {"flow": {"link-params": True}},
        {"flow": {"link-params": False}},
        {"executor": {"kind": "aot", "unpacked-api": True}},
        {"executor": {"kind": "vm"}},
        {"runtime": {"kind": "crt", "system-lib": True}},
        {"host": {"kind": "llvm", "mtriple": "riscv64-unknown-linux-gnu"}},
        {"host": {"kind": "c"}},
        {"hardware": {"vendor": "Acme"}},
    ],
    ids=str,
)
def test_executor_and_runtime_are_not_in_the_key(change: dict[str, Json]) -> None:
    for name, leaf in shipped_leaves():
        assert key_of({**leaf, **change}) == key_of(leaf), name


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("mcpu", "other"),
        ("arch", "sm_99"),
        ("num-cores", 77),
        ("max_threads_per_block", 77),
        ("max_shared_memory_per_block", 77),
        ("libs", ["other"]),
        ("keys", ["other"]),
        ("model", "other"),
        ("flow", {"tir.disable_vectorize": True}),
        ("flow", {"enable-byoc": ["other"]}),
    ],
)
def test_values_that_schedules_depend_on_are_in_the_key(option: str, value: Json) -> None:
    having = [
        (name, leaf)
        for name, leaf in shipped_leaves()
        if option == "flow" or option in KINDS.targets[leaf["kind"]].options
    ]
    assert having
    for name, leaf in having:
        assert key_of({**leaf, option: value}) != key_of(leaf), name


def test_cards_with_equal_limits_share_a_key_unless_the_model_differs() -> None:
    leaves = dict(shipped_leaves())
    cards = ("nvidia/geforce-rtx-2060", "nvidia/geforce-rtx-2080-ti", "nvidia/nvidia-t4")
    targets_of = {card: leaves[f"{card}@1.0.0#"] for card in cards}
    assert len({key_of(target) for target in targets_of.values()}) == 1
    assert len({key_of({**target, "model": card}) for card, target in targets_of.items()}) == 3


@given(targets)
def test_another_host_changes_no_key_but_its_own(body: Json) -> None:
    target = subject(body).target
    before = tuning_keys(target, KINDS)
    for node in list(nodes(target)):
        if not is_in_host(node.pointer):
            node.value["host"] = {"kind": "hexagon"}
    after = tuning_keys(target, KINDS)
    of_devices = {pointer for pointer in before if not is_in_host(pointer)}
    assert {pointer for pointer in after if not is_in_host(pointer)} == of_devices
    assert all(after[pointer] == before[pointer] for pointer in of_devices)


def is_in_host(pointer: str) -> bool:
    return "/host" in pointer
