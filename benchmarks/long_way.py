"""Measures the time that Django takes for a resolve and for pages, against a bare view.

    python -m benchmarks.long_way           about two minutes

The requests run through the WSGI application in this process, without sockets and without the
server's memory of answers. The bare view has the same middleware, makes one query by primary key
and returns a constant. All take turns; the ratio of their times is what matters.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import constant
from benchmarks.environments import DATABASES, print_line, run_manage

TAG = "nvidia/jetson-nano"
BASE = "bare view"
# Pages apart, because what runs after a page finds cold processor caches.
API = {
    BASE: constant.PATH,
    "resolve": f"/api/v1/resolve/{TAG}",
    "resolve, format=target": f"/api/v1/resolve/{TAG}?format=target",
}
PAGES = {
    BASE: constant.PATH,
    "home page": "/",
    "page of a tag": f"/tags/{TAG}",
    "list of tags": "/tags/",
}
TURNS = 40
REQUESTS = 5  # per turn

Clock = Callable[[], float]  # seconds


def main() -> None:
    """Measure on both databases, each in a process of its own."""
    if sys.argv[1:]:
        measure(sys.argv[1])
        return
    for database, empty in DATABASES.items():
        with empty() as environment:
            run_manage(environment, "load_catalogue")
            run_manage(environment, "collectstatic", "--no-input", "--verbosity", "0")
            settings = {"DJANGO_SETTINGS_MODULE": "benchmarks.bare_settings"}
            command = [sys.executable, "-m", "benchmarks.long_way", database]
            subprocess.run(command, env=environment | settings, check=True)  # noqa: S603 - this module


def measure(database: str) -> None:
    """Print the time of each path, and its ratio to that of the bare view."""
    from registry.wsgi import application  # noqa: PLC0415 - needs the settings

    handler = logging.getLogger().handlers[0]
    assert isinstance(handler, logging.StreamHandler)  # noqa: S101 - one line per request
    handler.setStream(Path(os.devnull).open("w"))  # noqa: SIM115 - until the end
    for clock, title in ((time.process_time, "processor time"), (time.perf_counter, "elapsed")):
        print_line(f"{database}, {title} of a request: medians of {TURNS} turns")
        for paths in (API, PAGES):
            compare(application, paths, clock)


def compare(application: Any, paths: Mapping[str, str], clock: Clock) -> None:
    """Request the paths in turn, and print their times."""
    turns = [
        {name: seconds(application, path, clock) for name, path in paths.items()}
        for _ in range(TURNS + 1)
    ][1:]  # the first one compiles templates and opens connections
    for name in paths:
        ratios = sorted(times[name] / times[BASE] for times in turns)
        low, high = ratios[len(ratios) // 10], ratios[-len(ratios) // 10]
        print_line(
            f"  {name:24}{median(times[name] for times in turns) * 1000:7.3f} ms,"
            f" ratio {median(ratios):.2f} (80 % from {low:.2f} to {high:.2f})"
        )


def seconds(application: Any, path: str, clock: Clock) -> float:
    """Return the time of a request, as the mean of some."""
    from registry.server.wsgi_calls import call  # noqa: PLC0415 - needs the settings

    start = clock()
    for _ in range(REQUESTS):
        response = call(application, environ(path))
        if response.status != 200:
            raise ValueError(f"{path} returns {response.status}")
    return (clock() - start) / REQUESTS


def environ(path: str) -> dict[str, Any]:
    """Return the WSGI environment of a GET, as the server makes it."""
    path, _, query = path.partition("?")
    return {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_PROTOCOL": "HTTP/1.1",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "127.0.0.1:8000",
        "HTTP_ACCEPT": "*/*",
        "HTTP_USER_AGENT": "curl/8.5.0",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }


if __name__ == "__main__":
    main()
