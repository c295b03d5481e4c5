"""Finds the functions of the services that call a function."""

import ast
from pathlib import Path

from registry import services

SERVICES = Path(services.__path__[0])


def functions_calling(called: str) -> set[str]:
    """Return every function of the services that calls another: `versions.yanking.yank`."""
    names = set()
    for path in SERVICES.rglob("*.py"):
        module = ".".join(path.relative_to(SERVICES).with_suffix("").parts)
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef) and any(
                isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == called
                for node in ast.walk(function)
            ):
                names.add(f"{module}.{function.name}")
    return names
