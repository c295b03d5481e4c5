"""Reads the files of the catalogue, and names the file in errors."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from registry.domain.errors import Code, Refused
from registry.domain.kinds.schema import compile_schema, schema_faults

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}


def _closed(required: tuple[str, ...], **properties: object) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": properties,
        "additionalProperties": False,
    }


VERSION = _closed(
    ("target", "message"), target={"type": "object"}, message=TEXT, sources=TEXTS, mirrors=TEXT
)
TAG = _closed(
    ("tag", "versions"),
    tag=TEXT,
    family={"type": "boolean"},
    aliases=TEXTS,
    deprecated=_closed(("reason", "successor"), reason=TEXT, successor=TEXT),
    versions={"type": "array", "minItems": 1, "items": VERSION},
)
TAG_FILE = _closed(("tags",), tags={"type": "array", "items": TAG})


def read_json(path: Path) -> Any:
    """Return the content of a file. Raises `Refused` (REQUEST_INVALID) if it is not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise _invalid(path, f"byte {error.start} is not UTF-8") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise _invalid(path, f"invalid JSON at {place}: {error.msg}") from error


def read_tags(path: Path) -> list[dict[str, Any]]:
    """Return the tags in a file. Raises `Refused` (REQUEST_INVALID) if it has another form."""
    content = read_json(path)
    for fault in schema_faults(_tag_file(), TAG_FILE, content, ""):
        hint = f" Did you mean {', '.join(fault.suggestions)}?" if fault.suggestions else ""
        raise _invalid(path, f"at {fault.pointer or 'the top'}, {fault.message}", hint)
    tags: list[dict[str, Any]] = content["tags"]
    return tags


@lru_cache(maxsize=1)
def _tag_file() -> jsonschema_rs.Validator:
    return compile_schema(TAG_FILE)


def _invalid(path: Path, problem: str, hint: str = "") -> Refused:
    return Refused(Code.REQUEST_INVALID, f"{path}: {problem}.{hint}")
