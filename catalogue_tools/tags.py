"""Tags as generators generate them, disagreements between sources, and hand-written tags."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from catalogue_tools.hardware import IDENTITY, Statement, hardware, pages
from registry.domain.document import Json

AHEAD_OF_TIME = "micro/aot@1"


class NamedTag:
    """Parts that generated and hand-written tags have in common."""

    __slots__ = ()

    name: str
    aliases: tuple[str, ...]
    is_family: bool

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class GeneratedTag(NamedTag):
    """The newest version of a tag, as the facts state it.

    `file` groups tags: `aws/c8g` is written to `generated/aws/c8g.json`. `sources` are URLs, each
    of a file at its commit. If hand-written files have the tag, it is left out, unless
    one of their versions mirrors TVM: then this one follows the last of them. `message` is that of
    a first version; later ones say what they change, after `correction`: why the last was wrong.
    `is_renewed` if a released body stays, and is to be resolved again.
    """

    name: str
    file: str
    body: Mapping[str, Json]
    message: str
    sources: tuple[str, ...]
    is_family: bool = False
    aliases: tuple[str, ...] = ()
    correction: str = ""
    is_renewed: bool = False


def described_tag(
    name: str,
    file: str,
    body: Mapping[str, Json],
    message: str,
    *statements: Statement,
    sources: tuple[str, ...] = (),
    is_family: bool = False,
    aliases: tuple[str, ...] = (),
    joined_groups: Collection[str] = (IDENTITY,),
    correction: str = "",
) -> GeneratedTag:
    """Return a tag with hardware facts, whose pages are its sources unless others are given.

    Statements without facts count for nothing. The facts stand at the end of the body, or where it
    has `hardware`. A body that inherits joins
    the pages of some groups to those of its parent.
    """
    stated = [item for item in statements if item.facts or item.more_groups]
    own = hardware(*stated, joined_groups=joined_groups if "tag" in body else ())
    return GeneratedTag(
        name,
        file,
        {**body, "hardware": own},
        message,
        sources or pages(*stated),
        is_family,
        aliases,
        correction,
    )


def ahead_of_time(tag: GeneratedTag, name: str, described: str) -> GeneratedTag:
    """Return the variant of a microcontroller's tag that is compiled ahead of time."""
    body: dict[str, Json] = {"tag": [f"{tag.name}@1", AHEAD_OF_TIME]}
    return GeneratedTag(name, tag.file, body, f"{described}, compiled ahead of time", tag.sources)


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
    """A product that people look for and that no tag describes, with the reason.

    `group` says of what kind it is, such as "Cloud instances".
    """

    product: str
    reason: str
    group: str = "Others"


@dataclass(frozen=True, slots=True)
class Superseded:
    """A name that another tag supersedes, with the reason, a sentence.

    A released tag is deprecated; it gets further versions only if a generator yields it, too, as
    those of TVM's names. A name that was never released becomes an alias of its successor.
    """

    name: str
    successor: str
    reason: str


@dataclass(frozen=True, slots=True)
class WrittenTag(NamedTag):
    """A tag of hand-written files, with the bodies of its versions."""

    name: str
    aliases: tuple[str, ...] = ()
    bodies: tuple[Json, ...] = ()
    is_family: bool = False
    mirrors_tvm: bool = False  # one of its versions is TVM's
