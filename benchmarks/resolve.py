"""Resolving by tag through the shipped server, against nginx serving the same bytes.

    python -m benchmarks.resolve            about a minute; needs nginx and wrk

Both answer on loopback with as many processes; wrk loads them in turn, so that what else the
machine does meets both. What counts is the ratio.
"""

# ruff: noqa: S603 - runs nginx, wrk and the project's own server, with arguments of its own

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from benchmarks.stage import (
    DATABASES,
    Environment,
    free_port,
    get,
    manage,
    programs,
    say,
    server,
)

PATH = "/api/v1/resolve/arm/soc:aot"
ROUNDS = 5
SECONDS = 2  # of load, each time
CONNECTIONS = 16
OF_THE_SERVER = ("server", "date", "content-length", "content-type", "etag", "connection")


def main() -> None:
    """Measure on both databases."""
    found = programs(nginx="nginx", wrk="wrk")
    for database, empty in DATABASES.items():
        with empty() as environment, ExitStack() as stack:
            manage(environment, "load_catalogue")
            manage(environment, "collectstatic", "--no-input", "--verbosity", "0")
            registry = stack.enter_context(shipped_server(environment))
            nginx = stack.enter_context(static_server(found["nginx"], registry))
            compare(f"{database}, whole answers", found["wrk"], registry, nginx)
            compare(f"{database}, 304 Not Modified", found["wrk"], registry, nginx, fresh=True)


@contextmanager
def shipped_server(environment: Environment) -> Iterator[int]:
    """The port of the registry as `make serve` starts it."""
    makefile = Path("Makefile").read_text(encoding="utf-8")
    workers, threads = (
        re.findall(rf"^{name} := (\d+)$", makefile, re.MULTILINE)[0]
        for name in ("WORKERS", "THREADS")
    )
    port = free_port()
    command = [str(Path(sys.executable).with_name("granian")), "--interface", "wsgi", "--no-ws"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--workers", workers]
    command += ["--blocking-threads", threads, "registry.wsgi:application"]
    with server(command, port, PATH, environment):
        yield port


@contextmanager
def static_server(program: str, registry: int) -> Iterator[int]:
    """The port of an nginx that serves the registry's answer as a file, with its headers."""
    _, headers, body = get(registry, PATH)
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="registry-benchmark-nginx-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # nginx, started by root, reads as another user
        (folder / "answer").write_bytes(body)
        lines = "\n".join(
            f'add_header {header} "{value}";'
            for header, value in headers.items()
            if header.lower() not in OF_THE_SERVER
        )
        (folder / "nginx.conf").write_text(
            f"""
            daemon off; worker_processes 2; pid {name}/pid; error_log {name}/errors;
            events {{ worker_connections 512; }}
            http {{
                access_log off; sendfile on; tcp_nopush on; keepalive_requests 10000000;
                client_body_temp_path {name}/a; proxy_temp_path {name}/b;
                fastcgi_temp_path {name}/c; uwsgi_temp_path {name}/d; scgi_temp_path {name}/e;
                types {{ }} default_type application/json;
                server {{
                    listen 127.0.0.1:{port};
                    location = {PATH} {{ alias {name}/answer; {lines} }}
                }}
            }}
            """,
            encoding="utf-8",
        )
        command = [program, "-p", name, "-c", f"{name}/nginx.conf", "-e", f"{name}/errors"]
        with server(command, port, PATH):
            if get(port, PATH)[2] != body:
                raise ValueError("nginx does not serve the registry's bytes")
            yield port


def compare(what: str, wrk: str, registry: int, nginx: int, *, fresh: bool = False) -> None:
    """Load both in turn and say how they compare."""
    loads = [
        (load(wrk, registry, fresh=fresh), load(wrk, nginx, fresh=fresh)) for _ in range(ROUNDS)
    ]
    say(f"{what}: medians of {ROUNDS} rounds")
    for name, found in zip(("registry", "nginx"), zip(*loads, strict=True), strict=True):
        rates = [rate for rate, _ in found]
        say(
            f"  {name:9}{median(rates):10,.0f} requests/s ({min(rates):,.0f} to {max(rates):,.0f}),"
            f" 99 % within {median(latency for _, latency in found):.1f} ms"
        )
    ratios = [served / resolved for (resolved, _), (served, _) in loads]
    say(f"  ratio    1 : {median(ratios):.0f} ({min(ratios):.0f} to {max(ratios):.0f})")


def load(wrk: str, port: int, *, fresh: bool) -> tuple[float, float]:
    """Requests a second, and the milliseconds within which 99 of 100 were answered."""
    command = [wrk, "--threads", "1", "--connections", str(CONNECTIONS)]
    command += ["--duration", f"{SECONDS}s", "--latency"]
    if fresh:
        command += ["--header", f"If-None-Match: {get(port, PATH)[1]['ETag']}"]
    said = subprocess.run(
        [*command, f"http://127.0.0.1:{port}{PATH}"],
        stdout=subprocess.PIPE,
        text=True,
        timeout=SECONDS + 30,
        check=True,
    ).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        raise ValueError(f"some requests failed:\n{said}")
    rate = float(re.findall(r"Requests/sec:\s+([\d.]+)", said)[0])
    number, unit = re.findall(r"99%\s+([\d.]+)(us|ms|s)", said)[0]
    return rate, float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


if __name__ == "__main__":
    main()
