"""Checks of versions: canonical text, digests, and the result of resolving the source."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from registry.domain.document import Json, canonical, digest, parse_json
from registry.domain.errors import Refused, echo
from registry.domain.keys.build_key import compute_build
from registry.domain.keys.tuning import tuning_keys
from registry.domain.kinds.kinds import Kinds
from registry.domain.reference import Reference
from registry.domain.resolution.resolution import Resolution, resolve_body
from registry.models import Ancestry, Dependency, Version
from registry.services.core import redaction_marks
from registry.services.operations.verification import Finding, Progress, mismatch
from registry.services.operations.verification.stored import Stored, stored
from ttag_rules.nodes import nodes

TABLE = Version._meta.db_table
JSON = ("target", "provenance", "tuning_keys", "lineage", "dependencies", "sources")
TUNING_KEY = re.compile(r"tk1:[0-9a-f]{64}")
UNREADABLE = (ValueError, TypeError, AttributeError, KeyError, RecursionError)


def findings(progress: Progress) -> Iterator[Finding]:
    """Yield the findings of versions. Eight queries, and eight per 500 versions."""
    redacted = redaction_marks.redacted_rows(Version._meta.label_lower)
    for record in stored(progress):
        yield from _check_columns(record)
        yield from _check_uses(record)
        yield from _check_lineage(record)
        if record.version.pk in redacted:  # redacted sources need not resolve
            yield from _check_keys(record)
        else:
            yield from _check_resolution(record)


def _check_columns(record: Stored) -> Iterator[Finding]:
    """Check the JSON columns, the digest and the size."""
    version, row = record.version, record.row
    for column in JSON:
        if not _is_canonical(getattr(version, column)):
            problem = f"{column} is {echo(getattr(version, column))}"
            yield Finding(TABLE, row, problem, "canonical JSON (RFC 8785)")
    data = version.target.encode()
    if version.digest != digest(data):
        yield mismatch(TABLE, row, "digest", version.digest, digest(data))
    if version.size != len(data):
        yield mismatch(TABLE, row, "size", version.size, len(data))
    if not record.is_checked:
        yield Finding(TABLE, row, "the version was not checked against any kind", "at least one")


def _is_canonical(text: str) -> bool:
    try:
        return canonical(json.loads(text)).decode() == text
    except UNREADABLE:
        return False


def _check_keys(record: Stored) -> Iterator[Finding]:
    """Check that tuning keys are well formed, and at leaves of the target."""
    try:
        keys, target = json.loads(record.version.tuning_keys), json.loads(record.version.target)
        leaves = {node.pointer for node in nodes(target) if node.kind and node.is_leaf}
        wrong = {
            pointer: key
            for pointer, key in keys.items()
            if pointer not in leaves or not TUNING_KEY.fullmatch(key)
        }
    except UNREADABLE:
        return  # already reported as not canonical
    if wrong:
        expected = "tk1: and 64 hex digits, at leaves"
        yield mismatch(TABLE, record.row, "tuning_keys", wrong, expected)


def _check_uses(record: Stored) -> Iterator[Finding]:
    """Check that dependency rows agree with the JSON column and with their references."""
    table = Dependency._meta.db_table
    uses: list[Json] = []
    for position, use in enumerate(record.uses):
        row = f"{use.pk} of {record.row}"
        if use.position != position:
            yield mismatch(table, row, "position", use.position, position)
        yield from _check_reference(use, row)
        uses.append(
            {
                "pointer": use.pointer,
                "relation": use.relation,
                "requested": use.requested,
                "resolved": use.resolved.exact,
            }
        )
    if canonical(uses).decode() != record.version.dependencies:
        actual, expected = record.version.dependencies, canonical(uses).decode()
        yield mismatch(TABLE, record.row, "dependencies", actual, expected, by=f"as in {table},")


def _check_reference(use: Dependency, row: str) -> Iterator[Finding]:
    """Check that a reference admits its version. Aliases may have changed since."""
    table = Dependency._meta.db_table
    try:
        reference = Reference.parse(use.requested)
    except Refused:
        yield mismatch(table, row, "requested", use.requested, "a reference")
        return
    if reference.text != use.name.text:
        yield mismatch(table, row, "name", use.name.text, reference.text)
    if use.name.is_alias and not str(reference.selector):
        return
    if use.is_floating != reference.selector.is_floating:
        yield mismatch(table, row, "is_floating", use.is_floating, reference.selector.is_floating)
    is_other = not use.name.is_alias and use.resolved.tag_id != use.name.tag_id
    if is_other or not reference.selector.admits(use.resolved.number):
        yield mismatch(table, row, "resolved", use.resolved.exact, f"a version of {reference}")


def _check_lineage(record: Stored) -> Iterator[Finding]:
    """Check that ancestry rows agree with the JSON column."""
    table = Ancestry._meta.db_table
    for position, ancestor in enumerate(record.ancestry):
        if ancestor.position != position:
            row = f"{ancestor.pk} of {record.row}"
            yield mismatch(table, row, "position", ancestor.position, position)
    flat = canonical([ancestor.ancestor.exact for ancestor in record.ancestry]).decode()
    if flat != record.version.lineage:
        actual = record.version.lineage
        yield mismatch(TABLE, record.row, "lineage", actual, flat, by=f"as in {table},")


def _check_resolution(record: Stored) -> Iterator[Finding]:
    """Check that resolving the source again gives the stored columns."""
    try:
        resolution = resolve_body(parse_json(record.version.source), record.library)
    except Refused as refusal:
        yield Finding(TABLE, record.row, f"its source is invalid: {refusal.detail}", "a body")
        return
    except UNREADABLE as error:
        problem = f"its source does not resolve against its pinned versions ({error!r})"
        yield Finding(TABLE, record.row, problem, "references pinned to readable versions")
        return
    expected_columns = _expected_columns(resolution)
    if record.kinds is not None and record.version.target == expected_columns["target"]:
        expected_columns |= _expected_keys(resolution, record.kinds)
    for column, expected in expected_columns.items():
        if getattr(record.version, column) != expected:
            actual = getattr(record.version, column)
            yield mismatch(TABLE, record.row, column, actual, expected, by="as resolved again,")
    distances = [distance for distance, level in enumerate(resolution.lineage, 1) for _ in level]
    stored_distances = [ancestor.distance for ancestor in record.ancestry]
    if stored_distances != distances:
        yield mismatch(
            Ancestry._meta.db_table, f"of {record.row}", "distance", stored_distances, distances
        )


def _expected_columns(resolution: Resolution) -> dict[str, Any]:
    uses: list[Any] = [use.as_json for use in resolution.dependencies]
    return {
        "target": resolution.text.decode(),
        "kind": resolution.target.get("kind", ""),
        "provenance": canonical(dict(resolution.provenance)).decode(),
        "dependencies": canonical(uses).decode(),
        "lineage": canonical(list(resolution.ancestors)).decode(),
        "depth": resolution.depth,
    }


def _expected_keys(resolution: Resolution, kinds: Kinds) -> dict[str, Any]:
    """Return the columns that follow from a target and its kinds; none if the kinds are unknown."""
    try:
        keys, build = tuning_keys(resolution.target, kinds), compute_build(resolution.target, kinds)
    except KeyError:
        return {}  # already reported: the version was not checked against each of its kinds
    return {
        "tuning_keys": canonical(dict(keys)).decode(),
        "build_digest": build.digest,
        "is_host_dependent": build.is_host_dependent,
    }
