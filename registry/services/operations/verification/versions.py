"""Versions: their text, what it hashes to, and what their source resolves to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from registry.domain.composition import nodes
from registry.domain.document import Json, canonical, digest, parse_json
from registry.domain.errors import Refused, echo
from registry.domain.reference import Reference
from registry.domain.resolution import Resolution, resolve_body
from registry.models import Ancestry, Dependency, Version
from registry.services.core import redaction_marks
from registry.services.operations.verification.findings import Finding, Progress, mismatch
from registry.services.operations.verification.stored import Stored, stored

TABLE = Version._meta.db_table
JSON = ("target", "provenance", "tuning_keys", "lineage", "dependencies", "sources")
TUNING_KEY = re.compile(r"tk1:[0-9a-f]{64}")
UNREADABLE = (ValueError, TypeError, AttributeError, KeyError, RecursionError)


def findings(progress: Progress) -> Iterator[Finding]:
    """Eight queries for all, and seven for 500 versions."""
    redacted = redaction_marks.redacted_rows(Version._meta.label_lower)
    for each in stored(progress):
        yield from _text(each)
        yield from _uses(each)
        yield from _lineage(each)
        if each.version.pk not in redacted:  # what is left need not follow from what is left
            yield from _resolved(each)


def _text(each: Stored) -> Iterator[Finding]:
    """Each column by itself, and against the digest."""
    version, row = each.version, each.row
    for column in JSON:
        if not _is_canonical(getattr(version, column)):
            what = f"{column} is {echo(getattr(version, column))}"
            yield Finding(TABLE, row, what, "canonical JSON (RFC 8785)")
    data = version.target.encode()
    if version.digest != digest(data):
        yield mismatch(TABLE, row, "digest", version.digest, digest(data))
    if version.size != len(data):
        yield mismatch(TABLE, row, "size", version.size, len(data))
    if not each.is_checked:
        yield Finding(TABLE, row, "no kind says that the version is valid", "at least one")
    yield from _keys(each)


def _is_canonical(text: str) -> bool:
    try:
        return canonical(json.loads(text)).decode() == text
    except UNREADABLE:
        return False


def _keys(each: Stored) -> Iterator[Finding]:
    """Tuning keys have their form, and stand at leaves of the target."""
    try:
        keys, target = json.loads(each.version.tuning_keys), json.loads(each.version.target)
        leaves = {node.pointer for node in nodes(target) if node.kind and node.is_leaf}
        wrong = {
            pointer: key
            for pointer, key in keys.items()
            if pointer not in leaves or not TUNING_KEY.fullmatch(key)
        }
    except UNREADABLE:
        return  # said already: it is no canonical JSON
    if wrong:
        expected = "tk1: and 64 hex digits, at leaves"
        yield mismatch(TABLE, each.row, "tuning_keys", wrong, expected)


def _uses(each: Stored) -> Iterator[Finding]:
    """Dependencies as rows say what they say as text, and fit what was asked for."""
    table = Dependency._meta.db_table
    shown: list[Json] = []
    for at, use in enumerate(each.uses):
        row = f"{use.pk} of {each.row}"
        if use.position != at:
            yield mismatch(table, row, "position", use.position, at)
        yield from _answer(use, row)
        shown.append(
            {
                "pointer": use.pointer,
                "relation": use.relation,
                "requested": use.requested,
                "resolved": use.resolved.exact,
            }
        )
    if canonical(shown).decode() != each.version.dependencies:
        found, expected = each.version.dependencies, canonical(shown).decode()
        yield mismatch(TABLE, each.row, "dependencies", found, expected, by=f"as {table} has them,")


def _answer(use: Dependency, row: str) -> Iterator[Finding]:
    """Whether a version could have answered. An alias may since have been pointed elsewhere."""
    table = Dependency._meta.db_table
    try:
        asked = Reference.parse(use.requested)
    except Refused:
        yield mismatch(table, row, "requested", use.requested, "a reference")
        return
    if asked.text != use.name.text:
        yield mismatch(table, row, "name", use.name.text, asked.text)
    if use.name.is_alias and not str(asked.selector):
        return
    if use.is_floating != asked.selector.is_floating:
        yield mismatch(table, row, "is_floating", use.is_floating, asked.selector.is_floating)
    is_other = not use.name.is_alias and use.resolved.tag_id != use.name.tag_id
    if is_other or not asked.selector.admits(use.resolved.number):
        yield mismatch(table, row, "resolved", use.resolved.exact, f"a version of {asked}")


def _lineage(each: Stored) -> Iterator[Finding]:
    """The lineage as rows says what it says as text."""
    table = Ancestry._meta.db_table
    for at, ancestor in enumerate(each.ancestry):
        if ancestor.position != at:
            row = f"{ancestor.pk} of {each.row}"
            yield mismatch(table, row, "position", ancestor.position, at)
    flat = canonical([ancestor.ancestor.exact for ancestor in each.ancestry]).decode()
    if flat != each.version.lineage:
        found = each.version.lineage
        yield mismatch(TABLE, each.row, "lineage", found, flat, by=f"as {table} has it,")


def _resolved(each: Stored) -> Iterator[Finding]:
    """What the source resolves to, against the versions it was pinned to, is what is stored."""
    try:
        found = resolve_body(parse_json(each.version.source), each.library)
    except Refused as refusal:
        yield Finding(TABLE, each.row, f"its source is refused: {refusal.detail}", "a body")
        return
    except UNREADABLE as error:
        what = f"its source does not resolve against what it was pinned to ({error!r})"
        yield Finding(TABLE, each.row, what, "each reference pinned to a version that can be read")
        return
    for column, expected in _columns(found).items():
        if getattr(each.version, column) != expected:
            was = getattr(each.version, column)
            yield mismatch(TABLE, each.row, column, was, expected, by="as resolved anew,")
    distances = [far for far, level in enumerate(found.lineage, 1) for _ in level]
    there = [ancestor.distance for ancestor in each.ancestry]
    if there != distances:
        yield mismatch(Ancestry._meta.db_table, f"of {each.row}", "distance", there, distances)


def _columns(found: Resolution) -> dict[str, Any]:
    """The columns that follow from a resolution."""
    shown: list[Json] = [
        {
            "pointer": use.pointer,
            "relation": str(use.relation),
            "requested": use.requested,
            "resolved": use.resolved,
        }
        for use in found.dependencies
    ]
    return {
        "target": found.text.decode(),
        "kind": found.target.get("kind", ""),
        "provenance": canonical(dict(found.provenance)).decode(),
        "dependencies": canonical(shown).decode(),
        "lineage": canonical(list(found.ancestors)).decode(),
        "depth": found.depth,
    }
