"""Overrides of TVM's tags: generated ones, and the classes of those that only one side accepts.

TVM takes `{"tag": name, ...overrides}` as the registry does. It is lax where the registry is
strict, and raises where the registry edits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from registry.domain.closed_nodes import HOST
from registry.domain.errors import Fault
from registry.services.core import shipped_facts
from tests.domain.strategies import OPTIONS, own_options

MIRRORING: dict[str, Any] = {
    name: version.body
    for tag in shipped_facts.tags()
    for version in tag.versions
    if version.mirrors
    for name in (tag.name, *tag.aliases)
}
MOVED = ("executor", "runtime", "flow", "hardware")  # to where TVM has no place in a target


@dataclass(frozen=True)
class Stricter:
    """What TVM accepts and the registry refuses: the faults that it finds, and an example."""

    name: str
    example: dict[str, Any]
    covers: Callable[[Fault], bool]


@dataclass(frozen=True)
class Wider:
    """What the registry accepts and TVM does not: the overrides, key by key, and an example."""

    name: str
    example: dict[str, Any]
    covers: Callable[[str, Any], bool]


def coded(code: str, end: str = "") -> Callable[[Fault], bool]:
    """Faults of a code, at pointers that end so."""
    return lambda fault: fault.code == code and fault.pointer.endswith(end)


STRICTER = (
    Stricter(
        "a boolean is no number",
        {"tag": "nvidia/nvidia-t4", "max_num_threads": True},
        lambda fault: fault.code == "VALUE_TYPE" and fault.found in ("true", "false"),
    ),
    Stricter(
        "a number is no boolean",
        {"tag": "qcom/adreno-vulkan", "supports_float16": 2},
        lambda fault: fault.code == "VALUE_TYPE" and fault.expected == "boolean",
    ),
    Stricter(
        "no device has fewer than one of something",
        {"tag": "nvidia/nvidia-t4", "max_threads_per_block": -1},
        coded("VALUE_RANGE"),
    ),
    Stricter(
        "a word that the option does not have",
        {"tag": "aws/cpu/c5.large", "mfloat-abi": "word"},
        coded("VALUE_UNKNOWN"),
    ),
    Stricter(
        "text that splits a command line",
        {"tag": "nvidia/nvidia-t4", "model": "two words"},
        coded("VALUE_PATTERN"),
    ),
    Stricter(
        "an architecture that is not sm_ and a number",
        {"tag": "nvidia/nvidia-t4", "arch": "sm_turing"},
        coded("VALUE_PATTERN", "/arch"),
    ),
    Stricter(
        "a device of the machine that compiles, to be asked",
        {"tag": "nvidia/nvidia-t4", "from_device": 0},
        coded("OPTION_UNKNOWN", "/from_device"),
    ),
    Stricter(
        "a kind's device type",
        {"tag": "nvidia/nvidia-t4", "target_device_type": 1},
        coded("OPTION_UNKNOWN", "/target_device_type"),
    ),
    Stricter(
        "what TVM derives from other options",
        {"tag": "raspberry-pi/4b-aarch64", "feature.has_sve": True},
        lambda fault: fault.code == "OPTION_UNKNOWN" and "/feature." in fault.pointer,
    ),
    Stricter(
        "a target as JSON inside of text",
        {"tag": "nvidia/nvidia-t4", "host": '{"kind": "llvm"}'},
        lambda fault: fault.code == "KIND_UNKNOWN" and fault.found.startswith("{"),
    ),
    Stricter(
        "a host of several devices",
        {"tag": "nvidia/nvidia-t4", "host": {"kind": "composite", "devices": ["llvm"]}},
        coded("HOST_NOT_LEAF"),
    ),
    Stricter(
        "a kind beside a tag, which is then only a name",
        {"tag": "nvidia/nvidia-t4", "kind": "llvm"},
        coded("KIND_BESIDE_TAG"),
    ),
)
WIDER = (
    Wider(
        "null takes an option away",
        {"tag": "nvidia/nvidia-t4", "registers_per_block": None},
        lambda _, value: value is None,
    ),
    Wider(
        "a patch changes the host that is inherited",
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
        "what a TVM target holds no longer",
        {"tag": "raspberry-pi/4b-aarch64", "executor": "aot", "flow": {"link-params": True}},
        lambda name, _: name in MOVED,
    ),
)


def unnamed(faults: Iterable[Fault]) -> list[Fault]:
    """The faults of no class."""
    return [fault for fault in faults if not any(each.covers(fault) for each in STRICTER)]


def wider(body: dict[str, Any]) -> list[Wider]:
    """The classes of a body's overrides that only the registry accepts."""
    inside = body.get(HOST)
    return [
        each for each in WIDER if any(each.covers(name, value) for name, value in body.items())
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
    """TVM's tags, of each kind as many with a host as without: few have one, most are GPUs."""
    alike: dict[tuple[str, bool], list[str]] = {}
    for name in names:
        body = MIRRORING[name]
        alike.setdefault((body["kind"], HOST in body), []).append(name)
    return st.one_of([st.sampled_from(each) for each in alike.values()])


@st.composite
def bodies(draw: DrawFn, names: list[str], *, deep: bool = True) -> dict[str, Any]:
    """A tag of TVM's with one to three overrides, most of which its kind has."""
    name = draw(tags(names))
    known = OPTIONS[MIRRORING[name]["kind"]]
    one = st.sampled_from(sorted(known)).flatmap(
        lambda option: st.tuples(st.just(option), st.one_of(known[option], known[option], ODD))
    )
    chosen = [one, one, ADDED]
    if deep:
        chosen.insert(0, st.tuples(st.just(HOST), hosts(names)))
    return {"tag": name, **dict(draw(st.lists(st.one_of(chosen), min_size=1, max_size=3)))}


def hosts(names: list[str]) -> SearchStrategy[Any]:
    """What a host can be replaced by or changed to, right and wrong."""
    stated = st.builds(lambda options: {"kind": "llvm", **options}, own_options("llvm"))
    return st.one_of(
        st.sampled_from(["llvm", "c", "no-such-kind"]),
        tags(names),
        stated,
        stated,
        bodies(names, deep=False),
        own_options("llvm"),
        st.just({"kind": "composite", "devices": ["llvm"]}),
        st.just('{"kind": "llvm"}'),
        ODD,
    )
