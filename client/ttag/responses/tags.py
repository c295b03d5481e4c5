"""Tags and versions, as a registry lists and describes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ttag.responses.values import members, text, texts


@dataclass(frozen=True, slots=True)
class Query:
    """The words and filters of a search. Empty members match everything; all others have to match.

    `where` has conditions on values, such as `num-cores>=8` or `/host/mcpu=cortex-a57`.
    """

    text: str = ""
    namespace: str = ""
    kind: str = ""
    vendor: str = ""
    family: str = ""
    arch: str = ""
    status: str = ""
    where: tuple[str, ...] = ()
    sort: str = ""

    def parameters(self) -> Iterator[tuple[str, str]]:
        """Yield the parameters of the request."""
        for name in ("text", "namespace", "kind", "vendor", "family", "arch", "status", "sort"):
            if value := getattr(self, name):
                yield "q" if name == "text" else name, value
        yield from (("where", condition) for condition in self.where)


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a search: the words, and the field and value that have them.

    `field` is `name`, `alias`, `vendor`, `arch`, `message` or the pointer of a value.
    """

    field: str
    value: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TagSummary:
    """A tag in a list, with its newest version. Unknown facts are empty.

    `unstated` are the numbers of the search that its facts do not state.
    """

    tag: str
    reference: str
    version: str
    digest: str
    kind: str
    vendor: str
    arch: str
    family: str
    status: str
    lints: int
    matched: tuple[Match, ...] = ()
    unstated: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, answer: Any) -> TagSummary:
        """Read a result of a search."""
        return members(
            cls,
            answer,
            lints=int(answer["lints"] or 0),
            matched=tuple(members(Match, each) for each in answer.get("matched") or ()),
            unstated=texts(answer.get("unstated") or []),
        )


@dataclass(frozen=True, slots=True)
class MissingProduct:
    """A product that the registry is known not to have, and why."""

    product: str
    group: str
    reason: str


@dataclass(frozen=True, slots=True)
class OtherMachine:
    """A tag of another machine than the one that was searched for, and what differs."""

    tag: str
    reference: str
    differs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The best matches of a search.

    `total` counts all of them; if `capped`, there are more than that. `beginning` is the word that
    the names only begin with, `ignored` are words that no tag has, and those of a too long search.
    What is not a match is apart: `missing` products, `nearest` machines, and `suggestions`,
    their names if there is no match.
    """

    results: tuple[TagSummary, ...]
    total: int
    capped: bool
    suggestions: tuple[str, ...]
    ignored: tuple[str, ...]
    beginning: str = ""
    missing: tuple[MissingProduct, ...] = ()
    nearest: tuple[OtherMachine, ...] = ()


@dataclass(frozen=True, slots=True)
class VersionSummary:
    """A published version. `yanked` is the reason, empty if it is not yanked."""

    reference: str
    version: str
    digest: str
    kind: str
    published: str
    publisher: str
    author: str
    message: str
    sources: tuple[str, ...]
    status: str
    yanked: str

    @classmethod
    def from_json(cls, answer: Any) -> VersionSummary:
        """Read a version of `GET versions` or `GET tags`."""
        return members(cls, answer)


@dataclass(frozen=True, slots=True)
class TagDetails:
    """A tag: what it is, and how many versions it has.

    `last_published` is the version to state when the next one is published. `newest` is None if
    all versions are yanked. `deprecated` is the reason, empty if it is not deprecated.
    """

    tag: str
    description: str
    status: str
    is_family: bool
    aliases: tuple[str, ...]
    versions: int
    last_published: str
    newest: VersionSummary | None
    deprecated: str
    successor: str

    @classmethod
    def from_json(cls, answer: Any) -> TagDetails:
        """Read the response of `GET tags/<tag>`."""
        newest, deprecated = answer["newest"], answer["deprecated"] or {}
        return members(
            cls,
            answer,
            is_family=bool(answer["family"]),
            newest=VersionSummary.from_json(newest) if newest else None,
            deprecated=text(deprecated.get("reason")),
            successor=text(deprecated.get("successor")),
        )
