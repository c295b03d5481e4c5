"""Entries of tag files: the released versions of a tag, then the one that the facts give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from catalogue_tools.tags import GeneratedTag, WrittenTag
from catalogue_tools.version_messages import version_message
from registry.domain.document import Json, canonical
from ttag_rules.pointer import natural_key

RENEWED = "Follows newer versions of the tags that it refers to."
Entry = dict[str, Any]  # of a tag, as in the files

DEPRECATED = "deprecated"  # its member with the successor of a superseded tag

CITED_COMMIT = re.compile(rb"(https://github\.com/[^/\"]+/[^/\"]+/blob/)[^/\"]+")


@dataclass(frozen=True, slots=True)
class ReleasedTag:
    """The entry of a generated tag with its released versions only, which stay as they are."""

    file: str
    entry: Entry

    @property
    def newest_body(self) -> dict[str, Json]:
        body: dict[str, Json] = self.entry["versions"][-1]["target"]
        return body

    def states(self, body: Json) -> bool:
        """Return whether the last released version states the same as a body."""
        return states_the_same(self.newest_body, body)

    def as_written(self) -> WrittenTag:
        """Return the tag as if it were written by hand, for one that the facts no longer give."""
        return WrittenTag(
            self.entry["tag"],
            tuple(self.entry.get("aliases", ())),
            tuple(version["target"] for version in self.entry["versions"]),
            self.entry.get("family", False),
        )


def tag_entries(
    tags: Iterable[GeneratedTag], released: Mapping[str, ReleasedTag]
) -> dict[str, list[Entry]]:
    """Return the entries of tags by file: families first, then in natural order of their names."""
    filed = {tag.name: (tag.file, _entry(tag, released.get(tag.name))) for tag in tags}
    for name, tag in released.items():
        filed.setdefault(name, (tag.file, tag.entry))
    by_file: dict[str, list[Entry]] = {}
    for file, entry in sorted(filed.values(), key=lambda item: (item[0], *_rank(item[1]))):
        by_file.setdefault(file, []).append(entry)
    return by_file


def states_the_same(old: Json, new: Json) -> bool:
    """Return whether two bodies, or disagreements, differ at most by the commits that they cite.

    A fact stays true at the commit where it was read. So a refreshed table gives a tag a new
    version only where a fact has changed.
    """
    left, right = (CITED_COMMIT.sub(rb"\1", canonical(value)) for value in (old, new))
    return left == right


def _rank(entry: Entry) -> tuple[object, ...]:
    return not entry.get("family", False), natural_key(entry["tag"])


def _version(tag: GeneratedTag, message: str) -> Entry:
    return {"message": message, "sources": [*tag.sources], "target": dict(tag.body)}


def _entry(tag: GeneratedTag, released: ReleasedTag | None) -> Entry:
    old = released.entry if released else {}
    versions: list[Entry] = [*old.get("versions", ())]
    body = dict(tag.body)
    if released is None:
        versions.append(_version(tag, tag.message))
    elif tag.is_renewed:
        versions.append(_version(tag, RENEWED))
    elif not released.states(body):
        message = version_message(released.newest_body, body, tag.correction)
        versions.append(_version(tag, message))
    family = {"family": True} if tag.is_family else {}
    aliases = sorted({*tag.aliases, *old.get("aliases", ())})
    return {
        "tag": tag.name,
        **family,
        **({"aliases": aliases} if aliases else {}),
        **({DEPRECATED: old[DEPRECATED]} if DEPRECATED in old else {}),
        "versions": versions,
    }
