"""The largest inputs that the registry accepts, each the worst case of a different cost."""

from collections.abc import Callable, Iterator
from itertools import count, islice, product
from string import ascii_lowercase
from typing import Any

from registry.domain.document import MAX_BYTES, Json, canonical
from registry.domain.kinds.schema import DIALECT, MAX_APPLICATORS, MAX_OPTIONS
from registry.domain.resolution.resolution import MAX_LEVELS, MAX_NODES, MAX_PASSED_DOWN, MAX_TARGET
from registry.models import Version
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from tests import publishing
from tests.people import make_alice

SLACK = 2048  # bytes left for what encloses a part
PARTS = 4  # versions of the largest body that make up the largest target
LABEL = "a0" * 16  # the longest label, with the most changes between letters and digits

Body = dict[str, Any]


def names() -> Iterator[str]:
    """Yield distinct names of three characters."""
    return map("".join, product(ascii_lowercase, repeat=3))


def settings(size: int, value: Json, prefix: str = "a") -> Body:
    """Return pass settings of about `size` bytes, as many as possible."""
    each = len(f'"{prefix}.aaa":,') + len(canonical(value))
    return {f"{prefix}.{name}": value for name in islice(names(), size // each)}


def parts(size: int) -> Iterator[tuple[str, int]]:
    """Yield a prefix and a size for each part of a target of `size` bytes."""
    return ((ascii_lowercase[index], size // PARTS) for index in range(PARTS))


def publish(name: str, body: Body) -> Version:
    """Publish a body without spaces."""
    return publishing.publish(name, canonical(body).decode())


def llvm(value: int, **options: Any) -> Body:
    triple, cores = "x86_64-unknown-linux-gnu", 4 + value
    return {"kind": "llvm", "mtriple": triple, "mcpu": "haswell", "num-cores": cores, **options}


def assemble(name: str, bodies: list[Body], around: Callable[[list[str]], Body]) -> Version:
    """Publish bodies, and a tag that is made of them."""
    pieces = []
    for index, body in enumerate(bodies):
        publish(f"{name}-part{index}", body)
        pieces.append(f"{name}-part{index}")
    return publish(name, around(pieces))


def publish_nodes(name: str, value: int) -> Version:
    """Publish a target with as many nodes as allowed, each with many values."""
    each = MAX_NODES // PARTS - 2
    leaf = {"kind": "c", "flow": settings((MAX_BYTES - SLACK) // each - 50, value)}
    bodies = [
        {"kind": "composite", "devices": [{**leaf, "keys": [f"k{index}"]} for index in range(each)]}
        for _ in range(PARTS)
    ]
    return assemble(name, bodies, lambda tags: {"kind": "composite", "devices": tags})


def publish_settings(name: str, value: int) -> Version:
    """Publish a target with as many values as allowed, on one node."""
    mixins = [
        {"flow": settings(MAX_BYTES - SLACK, value, prefix)} for prefix, _ in parts(MAX_TARGET)
    ]
    publish(f"{name}-base", llvm(value))
    return assemble(name, mixins, lambda tags: {"tag": [f"{name}-base", *tags]})


def publish_deep(name: str, value: int) -> Version:
    """Publish a target with many values as deep as allowed, which makes their pointers long."""
    publish_settings(f"{name}-leaf", value)
    target: Any = f"{name}-leaf"
    for _ in range(MAX_LEVELS):
        target = {"kind": "composite", "devices": {LABEL: target}}
    return publish(name, target)


def publish_enclosed(name: str, value: int) -> Version:
    """Publish a target with many leaves, enclosed by as many settings as allowed."""
    leaves = MAX_NODES - 24
    devices = [{"kind": "c", "keys": [f"k{value}x{index}"]} for index in range(leaves)]
    return publish(
        name,
        {
            "kind": "composite",
            "devices": devices,
            "flow": settings(MAX_PASSED_DOWN // leaves, value),
        },
    )


def publish_features(name: str, value: int) -> Version:
    """Publish a target with as many unknown features as allowed."""
    each = MAX_BYTES // len('"+aaaaaaa",') - SLACK // 10
    mixins = [
        {"mattr": {"$append": [f"+{prefix}{value}z{text}" for text in islice(names(), each)]}}
        for prefix, _ in parts(MAX_TARGET)
    ]
    publish(f"{name}-base", llvm(value))
    return assemble(name, mixins, lambda tags: {"tag": [f"{name}-base", *tags]})


def publish_lints(name: str, value: int) -> Version:
    """Publish a target with many nodes that each draw lints."""
    each = MAX_NODES // PARTS - 2
    leaf = {"kind": "llvm", "mtriple": "arm64-linx", "mcpu": f"cortex-a5{value}x", "mattr": ["+a0"]}
    bodies = [
        {"kind": "composite", "devices": [{**leaf, "keys": [f"k{index}"]} for index in range(each)]}
        for _ in range(PARTS)
    ]
    return assemble(name, bodies, lambda tags: {"kind": "composite", "devices": tags})


def publish_facts(name: str, value: int) -> Version:
    """Publish a target with different hardware facts on every node."""
    each = MAX_NODES // PARTS - 2

    def facts(index: int) -> Body:
        rates = {"fp32": index + value, "fp16": 2, "int8": 3}
        return {"cores": 4, "memory_bytes": index + 1, "power_watts": 5, "peak_ops_per_s": rates}

    bodies = [
        {
            "kind": "composite",
            "devices": [
                {"kind": "c", "hardware": facts(index + each * part)} for index in range(each)
            ],
        }
        for part in range(PARTS)
    ]
    return assemble(name, bodies, lambda tags: {"kind": "composite", "devices": tags})


def publish_mixin(name: str, value: int) -> Version:
    """Publish a mixin that patches as many nodes as its body can hold."""
    patch: Body = {"mcpu": f"cpu{value}", "num-cores": 4 + value}
    each = len(canonical({"aaaa": patch})) - 1
    patches = {f"l{text}": patch for text in islice(names(), min(1000, MAX_BYTES // each))}
    return publish(name, {"devices": patches})


def publish_mixin_settings(name: str, value: int) -> Version:
    """Publish a mixin with as many settings as its body can hold."""
    return publish(name, {"flow": settings(MAX_BYTES - SLACK, value)})


SHAPES: dict[str, Callable[[str, int], Version]] = {
    "nodes": publish_nodes,
    "settings": publish_settings,
    "deep": publish_deep,
    "enclosed": publish_enclosed,
    "features": publish_features,
    "lints": publish_lints,
    "facts": publish_facts,
    "mixin": publish_mixin,
    "mixin-settings": publish_mixin_settings,
}


def nested_schema(depth: int, leaf: Body) -> Body:
    """Return a schema with `depth` schemas inside it."""
    schema = leaf
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return schema


def largest_kind(revision: int) -> Body:
    """Return a kind with as many options as allowed, each with a long description."""
    number = count()
    option = {
        "description": f"Revision {revision}. " + "What the option is for. " * 40,
        "x-consumers": ["codegen"],
        "x-affects-tuning": "unknown",
        "x-reason": f"Revision {revision}. " + "Why it affects tuning. " * 40,
    }
    enum = [f"value-{revision}-{index}" for index in range(100)]
    return {
        "$schema": DIALECT,
        "title": "largest",
        "type": "object",
        "properties": {
            f"option-{next(number)}": {
                **option,
                **nested_schema(MAX_APPLICATORS - 2, {"type": "string", "enum": enum}),
            }
            for _ in range(MAX_OPTIONS)
        },
        "additionalProperties": False,
    }


def publish_largest_kind(revisions: int = 22) -> None:
    """Create a kind of the largest size with many revisions, which each change every option."""
    actor = Actor.operator(make_alice())
    for revision in range(revisions):
        kinds.revise_kind("largest", largest_kind(revision), actor=actor)
