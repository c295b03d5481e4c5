"""Export subjects made from bodies and from the shipped catalogue."""

from functools import cache
from typing import Any

from registry.domain.closed_nodes import close_node
from registry.domain.document import parse_json
from registry.domain.exporting import Subject
from tests.domain.builders import KINDS, Library, target_of
from tests.domain.test_catalogue import parents_first


def subject(body: Any, node: str = "") -> Subject:
    """Resolve and check a body, and return it or one of its nodes as an export subject."""
    target = target_of(body)
    return Subject(
        "acme/board@1.0.0", target, KINDS, part=close_node(target, node) if node else None
    )


@cache
def catalogue() -> dict[str, Subject]:
    """Return every whole target of the catalogue by its exact reference."""
    library = Library()
    for tag in parents_first():
        for version in tag.versions:
            library.publish(tag.name, parse_json(version.source))
    return {
        f"{tag}@{resolved.number}": Subject(
            f"{tag}@{resolved.number}", resolved.resolution.target, KINDS
        )
        for tag, versions in library.versions.items()
        for resolved in versions
        if not resolved.published.is_mixin
    }
