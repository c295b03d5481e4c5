"""Throughput of resolving by tag, compared with nginx serving the same bytes.

    python -m benchmarks.resolve            about two minutes; needs nginx and wrk

Both run on loopback with the same number of processes. wrk loads them in turn, so that other load
on the machine affects both; the ratio is what matters.
"""

# ruff: noqa: S603 - runs nginx, wrk and the registry's server, with fixed arguments

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from benchmarks.environments import (
    DATABASES,
    Environment,
    fetch,
    find_programs,
    free_port,
    print_line,
    run_manage,
    server,
)

PATH = "/api/v1/resolve/arm/soc:aot"
ROUNDS = 5
SECONDS = 2  # of load per round
CONNECTIONS = 16
SERVER_HEADERS = ("server", "date", "content-length", "content-type", "etag", "connection")


def main() -> None:
    """Measure on both databases."""
    paths = find_programs(nginx="nginx", wrk="wrk")
    for database, empty in DATABASES.items():
        with empty() as environment, ExitStack() as stack:
            run_manage(environment, "load_catalogue")
            run_manage(environment, "collectstatic", "--no-input", "--verbosity", "0")
            registry = stack.enter_context(shipped_server(environment))
            nginx = stack.enter_context(static_server(paths["nginx"], registry))
            compare(f"{database}, full responses", paths["wrk"], registry, nginx)
            compare(f"{database}, 304 Not Modified", paths["wrk"], registry, nginx, fresh=True)


@contextmanager
def shipped_server(environment: Environment) -> Iterator[int]:
    """Run the registry as `make serve` does, and yield its port."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with server(command, port, PATH, environment):
        yield port


@contextmanager
def static_server(program: str, registry: int) -> Iterator[int]:
    """Run nginx with the registry's response as a file, with its headers, and yield its port."""
    _, headers, body = fetch(registry, PATH)
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="registry-benchmark-nginx-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # nginx drops privileges when started by root
        (folder / "response").write_bytes(body)
        lines = "\n".join(
            f'add_header {header} "{value}";'
            for header, value in headers.items()
            if header.lower() not in SERVER_HEADERS
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
                    location = {PATH} {{ alias {name}/response; {lines} }}
                }}
            }}
            """,
            encoding="utf-8",
        )
        command = [program, "-p", name, "-c", f"{name}/nginx.conf", "-e", f"{name}/errors"]
        with server(command, port, PATH):
            if fetch(port, PATH)[2] != body:
                raise ValueError("nginx does not serve the registry's bytes")
            yield port


def compare(title: str, wrk: str, registry: int, nginx: int, *, fresh: bool = False) -> None:
    """Load both in turn and print how they compare."""
    rounds = [
        (load(wrk, registry, fresh=fresh), load(wrk, nginx, fresh=fresh)) for _ in range(ROUNDS)
    ]
    print_line(f"{title}: medians of {ROUNDS} rounds")
    for name, results in zip(("registry", "nginx"), zip(*rounds, strict=True), strict=True):
        rates = [rate for rate, _ in results]
        print_line(
            f"  {name:9}{median(rates):10,.0f} requests/s ({min(rates):,.0f} to {max(rates):,.0f}),"
            f" 99 % within {median(latency for _, latency in results):.1f} ms"
        )
    ratios = [nginx_rate / rate for (rate, _), (nginx_rate, _) in rounds]
    print_line(f"  ratio    1 : {median(ratios):.0f} ({min(ratios):.0f} to {max(ratios):.0f})")


def load(wrk: str, port: int, *, fresh: bool) -> tuple[float, float]:
    """Return requests per second, and the 99th percentile of latency in milliseconds."""
    command = [wrk, "--threads", "1", "--connections", str(CONNECTIONS)]
    command += ["--duration", f"{SECONDS}s", "--latency"]
    if fresh:
        command += ["--header", f"If-None-Match: {fetch(port, PATH)[1]['ETag']}"]
    output = subprocess.run(
        [*command, f"http://127.0.0.1:{port}{PATH}"],
        stdout=subprocess.PIPE,
        text=True,
        timeout=SECONDS + 30,
        check=True,
    ).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise ValueError(f"some requests failed:\n{output}")
    rate = float(re.findall(r"Requests/sec:\s+([\d.]+)", output)[0])
    number, unit = re.findall(r"99%\s+([\d.]+)(us|ms|s)", output)[0]
    return rate, float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


if __name__ == "__main__":
    main()
