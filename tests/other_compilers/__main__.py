"""Lists what other releases of TVM, IREE and clang change for the catalogue; changes nothing.

    make compilers TVM=0.26.0 IREE=3.12.0 LLVM=19

TVM and IREE are installed from PyPI, clang-<LLVM> must be. What is not named stays as it is.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import django

from registry.domain.keys.tuning import leaves
from registry.domain.lints.facts import processor_option
from registry.domain.proofs import Compiler, Proof, Reading, readings
from registry.services.core import shipped_facts
from tests.compilers import tools
from tests.domain.builders import KINDS
from tests.domain.shipped import library
from tests.other_compilers.differences import (
    Uses,
    changed_entries,
    changed_keys,
    changed_names,
    changed_proofs,
)
from tests.other_compilers.environments import IREE, TVM, installed, iree_compile
from tests.tvm.building_proofs import Builders
from tests.tvm.compiler import Compiler as TvmProcess, TvmError, compiler
from tests.tvm.environment import VARIABLE, interpreter
from tests.tvm.proofs import WORKER


def main() -> None:
    """Compare, and print what differs."""
    options = read_options(sys.argv[1:])
    uses = newest_uses(options.tags)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        other_tvm = interpreter(installed(TVM, options.tvm)) if options.tvm else None
        iree = iree_compile(installed(IREE, options.iree)) if options.iree else ""
        clang = tools.tool(f"clang-{options.llvm}") if options.llvm else ""
        compared = {
            Compiler.TVM: bool(other_tvm),
            Compiler.IREE: bool(iree),
            Compiler.CLANG: bool(clang),
        }
        python = str(other_tvm or os.environ[VARIABLE])
        with compiler(python, folder / "other", WORKER) as other:
            if other_tvm:
                other.call("admit_this_release")
                with compiler(os.environ[VARIABLE], folder / "log", WORKER) as tvm:
                    print_tvm(tvm, other, uses)
            if clang:
                print_names(clang, options.tags)
            (folder / "files").mkdir()
            builders = Builders(other, folder / "files", iree, clang)
            chosen = [reading for reading in sorted(uses.by_reading) if compared[reading[0]]]
            print_section("What builds", changed_proofs(built(builders, chosen), uses))


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Return the releases to compare with, and the tags to look at. Exits if there are none."""
    parser = argparse.ArgumentParser(prog="make compilers", description=__doc__)
    parser.add_argument("--tvm", default="", help="a release on PyPI, such as 0.26.0")
    parser.add_argument("--iree", default="", help="a release on PyPI, such as 3.12.0")
    parser.add_argument("--llvm", default="", help="the number of an installed clang, such as 19")
    parser.add_argument("--tags", default="*", help="a pattern of tags, such as 'nvidia/*'")
    options = parser.parse_args(arguments)
    if not (options.tvm or options.iree or options.llvm):
        parser.error("name a release: TVM=0.26.0, IREE=3.12.0 or LLVM=19")
    return options


def newest_targets(pattern: str) -> Iterator[tuple[str, Any]]:
    """Yield the tags that match a pattern, with the targets of their newest versions."""
    for tag, versions in library().versions.items():
        if fnmatchcase(tag, pattern):
            yield tag, versions[-1].resolution.target


def newest_uses(pattern: str) -> Uses:
    """Return which tags a compiler reads alike, of the newest versions."""
    tags: dict[Reading, set[str]] = defaultdict(set)
    for tag, target in newest_targets(pattern):
        for reading in readings(target, KINDS, shipped_facts.cpus()):
            tags[reading].add(tag)
    return Uses({reading: frozenset(names) for reading, names in tags.items()})


def print_tvm(tvm: TvmProcess, other: TvmProcess, uses: Uses) -> None:
    """Print what another TVM changes in its tags, its pass settings, and what keys depend on."""
    both = [{name: export(each, name) for name in each.call("names")} for each in (tvm, other)]
    print_section("TVM's own tags", changed_entries(*both))
    settings = [each.call("pass_settings") for each in (tvm, other)]
    print_section("Pass settings", changed_entries(*settings))
    exports: dict[Reading, tuple[dict[str, Any], dict[str, Any]]] = {}
    for name, read in uses.by_reading:
        target = json.loads(read) if name is Compiler.TVM else {"kind": ""}
        if target["kind"] in KINDS.targets and not target.keys() & {"devices", "host"}:
            exports[name, read] = export(tvm, target), export(other, target)
    print_section("What TVM fills in", changed_keys(exports, KINDS, uses))


def export(tvm: TvmProcess, target: Any) -> dict[str, Any]:
    """Return a target as TVM exports it, or the error with which it refuses it."""
    try:
        return dict(tvm.export(target))
    except TvmError as error:
        return {"error": str(error).splitlines()[0]}


def print_names(clang: str, pattern: str) -> None:
    """Print which processors another LLVM adds or lacks, and how many tags state the latter."""
    tags = processors(pattern)
    lines: list[str] = []
    for architecture, triple in tools.LLVM_TRIPLES.items():
        before, _ = tools.llvm_names(tools.clang(), triple)
        after, _ = tools.llvm_names(clang, triple)
        stated = {name: tags[architecture, name] for name in before}
        lines += [f"{architecture} {line}" for line in changed_names(before, after, stated)]
    print_section("Processors of LLVM", lines)


def processors(pattern: str) -> Counter[tuple[str, str]]:
    """Return how many tags state a processor, by its architecture and name."""
    facts = shipped_facts.lint_facts()
    return Counter(
        pair
        for tag, target in newest_targets(pattern)
        for pair in {
            (facts.architecture(leaf), leaf.value.get(processor_option(leaf), ""))
            for leaf in leaves(target)
        }
    )


def built(builders: Builders, chosen: Iterable[Reading]) -> Iterator[tuple[Reading, Proof, Proof]]:
    """Yield the recorded proof of each reading, and that of the other compiler."""
    recorded = shipped_facts.compiler_facts().proofs
    for name, read in chosen:
        if proof := recorded[name].get(read):
            yield (name, read), proof, builders.proof(name, read)


def print_section(title: str, lines: Iterable[str]) -> None:
    """Print a title and its lines, or that nothing differs."""
    print(f"\n{title}", flush=True)
    has_lines = False
    for line in lines:
        has_lines = True
        print(f"  {line}", flush=True)
    if not has_lines:
        print("  as before", flush=True)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    django.setup()
    main()
