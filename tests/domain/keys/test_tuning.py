"""The preimage of a leaf's tuning key."""

import hashlib
from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

from registry.domain.checks.cross_option_rules import GPUS
from registry.domain.document import Json, canonical
from registry.domain.keys.tuning import is_host_dependent, preimages, tuning_keys
from registry.domain.kinds.option_patterns import PATTERNS
from tests.domain.builders import KINDS, Library, keys_of, target_of
from tests.domain.strategies import (
    LEAF_KINDS,
    OPTIONS,
    executors,
    facts,
    hosts,
    leaf_targets,
    runtimes,
    targets,
)
from tests.rules.test_triple_normalization import triples
from ttag_rules.nodes import nodes
from ttag_rules.triple_normalization import normalize

HEXAGON: dict[str, Any] = {"kind": "hexagon", "mtriple": "hexagon"}
LLVM: dict[str, Any] = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "x"}


def preimage(body: Json, pointer: str = "") -> dict[str, Any]:
    return preimages(target_of(body), KINDS)[pointer]


def test_a_key_digests_its_preimage() -> None:
    body: Json = {**LLVM, "libs": ["z"]}
    digest = hashlib.sha256(canonical(preimage(body))).hexdigest()
    assert keys_of(body) == {"": f"tk1:{digest}"}


def test_the_whole_preimage_of_a_leaf() -> None:
    body: Json = {
        "kind": "composite",
        "libs": ["outer", "shared"],
        "model": "outer",
        "flow": {"link-params": True, "a.b": 1, "enable-byoc": ["x"], "c.d": 1},
        "executor": "aot",
        "devices": {
            "npu": {
                "kind": "byoc",
                "codegen": "ethos-u",
                "libs": ["npu"],
                "devices": [
                    {
                        "kind": "opencl",
                        "libs": ["own", "shared"],
                        "flow": {"c.d": 2, "enable-byoc": []},
                        "host": "c",
                        "hardware": {"cores": 1},
                        "runtime": "crt",
                    }
                ],
            }
        },
    }
    assert preimage(body, "/devices/npu/devices/0") == {
        "kind": "opencl",
        "keys": ["opencl", "gpu"],
        "max_threads_per_block": 256,
        "max_shared_memory_per_block": 16384,
        "max_num_threads": 256,
        "thread_warp_size": 1,
        "texture_spatial_limit": 16384,
        "texture_depth_limit": 2048,
        "max_function_args": 128,
        "libs": ["own", "shared", "npu", "outer"],
        "codegen": ["ethos-u"],
        "flow": {"a.b": 1, "c.d": 2},
    }


# Leaves without a key


