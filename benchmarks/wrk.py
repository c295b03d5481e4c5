"""Loads servers on loopback with wrk."""

# ruff: noqa: S603 - runs wrk with fixed arguments

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.environments import find_programs

CONNECTIONS = 16
GRACE = 30  # seconds for wrk to stop


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A resource of a server on loopback, with the headers of its requests."""

    port: int
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)


def load(
    endpoint: Endpoint, seconds: int, connections: int = CONNECTIONS, script: Path | None = None
) -> float:
    """Return requests per second under load. Raises `ValueError` if a request fails.

    `script` is a program in Lua that chooses the requests.
    """
    command = [find_programs(wrk="wrk")["wrk"], "--threads", "1"]
    command += ["--connections", str(connections), "--duration", f"{seconds}s"]
    command += ["--script", str(script)] if script else []
    for name, value in endpoint.headers.items():
        command += ["--header", f"{name}: {value}"]
    output = subprocess.run(
        [*command, f"http://127.0.0.1:{endpoint.port}{endpoint.path}"],
        stdout=subprocess.PIPE,
        text=True,
        timeout=seconds + GRACE,
        check=True,
    ).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise ValueError(f"some requests failed:\n{output}")
    return float(re.findall(r"Requests/sec:\s+([\d.]+)", output)[0])
