"""nginx with a static file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks.environments import fetch, find_programs, free_port, server
from benchmarks.wrk import Endpoint

SET_BY_NGINX = frozenset({"server", "date", "content-length", "content-type", "etag", "connection"})
CONFIGURATION = """
daemon off; worker_processes 2; pid {folder}/pid; error_log {folder}/errors;
events {{ worker_connections 512; }}
http {{
    access_log off; sendfile on; tcp_nopush on; keepalive_requests 10000000;
    client_body_temp_path {folder}/a; proxy_temp_path {folder}/b;
    fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
    types {{ }} default_type application/json;
    server {{
        listen 127.0.0.1:{port};
        location = {path} {{ alias {folder}/response; {headers} }}
    }}
}}
"""


@contextmanager
def static_server(path: str, headers: Mapping[str, str], body: bytes) -> Iterator[Endpoint]:
    """Run nginx with a response as a file, and yield its endpoint."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="registry-benchmark-nginx-") as folder:
        Path(folder).chmod(0o755)  # nginx drops privileges when started by root
        (Path(folder) / "response").write_bytes(body)
        lines = " ".join(
            f'add_header {name} "{value}";'
            for name, value in headers.items()
            if name.lower() not in SET_BY_NGINX
        )
        configuration = CONFIGURATION.format(folder=folder, port=port, path=path, headers=lines)
        (Path(folder) / "nginx.conf").write_text(configuration, encoding="utf-8")
        program = find_programs(nginx="nginx")["nginx"]
        command = [program, "-p", folder, "-c", f"{folder}/nginx.conf", "-e", f"{folder}/errors"]
        with server(command, port, path):
            if fetch(port, path)[2] != body:
                raise ValueError("nginx does not serve the registry's bytes")
            yield Endpoint(port, path)
