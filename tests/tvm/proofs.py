"""Records how far each compiler gets with every target of the catalogue, and with its leaves.

    make proofs

writes `registry/catalogue/proofs.json`: a row for all targets of which a compiler reads the same.
With the same compilers and processor, recorded rows are kept; the others are computed anew.
"""

import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from catalogue_tools.facts import table_text
from registry.domain.document import Json
from registry.domain.proofs import Compiler, Reach, Reading, readings
from registry.services.core import shipped_facts
from registry.services.core.shipped_facts import CATALOGUE
from tests.compilers import tools
from tests.domain.builders import KINDS
from tests.domain.shipped import library
from tests.tvm.building_proofs import Builders
from tests.tvm.compiler import compiler
from tests.tvm.environment import VARIABLE

FILE = CATALOGUE / "proofs.json"
WORKER = Path(__file__).with_name("reaching.py")
FIELDS = {
    "compiler": "tvm, iree or clang",
    "reads": "what it reads of a target: its flags, or for TVM the values that it builds by",
    "reach": "run: code computed the right result on the processor in `versions`; artefact: "
    "machine code was read back; source: source text or assembly; refused: no code",
    "reason": "why it refuses",
}


def versions() -> dict[str, str]:
    """Return the versions of the compilers, and the processor of this machine."""
    return {
        "tvm": tvm_version(),
        "clang": str(tools.clang_version()),
        "iree": metadata.version("iree-base-compiler"),
        "processor": processor(),
    }


def tvm_version() -> str:
    """Return the version of TVM in its environment."""
    code = "from importlib import metadata; print(metadata.version('apache-tvm'))"
    return tools.run(os.environ[VARIABLE], "-c", code).strip()


def processor() -> str:
    """Return the model of this machine's processor."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def catalogue_readings(tags: list[str]) -> dict[Reading, None]:
    """Return what compilers read of all versions of these tags and their leaves, once each."""
    cpus = shipped_facts.cpus()
    return {
        reading: None
        for tag in tags
        for version in library().versions[tag]
        for reading in readings(version.resolution.target, KINDS, cpus)
    }


def recorded_versions() -> dict[str, str]:
    """Return the versions of the compilers that wrote the file, and the processor that ran code."""
    versions: dict[str, str] = json.loads(FILE.read_text())["header"]["versions"]
    return versions


def recorded_rows(current: dict[str, str]) -> dict[Reading, dict[str, Json]]:
    """Return the rows of the file, if the same compilers wrote them."""
    if not FILE.exists() or recorded_versions() != current:
        return {}
    rows = json.loads(FILE.read_text())["rows"]
    return {(Compiler(row["compiler"]), shipped_facts.reading_of(row)): row for row in rows}


def rows(builders: Builders, recorded: dict[Reading, dict[str, Json]]) -> Iterator[dict[str, Any]]:
    """Yield the row of each reading, in their order."""
    for compiler_name, read in sorted(catalogue_readings(sorted(library().versions))):
        row = recorded.get((compiler_name, read))
        if row is None:
            proof = builders.proof(compiler_name, read)
            reads = json.loads(read) if compiler_name is Compiler.TVM else read.decode()
            row = {"compiler": compiler_name, "reads": reads, "reach": proof.reach}
            row |= {"reason": proof.reason} if proof.reach is Reach.REFUSED else {}
            sys.stderr.write(f"{json.dumps(row)}\n")
        yield row


def main() -> None:
    """Write the file."""
    current = versions()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with compiler(os.environ[VARIABLE], folder / "log", WORKER) as tvm:
            header = {
                "title": "How far compilers get with the targets of the catalogue and their leaves",
                "versions": current,
                "fields": FIELDS,
            }
            written = list(rows(Builders(tvm, folder), recorded_rows(current)))
            FILE.write_text(table_text(header, written))


if __name__ == "__main__":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    django.setup()
    main()
