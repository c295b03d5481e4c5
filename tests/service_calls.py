"""Fail a run in which no test calls some public function of a service.

A pytest plugin for `make test-postgresql`. That run leaves out tests that do not depend on the
database; this keeps it from leaving out a service.
"""

import functools
import importlib
import pkgutil
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import FunctionType, ModuleType
from typing import Any

import pytest

from registry import services

PREFIX = f"{services.__name__}."
IN_OTHER_PROCESSES = {  # that tests start
    f"{PREFIX}core.metrics.start": "by a server",
    f"{PREFIX}core.usage.start": "by a server",
    f"{PREFIX}operations.redaction.erase_traces": "by `manage.py redact`",
    f"{PREFIX}operations.rebuild.release_rebuilt": "by `manage.py reindex`",
    f"{PREFIX}operations.rebuild.rewrite_file": "by `manage.py redact`, on SQLite",
}
functions: set[str] = set()
called: set[str] = set()


class RecordingLoader(SourceFileLoader):
    """Loads a module whose public functions record that they were called."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        for name, value in [*vars(module).items()]:
            is_own = isinstance(value, FunctionType) and value.__module__ == module.__name__
            if is_own and not name.startswith("_"):
                setattr(module, name, recording(f"{module.__name__}.{name}", value))


class RecordingFinder(MetaPathFinder):
    """Finds the modules of services for the loader above."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(PREFIX):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec and isinstance(spec.loader, SourceFileLoader):
            spec.loader = RecordingLoader(spec.loader.name, spec.loader.path)
        return spec


sys.meta_path.insert(0, RecordingFinder())


def recording(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, wrapped to record that it was called."""
    functions.add(name)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        called.add(name)
        return function(*args, **kwargs)

    return wrapper


def uncalled() -> list[str]:
    """Return the public functions of all services that no test has called."""
    for module in pkgutil.walk_packages(services.__path__, PREFIX):
        importlib.import_module(module.name)
    return sorted(functions - called - IN_OTHER_PROCESSES.keys())


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:  # in a worker of xdist: the main process combines and reports
        output["called"] = sorted(called)
    elif uncalled() and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    called.update(node.workeroutput["called"])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if names := uncalled():
        terminalreporter.section("public functions of services that no test called", red=True)
        terminalreporter.write_line("\n".join(names))
