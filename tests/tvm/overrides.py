"""Overrides of TVM's tags: generated ones, and classes of those that only one side accepts.

TVM accepts `{"tag": name, ...overrides}` as the registry does. It accepts some invalid values that
the registry rejects, and rejects edits that the registry applies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from registry.domain.errors import Fault
from registry.services.core import shipped_facts
from tests.domain.strategies import OPTIONS, own_options
from ttag_rules.nodes import HOST

MIRRORING: dict[str, Any] = {
    name: version.body
    for tag in shipped_facts.tags()
    for version in tag.versions
    if version.mirrors
    for name in (tag.name, *tag.aliases)
}
MOVED = ("executor", "runtime", "flow", "hardware")  # no longer part of a target in TVM


@dataclass(frozen=True)
class Stricter:
    """A class of overrides that only TVM accepts: the registry's faults, and an example."""

    name: str
    example: dict[str, Any]
    covers: Callable[[Fault], bool]


@dataclass(frozen=True)
class Wider:
    """A class of overrides that only the registry accepts: its keys and values, and an example."""

    name: str
    example: dict[str, Any]
    covers: Callable[[str, Any], bool]


def coded(code: str, end: str = "") -> Callable[[Fault], bool]:
    """Match faults by code and by the end of the pointer."""
    return lambda fault: fault.code == code and fault.pointer.endswith(end)


STRICTER = (
    Stricter(
        "a boolean instead of a number",
        {"tag": "nvidia/nvidia-t4", "max_num_threads": True},
        lambda fault: fault.code == "VALUE_TYPE" and fault.found in ("true", "false"),
    ),
    Stricter(
        "a number instead of a boolean",
        {"tag": "qcom/adreno-vulkan", "supports_float16": 2},
        lambda fault: fault.code == "VALUE_TYPE" and fault.expected == "boolean",
    ),
    Stricter(
        "a number below the minimum",
        {"tag": "nvidia/nvidia-t4", "max_threads_per_block": -1},
        coded("VALUE_RANGE"),
    ),
    Stricter(
        "an unknown value of an enum",
        {"tag": "aws/cpu/c5.large", "mfloat-abi": "word"},
        coded("VALUE_UNKNOWN"),
    ),
    Stricter(
        "text that splits a command line",
        {"tag": "nvidia/nvidia-t4", "device": "two words"},
        coded("VALUE_PATTERN"),
    ),
    Stricter(
        "an architecture that is not sm_ and a number",
        {"tag": "nvidia/nvidia-t4", "arch": "sm_turing"},
        coded("VALUE_PATTERN", "/arch"),
    ),
    Stricter(
        "detection of a device of the build machine",
        {"tag": "nvidia/nvidia-t4", "from_device": 0},
        coded("OPTION_UNKNOWN", "/from_device"),
    ),
    Stricter(
        "a kind's device type",
        {"tag": "nvidia/nvidia-t4", "target_device_type": 1},
        coded("OPTION_UNKNOWN", "/target_device_type"),
    ),
    Stricter(
        "an option that TVM derives from others",
        {"tag": "raspberry-pi/4b-aarch64", "feature.has_sve": True},
        lambda fault: fault.code == "OPTION_UNKNOWN" and "/feature." in fault.pointer,
    ),
    Stricter(
        "a target as JSON text",
        {"tag": "nvidia/nvidia-t4", "host": '{"kind": "llvm"}'},
        lambda fault: fault.code == "KIND_UNKNOWN" and fault.found.startswith("{"),
    ),
    Stricter(
        "a composite host",
        {"tag": "nvidia/nvidia-t4", "host": {"kind": "composite", "devices": ["llvm"]}},
        coded("HOST_NOT_LEAF"),
    ),
    Stricter(
        "an LLVM option that may write or load",
        {"tag": "qcom/hexagon-v65", "llvm-options": ["word"]},
        coded("OPTION_UNSAFE"),
    ),
    Stricter(
        "a GPU as host",
        {"tag": "nvidia/nvidia-t4", "host": "nvidia/nvidia-t4"},
        coded("HOST_IS_GPU"),
    ),
    Stricter(
        "a kind next to a tag",
        {"tag": "nvidia/nvidia-t4", "kind": "llvm"},
        coded("KIND_BESIDE_TAG"),
    ),
)
WIDER = (
    Wider(
        "null removes an option",
        {"tag": "nvidia/nvidia-t4", "registers_per_block": None},
        lambda _, value: value is None,
    ),
    Wider(
        "a patch changes the inherited host",
        {"tag": "nvidia/jetson-agx-xavier", "host": {"num-cores": 4}},
        lambda name, value: (
            name == HOST and isinstance(value, dict) and not {"kind", "tag"} & {*value}
        ),
    ),
    Wider(
        "a list is edited",
        {"tag": "raspberry-pi/4b-aarch64", "mattr": {"$append": ["+crc"]}},
        lambda _, value: isinstance(value, dict) and "$append" in value,
    ),
    Wider(
        "settings that are no longer part of a TVM target",
        {"tag": "raspberry-pi/4b-aarch64", "executor": "aot", "flow": {"link-params": True}},
        lambda name, _: name in MOVED,
    ),
)


