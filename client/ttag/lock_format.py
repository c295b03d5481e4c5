"""The text of targets.lock: one table for each target, sorted, each with a checksum of its own.

A checksum of the whole file would conflict whenever two branches lock different targets.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from ttag.canonical_json import canonical, digest_of
from ttag.errors import FileError, ReferenceInvalid, Tampered
from ttag.references import Reference, is_exact_number
from ttag.resolution import LOCKED, Export, Resolution
from ttag.toml_text import write_key, write_string

VERSION = 1
HEADER = f"""\
# Written by `ttag lock`. Commit it; change it with `ttag lock` and `ttag sync`.
version = {VERSION}
"""
TEXTS = ("reference", "registry", "tag", "version", "digest", "json", "checksum")
TABLES = ("tuning_keys", "formats", "dropped")
KNOWN = frozenset({*TEXTS, "build_key", *TABLES})
CONFLICT_MARKERS = ("<<<<<<< ", ">>>>>>> ")
RESTORE = "Restore it from version control, or delete it and run `ttag lock`."


@dataclass(frozen=True, slots=True)
class LockedTarget:
    """A target as a lock holds it: its resolution, the registry it came from, and its exports."""

    registry: str
    resolution: Resolution
    exports: Mapping[str, Export]

    @property
    def reference(self) -> str:
        """The reference that was locked."""
        return self.resolution.reference

    def verify(self, resolution: Resolution) -> None:
        """Raise `Tampered` if a registry has another target for the locked version."""
        self.verify_exact(resolution)
        if resolution.digest != self.resolution.digest:
            raise Tampered(
                f"{resolution.exact} has the digest {resolution.digest} in the registry, and "
                f"{self.resolution.digest} in the lock. Published versions never change."
            )

    def verify_exact(self, resolution: Resolution) -> None:
        """Raise `Tampered` if a resolution, or one of a node, is of another tag or version."""
        if resolution.exact != self.resolution.exact:
            raise Tampered(
                f"{self.resolution.exact} of the lock is {resolution.exact} in the registry. The "
                "names of tags and versions never change."
            )

    def verify_tag(self, resolution: Resolution) -> None:
        """Raise `Tampered` if the reference named a tag when it was locked, and no longer does."""
        if resolution.tag != self.resolution.tag and not self.resolution.is_of_alias:
            raise Tampered(
                f"{self.reference} was a tag when it was locked, and the registry makes it an "
                f"alias of {resolution.tag}. The name of a tag is never free for another one."
            )


@dataclass(frozen=True, slots=True)
class LockContent:
    """The targets of a lock by reference, and what is wrong with the others."""

    targets: Mapping[str, LockedTarget]
    faults: Mapping[str, str]


def render(targets: Iterable[LockedTarget]) -> str:
    """Return the text of a lock. The same targets give the same text, in any order."""
    ordered = sorted(targets, key=lambda target: target.reference)
    return HEADER + "".join(map(_render_target, ordered))


def parse(text: str, path: Path) -> LockContent:
    """Read the text of a lock, and verify the digest and the checksum of each target.

    Raises `FileError` if it is not a lock as this version writes it.
    """
    targets: dict[str, LockedTarget] = {}
    faults: dict[str, str] = {}
    for table in _parse_tables(text, path):
        reference = _check_shape(table, path)
        if reference in targets or reference in faults:
            raise FileError(f"{path} holds {reference} twice. Remove one of both.")
        if fault := _fault_of(table):
            faults[reference] = fault
        else:
            targets[reference] = _target_from(table)
    return LockContent(targets, faults)


def _render_target(target: LockedTarget) -> str:
    table = _table_of(target)
    table["checksum"] = checksum_of(table)
    lines = ["", "[[target]]"]
    lines += [
        f"{name} = {write_string(value)}" for name, value in table.items() if isinstance(value, str)
    ]
    for name in TABLES:
        if name in table:
            lines += [f"[target.{name}]", *_render_members(table[name])]
    return "\n".join(lines) + "\n"


def _render_members(members: Mapping[str, Any]) -> list[str]:
    return [f"{write_key(name)} = {_render_value(members[name])}" for name in sorted(members)]


def _render_value(value: str | list[str]) -> str:
    if isinstance(value, str):
        return write_string(value)
    return f"[{', '.join(map(write_string, value))}]"


def _table_of(target: LockedTarget) -> dict[str, Any]:
    """Return the table of a target, without its checksum, in the order of the file."""
    resolution, exports = target.resolution, target.exports
    table: dict[str, Any] = {
        "reference": resolution.reference,
        "registry": target.registry,
        "tag": resolution.tag,
        "version": resolution.version,
        "digest": resolution.digest,
        "build_key": resolution.build_key,
        "json": resolution.text,
        "tuning_keys": dict(resolution.tuning_keys),
        "formats": {form: export.text for form, export in exports.items()},
        "dropped": {form: list(export.dropped) for form, export in exports.items()},
    }
    table["dropped"] = {form: losses for form, losses in table["dropped"].items() if losses}
    return {name: value for name, value in table.items() if value}


def checksum_of(table: Mapping[str, Any]) -> str:
    """Return the checksum of the other members of a table."""
    return digest_of(canonical({key: each for key, each in table.items() if key != "checksum"}))


def has_conflicts(text: str) -> bool:
    """Return whether a text has the marks of an unfinished merge."""
    return any(line.startswith(CONFLICT_MARKERS) for line in text.splitlines())


def _parse_tables(text: str, path: Path) -> list[dict[str, Any]]:
    if has_conflicts(text):
        raise FileError(f"{path} has merge conflicts. `ttag lock` unites both sides.")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FileError(f"{path} is not TOML: {error}. {RESTORE}") from error
    version, tables = document.pop("version", None), document.pop("target", [])
    if type(version) is int and version > VERSION:
        raise FileError(
            f"{path} has the format {version}, and this ttag knows {VERSION}. Update ttag."
        )
    # A type of its own, because True and 1.0 equal 1.
    if type(version) is not int or version != VERSION or document or not _are_tables(tables):
        raise FileError(f"{path} is not a lock: expected version = 1 and [[target]] only.")
    return tables


def _are_tables(value: object) -> TypeGuard[list[dict[str, Any]]]:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _check_shape(table: Mapping[str, Any], path: Path) -> str:
    """Return the reference of a target if its members have the right types."""
    reference = table.get("reference")
    name = reference if isinstance(reference, str) else "a target without a reference"
    if unknown := sorted(table.keys() - KNOWN):
        raise FileError(f"{path}: {name} has {unknown[0]!r}, which this ttag does not know.")
    for key in TEXTS:
        if not isinstance(table.get(key), str):
            raise FileError(f"{path}: {name} needs a string {key!r}. {RESTORE}")
    texts = [table.get("build_key", "")]
    for key in TABLES:
        members = table.get(key, {})
        if not isinstance(members, dict):
            raise FileError(f"{path}: {key} of {name} must be a table. {RESTORE}")
        texts += members.values() if key != "dropped" else []
    losses = [each for pointers in table.get("dropped", {}).values() for each in _listed(pointers)]
    if not all(isinstance(text, str) for text in [*texts, *losses]):
        raise FileError(f"{path}: {name} has a value that is not a string. {RESTORE}")
    return str(reference)


def _listed(pointers: object) -> list[object]:
    return pointers if isinstance(pointers, list) else [None]


def _fault_of(table: Mapping[str, Any]) -> str:
    """Return what is wrong with the content of a target; empty if nothing is."""
    if digest_of(table["json"].encode()) != table["digest"]:
        return f"its target does not have the digest {table['digest']}"
    if checksum_of(table) != table["checksum"]:
        return "it does not have its checksum, so it was edited by hand"
    if not _selects(table["reference"], table["version"], table["digest"]):
        return f"its version {table['version']} is not one that it selects"
    try:
        return "" if isinstance(json.loads(table["json"]), dict) else "its target is no object"
    except (ValueError, RecursionError):
        return "its target is not JSON"


def _selects(reference: str, version: str, digest: str) -> bool:
    try:
        return is_exact_number(version) and Reference.parse(reference).admits(version, digest)
    except ReferenceInvalid:
        return False


def _target_from(table: Mapping[str, Any]) -> LockedTarget:
    reference, dropped = table["reference"], table.get("dropped", {})
    resolution = Resolution(
        reference=reference,
        tag=table["tag"],
        version=table["version"],
        digest=table["digest"],
        status=LOCKED,
        text=table["json"],
        tuning_keys=table.get("tuning_keys", {}),
        build_key=table.get("build_key", ""),
    )
    exports = {
        form: Export(reference, form, text, tuple(dropped.get(form, ())))
        for form, text in table.get("formats", {}).items()
    }
    return LockedTarget(table["registry"], resolution, exports)
