"""The files of the registry's domain that the client has too: neither package imports the other.

    python -m tests.client.compatibility.copies

writes the client's from the registry's.
"""

from pathlib import Path

from tests.databases import ROOT

RELATION = ROOT / "registry/domain/compatibility"
EXPORTS = ROOT / "registry/domain/notations/exports.py"
TRIPLES = sorted((ROOT / "registry/domain/toolchains").glob("triple*.py"))
CLIENT = ROOT / "client/ttag/compatibility"
# Of the notations all but how the registry exports them.
NOTATIONS = sorted({*(ROOT / "registry/domain/notations").glob("*.py")} - {EXPORTS})
CLIENT_NOTATIONS = ROOT / "client/ttag/notations"
NAMES = {  # of the registry's modules, and of the client's
    "registry.domain.compatibility": "ttag.compatibility",
    "registry.domain.notations": "ttag.notations",
    "registry.domain.document import Json": "typing import Any as Json",
    "registry.domain.pointer": "ttag.texts.nodes",
    "registry.domain.probe": "ttag.probe",
    "registry.domain.toolchains.grammars": "ttag.texts.tables",
    "registry.domain.toolchains": "ttag.compatibility",
    "registry.domain.resolution.composition": "ttag.texts.nodes",
}


def copies() -> dict[Path, str]:
    """Return the text of each of the client's files."""
    files = [*RELATION.rglob("*.py"), *RELATION.glob("*.json")]
    paths = {path: CLIENT / path.relative_to(RELATION) for path in files}
    paths |= {path: CLIENT / path.name for path in TRIPLES}
    paths |= {path: CLIENT_NOTATIONS / path.name for path in NOTATIONS}
    return {copy: _renamed(path.read_text()) for path, copy in paths.items()}


def _renamed(text: str) -> str:
    for name, other in NAMES.items():
        text = text.replace(name, other)
    return text


if __name__ == "__main__":
    for path, text in copies().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
