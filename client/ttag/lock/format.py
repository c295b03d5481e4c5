"""The text of targets.lock: one table for each target and log, each with a checksum of its own.

A checksum of the whole file would conflict whenever two branches lock different targets.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeGuard

from ttag.canonical_json import canonical, digest_of
from ttag.errors import FileError, ReferenceInvalid, Refused
from ttag.lock.content import LockContent, LockedTarget
from ttag.log.checkpoints import Tree
from ttag.log.history import KnownLog
from ttag.log.notes import Key, Malformed, decode_base64, encode_base64
from ttag.references import Reference
from ttag.resolution import LOCKED, Export, Resolution
from ttag.toml_text import write_key, write_string

# The newest. A lock without nodes is written as 2, and one without logs and events either as 1, so
# that older releases read it (decision 133).
VERSION = 3
HEADER = """\
# Written by `ttag lock`. Commit it; change it with `ttag lock` and `ttag sync`.
version = {}
"""
TEXTS = ("reference", "registry", "tag", "version", "digest", "json", "checksum")
LOG_TEXTS = ("registry", "origin", "key", "root", "checksum")
TABLES = ("tuning_keys", "formats", "dropped")
KNOWN = frozenset({*TEXTS, "build_key", "node_build_key", "event", *TABLES})
CONFLICT_MARKERS = ("<<<<<<< ", ">>>>>>> ")
RESTORE = "Restore it from version control, or delete it and run `ttag lock`."


def render(targets: Iterable[LockedTarget], logs: Iterable[KnownLog] = ()) -> str:
    """Return the text of a lock. The same targets and logs give the same text, in any order."""
    ordered = sorted(targets, key=lambda target: target.reference)
    tables = [_log_table(log) for log in sorted(logs, key=lambda log: log.registry)]
    targets_text = "".join(_render("target", _table_of(target)) for target in ordered)
    has_events = any(target.resolution.event is not None for target in ordered)
    has_nodes = any(target.node for target in ordered)
    header = HEADER.format(3 if has_nodes else 2 if tables or has_events else 1)
    return header + targets_text + "".join(_render("log", table) for table in tables)


def parse(text: str, path: Path) -> LockContent:
    """Read the text of a lock, and verify the digest and the checksum of each target.

    Raises `FileError` if it is not a lock as this version writes it.
    """
    targets: dict[str, LockedTarget] = {}
    faults: dict[str, str] = {}
    tables, log_tables = _parse_tables(text, path)
    for table in tables:
        reference = _check_shape(table, path)
        if reference in targets or reference in faults:
            raise FileError(f"{path} holds {reference} twice. Remove one of both.")
        if fault := _fault_of(table):
            faults[reference] = fault
        else:
            targets[reference] = _target_from(table)
    return LockContent(targets, faults, *_read_logs(log_tables, path))


def _read_logs(
    tables: Iterable[Mapping[str, Any]], path: Path
) -> tuple[tuple[KnownLog, ...], dict[str, str]]:
    """Return the logs, and what is wrong with others by their registry. Raises `FileError`."""
    logs: dict[str, KnownLog] = {}
    faults: dict[str, str] = {}
    for table in tables:
        if fault := _shape_of_log(table):
            raise FileError(f"{path}: a log {fault}. {RESTORE}")
        registry = table["registry"]
        if registry in logs or registry in faults:
            raise FileError(f"{path} holds the log of {registry} twice. Remove one of both.")
        if checksum_of(table) != table["checksum"]:
            faults[registry] = "it does not have its checksum, so it was edited by hand"
        else:
            logs[registry] = _log_from_table(table)
    return tuple(logs.values()), faults


def _render(kind: str, table: dict[str, Any]) -> str:
    """Return a table with its checksum: `target`, whose tables come last, or `log`."""
    table["checksum"] = checksum_of(table)
    lines = ["", f"[[{kind}]]"]
    for name, value in table.items():
        if isinstance(value, str | int):
            lines.append(f"{name} = {write_string(value) if isinstance(value, str) else value}")
    for name in TABLES:
        if name in table:
            lines += [f"[{kind}.{name}]", *_render_members(table[name])]
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
        "reference": target.reference,
        "registry": target.registry,
        "tag": resolution.tag,
        "version": resolution.version,
        "digest": resolution.digest,
        "event": resolution.event,
        "build_key": resolution.build_key,
        "node_build_key": target.node_build_key,
        "json": resolution.text,
        "tuning_keys": dict(resolution.tuning_keys),
        "formats": {form: export.text for form, export in exports.items()},
        "dropped": {form: list(export.dropped) for form, export in exports.items()},
    }
    table["dropped"] = {form: losses for form, losses in table["dropped"].items() if losses}
    return {name: value for name, value in table.items() if value}


# Decision 085: one for each target, as one for the file would conflict in every merge.
def checksum_of(table: Mapping[str, Any]) -> str:
    """Return the checksum of the other members of a table."""
    return digest_of(canonical({key: each for key, each in table.items() if key != "checksum"}))


def has_conflicts(text: str) -> bool:
    """Return whether a text has the marks of an unfinished merge."""
    return any(line.startswith(CONFLICT_MARKERS) for line in text.splitlines())


def _parse_tables(text: str, path: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the tables of the targets, and those of the logs. Raises `FileError`."""
    if has_conflicts(text):
        raise FileError(f"{path} has merge conflicts. `ttag lock` unites both sides.")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FileError(f"{path} is not TOML: {error}. {RESTORE}") from error
    version, tables = document.pop("version", None), document.pop("target", [])
    # A type of its own, because True and 1.0 equal 1.
    is_number = type(version) is int
    logs = document.pop("log", []) if is_number and version in {2, 3} else []
    if is_number and version > VERSION:
        raise FileError(
            f"{path} has the format {version}, and this ttag knows {VERSION}. Update ttag."
        )
    is_known = is_number and 1 <= version <= VERSION
    if not is_known or document or not _are_tables(tables) or not _are_tables(logs):
        raise FileError(
            f"{path} is not a lock: expected version = 1 to {VERSION}, [[target]] and, from 2 on, "
            f"[[log]] only. {RESTORE}"
        )
    if version == 1 and any("event" in table for table in tables):
        raise FileError(f"{path} has an event, which the format 1 does not know. {RESTORE}")
    if version < 3 and any(
        "node_build_key" in table or "#" in str(table.get("reference")) for table in tables
    ):
        raise FileError(f"{path} has a node, which the format {version} does not know. {RESTORE}")
    return tables, logs


