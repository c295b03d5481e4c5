"""Tags as subjects generate them, and disagreements between sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from registry.domain.document import Json


@dataclass(frozen=True, slots=True)
class GeneratedTag:
    """The newest version of a tag, as the facts state it.

    `file` groups tags: `aws/c8g` is written to `generated/aws/c8g.json`. `sources` are URLs, each
    of a file at its commit.
    """

    name: str
    file: str
    body: Mapping[str, Json]
    message: str
    sources: tuple[str, ...]
    is_family: bool = False
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A fact that two sources state differently, and the value that the tag has.

    `values` maps the URL of a source to what it states. `choice` is a sentence that says what the
    tag has, and why; empty if the tag leaves the fact out.
    """

    tag: str
    fact: str
    values: Mapping[str, Json]
    choice: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """A product that people look for and that no tag describes, with the reason."""

    product: str
    reason: str