@pytest.mark.parametrize(
    ("body", "has_key"),
    [
        ({"kind": "llvm"}, False),
        ({"kind": "llvm", "num-cores": 4, "mattr": ["+x"]}, False),
        ({"kind": "llvm", "mcpu": "neoverse-v2"}, False),
        ({"kind": "llvm", "mtriple": "aarch64-linux-gnu"}, True),
        ({"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "neoverse-v2"}, True),
        ({"kind": "llvm", "mtriple": "default"}, False),  # TVM's word for the building machine's
        ({"kind": "llvm", "mtriple": "default-linux"}, True),
        *(({**LLVM, "mcpu": cpu}, False) for cpu in ("native", "host")),
        *(({"kind": "c", "mcpu": cpu}, False) for cpu in ("native", "host")),
        *(({**HEXAGON, "mcpu": cpu}, False) for cpu in ("native", "host")),
        ({"kind": "hexagon", "mcpu": "hexagonv68"}, False),
        (HEXAGON, True),
        ({"kind": "cuda"}, False),
        ({"kind": "cuda", "mcpu": "x"}, False),
        ({"kind": "cuda", "arch": "sm_90"}, True),
        ({"kind": "nvptx"}, False),
        ({"kind": "nvptx", "mtriple": "nvptx64-nvidia-cuda"}, False),
        ({"kind": "nvptx", "mcpu": "sm_90"}, True),
        ({"kind": "rocm"}, False),
        ({"kind": "rocm", "mcpu": "gfx90a"}, True),
        ({"kind": "opencl"}, True),
        ({"kind": "c"}, True),
    ],
    ids=str,
)
def test_a_host_dependent_leaf_has_no_key(body: Json, has_key: bool) -> None:
    assert bool(keys_of(body)) == has_key
    host = body if is_host(body) else LLVM
    own = {"/devices/0": keys_of(body)[""]} if has_key else {}
    of_host = {"/host": keys_of(host)[""]} if keys_of(host) else {}
    assert keys_of({"kind": "composite", "devices": [body], "host": host}) == own | of_host


def is_host(body: Any) -> bool:
    return body["kind"] not in GPUS


def test_mixins_have_no_keys() -> None:
    for patch in (
        {"mcpu": "x"},
        {"host": LLVM},
        {"libs": None, "flow": None, "host": LLVM},
        {"libs": {"$append": ["z"]}, "devices": {"$append": [LLVM]}},
    ):
        assert keys_of(patch) == {}


# Options and defaults


# The schema allows these options only one value, or another option determines it.
WITHOUT_EFFECT = {("nvptx", "mtriple"), ("rocm", "mtriple"), ("webgpu", "thread_warp_size")}
AFFECTING = [
    (word, name)
    for word in LEAF_KINDS
    for name, option in KINDS.targets[word].options.items()
    if option.affects_tuning and name != "kind" and (word, name) not in WITHOUT_EFFECT
]
IRRELEVANT = [
    (word, name)
    for word in LEAF_KINDS
    for name, option in KINDS.targets[word].options.items()
    if not option.affects_tuning
]
WITH_KEY = {
    "llvm": {"mtriple": "aarch64-unknown-linux-gnu"},
    "hexagon": {"mtriple": "hexagon"},
    "cuda": {"arch": "sm_53"},
    "nvptx": {"mcpu": "sm_53"},
    "rocm": {"mcpu": "gfx900"},
}


def base(word: str) -> dict[str, Any]:
    return {"kind": word, **WITH_KEY.get(word, {})}


@pytest.mark.parametrize(("word", "name"), AFFECTING)
def test_every_option_that_affects_tuning_is_in_the_key(word: str, name: str) -> None:
    option = KINDS.targets[word].options[name]
    default = option.derived if option.default is None else option.default
    examples: dict[str, Any] = {
        "keys": ["other"],
        "libs": ["other"],
        "arch": "sm_99",
        "mattr": ["other" if word == "vulkan" else "+other"],
        "cl-opt": ["-unroll-runtime"],
        "llvm-options": ["-unroll-runtime"],
    }
    value = examples.get(name) or other_than(word, name, default)
    body = base(word)
    assert preimage({**body, name: value}) != preimage(body)
    assert keys_of({**body, name: value}) != keys_of(body)


def other_than(word: str, name: str, default: Json) -> Any:
    schema = KINDS.targets[word].schema["properties"][name]
    candidates = [*schema.get("enum", ()), True, False, 3, 2, "sm_77", "gfx90a", "other", ["other"]]
    for value in candidates:
        fits = not KINDS.targets[word].faults({**base(word), name: value}, "")
        if fits and value != default and value != base(word).get(name):
            return value
    raise AssertionError(f"no other value for {word} {name}")


@given(st.data())
def test_options_that_do_not_affect_tuning_are_not_in_the_key(data: st.DataObject) -> None:
    word, name = data.draw(st.sampled_from(IRRELEVANT))
    body = base(word)
    assert keys_of({**body, name: data.draw(OPTIONS[word][name])}) == keys_of(body)


@given(leaf_targets(), executors, runtimes, facts, hosts(), st.booleans())
def test_siblings_of_a_leaf_are_not_in_its_key(  # noqa: PLR0917 - parts of a node
    body: dict[str, Any], executor: Json, runtime: Json, hardware: Json, host: Json, link: bool
) -> None:
    bare = {
        key: value
        for key, value in body.items()
        if key not in ("executor", "runtime", "hardware", "host")
    }
    beside = {**bare, "executor": executor, "runtime": runtime, "hardware": hardware, "host": host}
    beside["flow"] = {**bare.get("flow", {}), "link-params": link}
    assert keys_of(beside).get("") == keys_of(bare).get("")


@given(leaf_targets(with_host=False))
def test_an_explicit_default_equals_an_absent_option(body: dict[str, Any]) -> None:
    kind = KINDS.targets[body["kind"]]
    explicit = {
        name: option.default for name, option in kind.options.items() if option.default is not None
    }
    if body.get("supports_subgroups") and body["kind"] == "webgpu":
        explicit["thread_warp_size"] = 32  # what it derives; its schema refuses the default then
    assert keys_of({**explicit, **body}) == keys_of(body)
    empty: dict[str, Json] = {
        name: []
        for name, schema in kind.schema["properties"].items()
        if name in ("libs", "cl-opt", "mattr", "llvm-options")
    }
    assert keys_of({**empty, **body}) == keys_of(body)


@pytest.mark.parametrize(
    ("body", "name", "value"),
    [
        ({"kind": "nvptx", "mcpu": "sm_53"}, "mtriple", "nvptx64-nvidia-cuda"),
        ({"kind": "rocm", "mcpu": "gfx900"}, "mtriple", "amdgcn-amd-amdhsa-hcc"),
        ({"kind": "webgpu"}, "thread_warp_size", 1),
        ({"kind": "webgpu", "supports_subgroups": False}, "thread_warp_size", 1),
        ({"kind": "webgpu", "supports_subgroups": True}, "thread_warp_size", 32),
        ({"kind": "metal"}, "max_threads_per_block", 256),
    ],
)
def test_defaults_and_derived_constants_are_in_the_preimage(
    body: dict[str, Json], name: str, value: Json
) -> None:
    assert preimage(body)[name] == value
    assert keys_of({**body, name: value}) == keys_of(body)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (["+a", "+b"], ["+b", "+a"], True),
        (["-b", "-a"], ["-a", "-b"], True),
        (["-a", "+b"], ["+b", "-a"], False),
        (["+a", "+b", "-c"], ["+b", "+a", "-c"], False),
        ([], None, True),
        (["+a"], ["-a"], False),
        (["+a", "+b", "+a"], ["+a", "+b"], True),
        (["+a", "-a"], ["-a"], True),
        (["-a", "+b", "+a"], ["+a", "+b"], True),
        (["+a", "-b", "+a"], ["-b", "+a"], True),
        (["+a", "-b", "+a"], ["+a", "-b"], False),
    ],
)
def test_features_of_one_sign_commute(one: list[str], other: list[str] | None, equal: bool) -> None:
    right = LLVM if other is None else {**LLVM, "mattr": other}
    assert (stored_keys({**LLVM, "mattr": one}) == stored_keys(right)) == equal


