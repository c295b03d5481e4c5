"""Export subjects made from bodies and from the shipped catalogue."""

from functools import cache
from typing import Any

from registry.domain.closed_nodes import close_node
from registry.domain.exporting import Subject
from tests.domain.builders import KINDS, target_of
from tests.domain.shipped import library, sample
from ttag_rules.compiled_options import compiled_options


def subject(body: Any, node: str = "") -> Subject:
    """Resolve and check a body, and return it or one of its nodes as an export subject."""
    target = target_of(body)
    return Subject(
        "acme/board@1.0.0", target, KINDS, part=close_node(target, node) if node else None
    )


def as_compiled(value: Any) -> Any:
    """Return a target in which each node has its options as compilers read them."""
    if isinstance(value, dict):
        options = {name: as_compiled(item) for name, item in value.items()}
        return compiled_options(options) if "kind" in options else options
    return [as_compiled(item) for item in value] if isinstance(value, list) else value


@cache
def catalogue() -> dict[str, Subject]:
    """Return whole targets of the catalogue by exact reference: of the tags in `sample()`."""
    return {
        f"{tag}@{version.number}": Subject(
            f"{tag}@{version.number}", version.resolution.target, KINDS
        )
        for tag in sorted(sample())
        for version in library().versions[tag]
        if not version.published.is_mixin
    }
