"""The constant response of applications that the registry is compared with.

It is that of the file in BENCHMARK_RESPONSE, which `record` writes, or else 1.5 KB of text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "BENCHMARK_RESPONSE"
PATH = "/bare"  # of the view of `bare_view`
SET_BY_SERVERS = frozenset({"server", "date", "connection"})
DEFAULT_HEADERS = {"content-type": "application/json", "content-length": "1500", "etag": '"1"'}

Headers = list[tuple[str, str]]


def record(path: Path, headers: Mapping[str, str], body: bytes) -> None:
    """Write a response to a file, without the headers that every server sets itself."""
    kept = {
        name.lower(): value for name, value in headers.items() if name.lower() not in SET_BY_SERVERS
    }
    path.write_text(json.dumps({"headers": kept, "body": body.decode()}), encoding="utf-8")


def read() -> tuple[Headers, bytes]:
    """Return the headers, in lower case, and the body of the constant response."""
    if name := os.environ.get(VARIABLE):
        recorded = json.loads(Path(name).read_text(encoding="utf-8"))
        return list(recorded["headers"].items()), recorded["body"].encode()
    return list(DEFAULT_HEADERS.items()), b"x" * int(DEFAULT_HEADERS["content-length"])