def stored_keys(target: Any) -> dict[str, str]:
    """Return the keys of a version that may hold what bodies no longer may: both signs."""
    return tuning_keys(target, KINDS)


FEATURES = st.lists(st.sampled_from(["+a", "-a", "+b", "-b", "+c"]), max_size=6)


@given(FEATURES)
def test_of_a_feature_named_twice_the_last_mention_counts(features: list[str]) -> None:
    names = [feature[1:] for feature in features]
    once = [
        feature for index, feature in enumerate(features) if feature[1:] not in names[index + 1 :]
    ]
    assert stored_keys({**LLVM, "mattr": features}) == stored_keys({**LLVM, "mattr": once})


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("x86_64-linux-gnu", "x86_64-unknown-linux-gnu", True),
        ("aarch64--linux-gnu", "aarch64-linux-gnu", True),
        ("arm-none-eabi", "arm-unknown-none-eabi", True),
        ("aarch64-none-linux-gnu", "aarch64-linux-gnu", False),
        ("arm64-apple-macos", "aarch64-apple-macos", False),  # other spellings stay apart
    ],
)
def test_triples_are_compared_as_llvm_writes_them(one: str, other: str, equal: bool) -> None:
    keys = [keys_of({"kind": "llvm", "mtriple": triple}) for triple in (one, other)]
    assert (keys[0] == keys[1]) is equal


@given(triples.filter(lambda text: PATTERNS["triple"].matches(text) and text != "default"))
def test_a_target_keeps_the_triple_as_written(text: str) -> None:
    target = target_of({"kind": "llvm", "mtriple": text})
    assert target["mtriple"] == text
    assert preimages(target, KINDS)[""]["mtriple"] == normalize(text)


def test_features_without_a_sign_keep_their_order() -> None:
    one, other = ({"kind": "vulkan", "mattr": order} for order in (["fa", "fb"], ["fb", "fa"]))
    assert keys_of(one) != keys_of(other)


@given(targets)
def test_leaves_and_only_leaves_have_keys(body: Json) -> None:
    target = target_of(body)
    by_pointer = {node.pointer: node for node in nodes(target)}
    for pointer in tuning_keys(target, KINDS):
        assert by_pointer[pointer].is_leaf
    without = {pointer for pointer, node in by_pointer.items() if node.is_leaf} - set(
        tuning_keys(target, KINDS)
    )
    assert all(is_host_dependent(by_pointer[pointer], KINDS) for pointer in without)


@given(hosts())
def test_a_leaf_keeps_its_key_in_a_plain_composite(body: dict[str, Any]) -> None:
    assume(keys_of(body))
    library = Library()
    library.publish("t/leaf", body)
    around: Json = {
        "kind": "composite",
        "model": "x",
        "keys": ["k"],
        "devices": {"a": "t/leaf"},
        "host": "t/leaf",
    }
    assert set(keys_of(around, library).values()) == set(keys_of(body).values())
