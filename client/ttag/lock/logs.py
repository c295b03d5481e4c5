"""The tables of targets.lock for the logs that its targets were locked from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttag.log.checkpoints import Tree
from ttag.log.history import KnownLog
from ttag.log.notes import Key, Malformed, decode_base64, encode_base64

TEXTS = ("registry", "origin", "key", "root", "checksum")


# Decision 105: a lock records how far the log was seen, so a shorter one shows.
def log_table(log: KnownLog) -> dict[str, Any]:
    """Return the table of a log, without its checksum, in the order of the file."""
    return {
        "registry": log.registry,
        "origin": log.tree.origin,
        "key": str(log.key) if log.key else "",
        "size": log.tree.size,
        "root": encode_base64(log.tree.root),
    }


def log_from_table(table: Mapping[str, Any]) -> KnownLog:
    """Return the log of a table. Raises `Malformed`."""
    tree = Tree(table["origin"], table["size"], decode_base64(table["root"]))
    return KnownLog(table["registry"], tree, Key.parse(table["key"]) if table["key"] else None)


def shape_of_log(table: Mapping[str, Any]) -> str:
    """Return what is wrong with the members of a table; empty if nothing is."""
    if unknown := sorted(table.keys() - {*TEXTS, "size"}):
        return f"has {unknown[0]!r}, which this ttag does not know"
    for name in TEXTS:
        if not isinstance(table.get(name), str):
            return f"needs a string {name!r}"
    if type(table.get("size")) is not int:
        return "needs a number 'size'"
    try:
        log_from_table(table)
    except Malformed as error:
        return f"is not usable: {error}"
    return ""
