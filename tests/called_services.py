"""Fail a complete run on PostgreSQL that leaves a public function of a service uncalled.

A pytest plugin: `-p tests.called_services`, as `make test-postgresql` gives it. The run leaves out
tests that do not depend on the database; this keeps it from leaving out a service.
"""

import functools
import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import pytest

from registry import services

PREFIX = f"{services.__name__}."
called: set[str] = set()


def modules() -> Iterator[ModuleType]:
    """Import every module of the services."""
    for found in pkgutil.walk_packages(services.__path__, PREFIX):
        yield importlib.import_module(found.name)


def public_functions() -> dict[str, Callable[..., Any]]:
    """Return the functions that other modules may call, by their dotted names."""
    return {
        f"{module.__name__}.{name}".removeprefix(PREFIX): value
        for module in modules()
        for name, value in vars(module).items()
        if isinstance(value, FunctionType)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    }


def record(functions: dict[str, Callable[..., Any]]) -> None:
    """Put in place of each function, wherever a module names it, one that notes that it ran."""
    wrappers = {function: noting(name, function) for name, function in functions.items()}
    for module in [*sys.modules.values()]:
        if module.__name__.partition(".")[0] in {"registry", "tests"}:
            for name, value in [*vars(module).items()]:
                if isinstance(value, FunctionType) and value in wrappers:
                    setattr(module, name, wrappers[value])


def noting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        called.add(name)
        return function(*args, **kwargs)

    return wrapper


def pytest_collection_finish() -> None:
    record(public_functions())


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand what a worker of xdist noted to the process that reports."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["called"] = sorted(called)
    elif uncalled() and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_testnodedown(node: Any) -> None:
    called.update(node.workeroutput["called"])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if names := uncalled():
        terminalreporter.section("public functions of services that no test called", red=True)
        terminalreporter.write_line("\n".join(names))


def uncalled() -> list[str]:
    return sorted(public_functions().keys() - called)
