"""A body in a request, or another description that an importer makes one of."""

from __future__ import annotations

from collections.abc import Mapping

from registry.api import bodies
from registry.domain.errors import Code, Fault, refuse_all
from registry.domain.importing import Imported, Importer
from registry.services import checking

DESCRIPTION = ("format", "source")  # of a target, in other words than a body's
MEMBERS = ("target", *DESCRIPTION)


def refuse_mixed(said: Mapping[str, str]) -> None:
    """Either a body or another description of one. Raises `Refused` (REQUEST_INVALID)."""
    expected = "either target, or format and source"
    needed = ("target",) if not set(DESCRIPTION) & set(said) else DESCRIPTION
    missing = [name for name in needed if name not in said]
    beside = [name for name in DESCRIPTION if name in said and "target" in said]
    refuse_all(
        [
            Fault(f"/{name}", Code.REQUEST_INVALID, f"{name} stands beside target", expected)
            for name in beside
        ]
        or [
            Fault(f"/{name}", Code.REQUEST_INVALID, f"the member {name} is missing", expected)
            for name in missing
        ]
    )


def importer(said: dict[str, str]) -> Importer | None:
    """Who reads the description; None for a body. Raises `Refused` (FORMAT_UNKNOWN)."""
    return checking.importer(bodies.text_of(said, "format")) if "format" in said else None


def read(found: Importer, said: dict[str, str]) -> Imported:
    """What an importer makes of the description. Raises `Refused`, pointers into the source."""
    return checking.read(found, bodies.source_of(said, "source"))


def body(said: dict[str, str]) -> str:
    """The body's text, to the letter where it was sent as one. Raises `Refused` as the others."""
    refuse_mixed(said)
    found = importer(said)
    return read(found, said).text if found else said["target"]
