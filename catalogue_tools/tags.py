"""Tags as subjects generate them, disagreements between sources, and hand-written tags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from registry.domain.document import Json


@dataclass(frozen=True, slots=True)
class GeneratedTag:
    """The newest version of a tag, as the facts state it.

    `file` groups tags: `aws/c8g` is written to `generated/aws/c8g.json`. `sources` are URLs, each
    of a file at its commit. If hand-written files have the tag, it is left out, unless
    one of their versions mirrors TVM: then this one follows the last of them.
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


@dataclass(frozen=True, slots=True)
class WrittenTag:
    """A tag of hand-written files, with the bodies of its versions."""

    name: str
    aliases: tuple[str, ...] = ()
    bodies: tuple[Json, ...] = ()
    is_family: bool = False
    mirrors_tvm: bool = False  # one of its versions is TVM's
