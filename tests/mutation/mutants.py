"""Mutants: small changes of the code, each of which some test must notice."""

# Decision 123: mutants measure what tests notice.

import ast
import json
import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("registry", "ttag")  # that have mutants
REACHED = "REACHED"  # names the environment variable with the file of `reaching`
LIST = Path(__file__).with_name("mutants.jsonl")
ROOMS = (
    "registry/domain",
    "registry/services",
    "registry/http",
    "client/ttag",
    "client/ttag_rules",
)


@dataclass(frozen=True)
class Mutant:
    """A change of some lines of a function or class, as they were when the mutant was drawn."""

    file: str
    line: int
    scope: str  # "Class.method", or nothing at the top level of a module
    operator: str
    before: str
    after: str


def read_mutants() -> list[Mutant]:
    """Return the mutants of the list, in their random order."""
    return [Mutant(**json.loads(line)) for line in LIST.read_text().splitlines()[1:]]


def scope_of(source: str, line: int) -> str:
    """Return the qualified name of the function or class in which a line stands."""
    scopes = [scope for scope in _scopes(source).items() if scope[1][0] <= line <= scope[1][1]]
    return max(scopes, key=lambda scope: scope[1][0])[0] if scopes else ""


def apply(mutant: Mutant, root: Path) -> tuple[Path, str] | None:
    """Return a file of a checkout and its mutated text, or nothing if the code is gone.

    The code may have moved, inside its file or to another one that has the scope and the lines.
    """
    path = root / mutant.file
    if path.exists() and (text := _apply(mutant, path.read_text())):
        return path, text
    others = (other for room in ROOMS for other in sorted((root / room).rglob("*.py")))
    texts = [(other, _apply(mutant, other.read_text())) for other in others if mutant.scope]
    moved = [(other, text) for other, text in texts if text]
    return moved[0] if len(moved) == 1 else None


def _apply(mutant: Mutant, source: str) -> str | None:
    start, end = _scopes(source).get(mutant.scope, (1, 0))
    lines = source.splitlines()
    if not mutant.scope:
        end = len(lines)
    before = _stripped(mutant.before)
    size = len(before)
    matches = [
        first
        for first in range(start - 1, end - size + 1)
        if _stripped("\n".join(lines[first : first + size])) == before
    ]
    if not matches:
        return None
    first = min(matches, key=lambda match: abs(match + 1 - mutant.line))
    indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
    after = [indent + line.rstrip() for line in textwrap.dedent(mutant.after).splitlines()]
    return "\n".join([*lines[:first], *after, *lines[first + size :], ""])


def _stripped(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


@cache  # files are read once for each mutant that has moved
def _scopes(source: str) -> dict[str, tuple[int, int]]:
    """Return the first and last line of each function and class, by qualified name."""
    scopes: dict[str, tuple[int, int]] = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}{child.name}"
                decorated = [decorator.lineno for decorator in child.decorator_list]
                first = min([child.lineno, *decorated])
                scopes[name] = (first, child.end_lineno or first)
                visit(child, f"{name}.")
            else:
                visit(child, prefix)

    visit(ast.parse(source), "")
    return scopes
