"""Draws mutants with the operators of cosmic-ray, and prints a line of JSON for each.

    uv run --no-project --with cosmic-ray==8.7.0 python -m tests.mutation.draw

Every place that an operator can change has the same chance, then every change of that place. Left
out are places in annotations, which change nothing, and changes that do not compile. The order is
random too, so the first mutants are a fair sample of all. `mutants.jsonl` was drawn once, at the
commit in its first line, and stays; so cosmic-ray is no requirement of the tests.
"""

import ast
import json
import random
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cosmic_ray import plugins  # type: ignore[import-not-found]
from cosmic_ray.ast import ast_nodes, get_ast  # type: ignore[import-not-found]
from cosmic_ray.mutating import mutate_code  # type: ignore[import-not-found]

from tests.mutation.mutants import ROOMS, ROOT, Mutant, scope_of

SEED, NUMBER = 20261124, 600
# Not drawn: these need arguments, or change nothing.
OTHERS = {"VariableInserter", "VariableReplacer", "NoOp"}
Position = tuple[int, int]  # line and column
Span = tuple[Position, Position]
Place = tuple[Path, tuple[str, ...], Span]  # a file, alternative operators, and what they replace


def families() -> list[tuple[str, ...]]:
    """Return the names of operators; those that change the same places are in one tuple."""
    by_original = defaultdict(list)
    for name in plugins.operator_names():
        operator = name.partition("/")[2]
        if operator not in OTHERS:
            # ReplaceBinaryOperator_Add_Sub and ReplaceBinaryOperator_Add_Mul differ in the result.
            replaced = re.match(r"Replace(Binary|Comparison)Operator_[^_]+_", operator)
            by_original[replaced.group() if replaced else operator].append(name)
    return [tuple(names) for names in by_original.values()]


def places(path: Path, operators: list[tuple[str, ...]]) -> Iterator[Place]:
    """Yield the places of a file that an operator can change, outside annotations."""
    source = path.read_text()
    annotations = [*_annotations(ast.parse(source))]
    nodes = [*ast_nodes(get_ast(source))]
    for names in operators:
        for span in dict.fromkeys(_spans(names[0], nodes)):
            if not any(first <= span[0] and span[1] <= last for first, last in annotations):
                yield path, names, span


def _spans(name: str, nodes: Iterable[Any]) -> list[Span]:
    """Return what an operator could replace, in the order in which cosmic-ray counts."""
    operator = plugins.get_operator(name)()
    return [span for node in nodes for span in operator.mutation_positions(node)]


def _annotations(tree: ast.AST) -> Iterator[Span]:
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            child = getattr(node, name, None)
            if isinstance(child, ast.expr):
                assert child.end_lineno is not None
                assert child.end_col_offset is not None
                yield (child.lineno, child.col_offset), (child.end_lineno, child.end_col_offset)


def mutate(place: Place, choice: random.Random) -> Mutant | None:
    """Return a mutant of a place, or nothing if there is none that compiles."""
    path, names, span = place
    name, source = choice.choice(names), path.read_text()
    spans = _spans(name, ast_nodes(get_ast(source)))
    numbers = [number for number, other in enumerate(spans) if other == span]
    if not numbers:
        return None
    try:
        mutated = mutate_code(source, plugins.get_operator(name)(), choice.choice(numbers))
        compile(mutated, str(path), "exec")
    except (AttributeError, SyntaxError):  # the first: cosmic-ray cannot replace `errors.Refused`
        return None
    old, new = source.splitlines(), mutated.splitlines()
    start = next(
        line for line, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]
    )
    end = next(
        line
        for line, pair in enumerate(zip(old[::-1], new[::-1], strict=False))
        if pair[0] != pair[1]
    )
    return Mutant(
        file=str(path.relative_to(ROOT)),
        line=start + 1,
        scope=scope_of(source, start + 1),
        operator=name.partition("/")[2],
        before="\n".join(old[start : len(old) - end]),
        after="\n".join(new[start : len(new) - end]),
    )


def main() -> None:
    operators = families()
    files = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    candidates = [place for path in files for place in places(path, operators)]
    choice = random.Random(SEED)  # noqa: S311 - no secret
    choice.shuffle(candidates)
    head = ["git", "rev-parse", "HEAD"]
    commit = subprocess.run(head, cwd=ROOT, capture_output=True, text=True, check=True)
    about = {"commit": commit.stdout.strip(), "seed": SEED, "places": len(candidates)}
    print(json.dumps(about))
    mutants = (mutant for place in candidates if (mutant := mutate(place, choice)))
    for mutant, _ in zip(mutants, range(NUMBER), strict=False):
        print(json.dumps(vars(mutant)))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
