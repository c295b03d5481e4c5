"""The files of a mirror: their paths, and how JSON is written. docs/mirrors.md describes both.

The registry writes the same files, by the same writer.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

VERSION = 1  # of the layout; readers reject other versions
OVERVIEW = "mirror.json"
COMPATIBILITY = "compatibility.json"
CHECKSUMS = "SHA256SUMS"  # of the files beside it, and of the parts
PARTS = "checksums"  # the folder of the parts, with the checksums of all other files
UNFINISHED = ".unfinished"  # there while a run changes files, and after one that was killed
FOLDERS = (PARTS, "digests", "formats", "index", "log")
MAX_NAME = 200  # characters of a file name, less its suffix; file systems take 255
UNSAFE = re.compile(r"[^a-z0-9._-]|^\.")


# Decision 086: no two names differ in case only, and file systems take 255 characters.
def escape(name: str) -> str:
    """Return the name of the file for a tag, an alias or an exact reference.

    All but `a-z 0-9 . _ -` is percent-encoded, and so is a dot at the start. Where that gives more
    than 200 characters, the name is `sha256-` and the SHA-256 of the name.
    """
    escaped = UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", name)
    if len(escaped) <= MAX_NAME:
        return escaped
    return f"sha256-{hashlib.sha256(name.encode()).hexdigest()}"


def index_path(name: str) -> str:
    """Return the path of the index of a tag, or of an alias."""
    return f"index/{escape(name)}.json"


def digest_path(digest: str) -> str:
    """Return the path of the bytes that have a digest."""
    return f"digests/sha256/{digest.removeprefix('sha256:')}"


def format_path(form: str, exact: str) -> str:
    """Return the path of a version's text in a format."""
    return f"formats/{form}/{escape(exact)}"


def as_bytes(document: Mapping[str, Any]) -> bytes:
    """Return the content of a JSON file: sorted, indented, in UTF-8."""
    text = json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True)
    return f"{text}\n".encode()