def unexplained(faults: Iterable[Fault]) -> list[Fault]:
    """Return the faults that no class covers."""
    return [fault for fault in faults if not any(item.covers(fault) for item in STRICTER)]


def wider(body: dict[str, Any]) -> list[Wider]:
    """Return the classes of a body's overrides that only the registry accepts."""
    inside = body.get(HOST)
    return [
        item for item in WIDER if any(item.covers(name, value) for name, value in body.items())
    ] + (wider(inside) if isinstance(inside, dict) else [])


ODD: SearchStrategy[Any] = st.sampled_from(
    [True, False, -1, 0, 7, 1.5, "", "word", "two words", [], ["word"], ["+a", "-b"], {}, None]
)
ADDED: SearchStrategy[tuple[str, Any]] = st.sampled_from(
    [
        ("from_device", -1),
        ("target_device_type", 1),
        ("feature.has_sve", True),
        ("kind", "llvm"),
        ("no-such-option", 1),
        ("executor", "aot"),
        ("runtime", {"kind": "crt"}),
        ("hardware", {}),
        ("keys", {"$append": ["word"]}),
    ]
)


def tags(names: list[str]) -> SearchStrategy[str]:
    """Draw TVM's tags, evenly by kind and by whether they have a host."""
    groups: dict[tuple[str, bool], list[str]] = {}
    for name in names:
        body = MIRRORING[name]
        groups.setdefault((body["kind"], HOST in body), []).append(name)
    return st.one_of([st.sampled_from(group) for group in groups.values()])


@st.composite
def bodies(draw: DrawFn, names: list[str], *, deep: bool = True) -> dict[str, Any]:
    """Draw one of TVM's tags with one to three overrides, mostly options of its kind."""
    name = draw(tags(names))
    options = OPTIONS[MIRRORING[name]["kind"]]
    override = st.sampled_from(sorted(options)).flatmap(
        lambda option: st.tuples(st.just(option), st.one_of(options[option], options[option], ODD))
    )
    choices = [override, override, ADDED]
    if deep:
        choices.insert(0, st.tuples(st.just(HOST), hosts(names)))
    return {"tag": name, **dict(draw(st.lists(st.one_of(choices), min_size=1, max_size=3)))}


def hosts(names: list[str]) -> SearchStrategy[Any]:
    """Draw valid and invalid overrides of a host."""
    complete = st.builds(lambda options: {"kind": "llvm", **options}, own_options("llvm"))
    return st.one_of(
        st.sampled_from(["llvm", "c", "no-such-kind"]),
        tags(names),
        complete,
        complete,
        bodies(names, deep=False),
        own_options("llvm"),
        st.just({"kind": "composite", "devices": ["llvm"]}),
        st.just('{"kind": "llvm"}'),
        ODD,
    )