def _are_tables(value: object) -> TypeGuard[list[dict[str, Any]]]:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _check_shape(table: Mapping[str, Any], path: Path) -> str:
    """Return the reference of a target if its members have the right types."""
    reference = table.get("reference")
    name = reference if isinstance(reference, str) else "a target without a reference"
    if unknown := sorted(table.keys() - KNOWN):
        raise FileError(
            f"{path}: {name} has {unknown[0]!r}, which this ttag does not know. Update ttag. "
            f"{RESTORE}"
        )
    for key in TEXTS:
        if not isinstance(table.get(key), str):
            raise FileError(f"{path}: {name} needs a string {key!r}. {RESTORE}")
    event = table.get("event", 1)
    if type(event) is not int or event < 1:
        raise FileError(f"{path}: event of {name} must be the number of an event. {RESTORE}")
    texts = [table.get("build_key", ""), table.get("node_build_key", "")]
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
        if not isinstance(json.loads(table["json"]), dict):
            return "its target is no object"
        _target_from(table).answer  # noqa: B018 - raises if the target has no such node
    except Refused as refusal:
        return refusal.message.rstrip(".")
    except (ValueError, RecursionError):
        return "its target is not JSON"
    return ""


def _selects(reference: str, version: str, digest: str) -> bool:
    try:
        asked = Reference.parse_with_node(reference)
    except ReferenceInvalid:
        return False
    return asked.admits(version, digest)


def _target_from(table: Mapping[str, Any]) -> LockedTarget:
    reference, dropped = table["reference"], table.get("dropped", {})
    asked = Reference.parse_with_node(reference)
    resolution = Resolution(
        reference=str(asked.whole),
        tag=table["tag"],
        version=table["version"],
        digest=table["digest"],
        status=LOCKED,
        text=table["json"],
        tuning_keys=table.get("tuning_keys", {}),
        build_key=table.get("build_key", ""),
        event=table.get("event"),
    )
    exports = {
        form: Export(reference, form, text, tuple(dropped.get(form, ())))
        for form, text in table.get("formats", {}).items()
    }
    node_build_key = table.get("node_build_key", "")
    return LockedTarget(table["registry"], resolution, exports, asked.node, node_build_key)


# Decision 105: a lock records how far the log was seen, so a shorter one shows.
def _log_table(log: KnownLog) -> dict[str, Any]:
    """Return the table of a log, without its checksum, in the order of the file."""
    return {
        "registry": log.registry,
        "origin": log.tree.origin,
        "key": str(log.key) if log.key else "",
        "size": log.tree.size,
        "root": encode_base64(log.tree.root),
    }


def _log_from_table(table: Mapping[str, Any]) -> KnownLog:
    """Return the log of a table. Raises `Malformed`."""
    tree = Tree(table["origin"], table["size"], decode_base64(table["root"]))
    return KnownLog(table["registry"], tree, Key.parse(table["key"]) if table["key"] else None)


def _shape_of_log(table: Mapping[str, Any]) -> str:
    """Return what is wrong with the members of a table; empty if nothing is."""
    if unknown := sorted(table.keys() - {*LOG_TEXTS, "size"}):
        return f"has {unknown[0]!r}, which this ttag does not know"
    for name in LOG_TEXTS:
        if not isinstance(table.get(name), str):
            return f"needs a string {name!r}"
    if type(table.get("size")) is not int:
        return "needs a number 'size'"
    try:
        _log_from_table(table)
    except Malformed as error:
        return f"is not usable: {error}"
    return ""
