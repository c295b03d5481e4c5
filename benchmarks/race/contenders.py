"""The contenders of the race: servers on loopback, and TVM in process."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from benchmarks import bare_servers, constant
from benchmarks.environments import (
    DATABASES,
    WITHOUT_MEMORY,
    Environment,
    fetch,
    free_port,
    print_line,
    run_manage,
    server,
    shipped_server,
)
from benchmarks.race import tvm_lookups
from benchmarks.race.docker_registry import image_server
from benchmarks.race.nginx import static_server
from benchmarks.wrk import Endpoint, load

TAG = "nvidia/jetson-nano"  # TVM has a tag of this name, too
PATH = f"/api/v1/resolve/{TAG}"

NGINX = "nginx, static file"
NGINX_304 = "nginx, 304"
BARE_WSGI = "bare reply, granian's WSGI interface"
BARE_HOOK = "bare reply, server of the registry"
DOCKER = "docker-registry, manifest by tag"
TVM = "TVM in process, `Target(tag)`"

Measure = Callable[[int], float]  # requests per second, measured for some seconds
Contenders = dict[str, Measure]


def memory(database: str) -> str:
    """Return the name of the registry as shipped."""
    return f"registry, from memory, {database}"


def memory_304(database: str) -> str:
    """Return the name of the registry as shipped, asked for what the client has."""
    return f"registry, from memory, 304, {database}"


def long_way(database: str) -> str:
    """Return the name of the registry without its memory."""
    return f"registry, long way, {database}"


def bare_view_of(database: str) -> str:
    """Return the name of the bare view behind the registry's middleware."""
    return f"bare Django view, {database}"


@contextmanager
def contenders() -> Iterator[Contenders]:
    """Start all servers, and yield how each contender is measured, in the order of the table."""
    with ExitStack() as stack:
        environments = {name: stack.enter_context(empty()) for name, empty in DATABASES.items()}
        for environment in environments.values():
            run_manage(environment, "load_catalogue")
            run_manage(environment, "collectstatic", "--no-input", "--verbosity", "0")
        registries = {
            name: stack.enter_context(registry(environment))
            for name, environment in environments.items()
        }
        _, message, body = fetch(registries["SQLite"].port, PATH)
        headers = dict(message.items())
        recorded = stack.enter_context(tempfile.TemporaryDirectory(prefix="registry-benchmark-"))
        constant.record(Path(recorded) / "response", headers, body)
        bare = {
            **environments["SQLite"],
            constant.VARIABLE: f"{recorded}/response",
            "DJANGO_SETTINGS_MODULE": "registry.settings",
        }

        nginx = stack.enter_context(static_server(PATH, headers, body))
        measures = {
            NGINX: measure(nginx),
            BARE_WSGI: measure(stack.enter_context(bare_server(bare_servers.wsgi, bare))),
            BARE_HOOK: measure(stack.enter_context(bare_server(bare_servers.shortcut, bare))),
        }
        for name, environment in environments.items():
            slow = stack.enter_context(registry({**environment, **WITHOUT_MEMORY}))
            view = stack.enter_context(view_server({**bare, **environment}))
            measures |= {
                memory(name): measure(registries[name]),
                long_way(name): measure(slow),
                bare_view_of(name): measure(view),
            }
        measures[DOCKER] = measure(stack.enter_context(image_server(len(body))))
        measures |= {
            NGINX_304: measure(conditional(nginx)),
            **{memory_304(name): measure(conditional(it)) for name, it in registries.items()},
        }
        if python := tvm_lookups.interpreter():
            measures[TVM] = partial(tvm_lookups.rate, python, TAG)
        else:
            print_line("TVM is not measured: `make verify-tvm` installs it, or set TVM_VENV.")
        yield measures


def measure(endpoint: Endpoint) -> Measure:
    """Return the measurement of an endpoint."""
    return partial(load, endpoint)


def conditional(endpoint: Endpoint) -> Endpoint:
    """Return the endpoint, asked by clients that have its response."""
    etag = fetch(endpoint.port, endpoint.path)[1]["ETag"]
    return Endpoint(endpoint.port, endpoint.path, {**endpoint.headers, "If-None-Match": etag})


@contextmanager
def registry(environment: Environment, path: str = PATH) -> Iterator[Endpoint]:
    """Run the registry as `make serve` does, and yield the endpoint of a path."""
    with shipped_server(environment, path) as port:
        yield Endpoint(port, path)


@contextmanager
def view_server(environment: Environment) -> Iterator[Endpoint]:
    """Run the registry with the bare view, and yield the endpoint of that view."""
    settings = {"DJANGO_SETTINGS_MODULE": "benchmarks.bare_settings"}
    with registry({**environment, **settings}, constant.PATH) as endpoint:
        yield endpoint


@contextmanager
def bare_server(
    command: Callable[[int], list[str]], environment: Environment
) -> Iterator[Endpoint]:
    """Run an application of `benchmarks.bare_responses` and yield its endpoint."""
    port = free_port()
    with server(command(port), port, "/", environment):
        yield Endpoint(port, "/")
