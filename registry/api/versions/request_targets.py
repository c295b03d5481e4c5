"""The target of a request: a body, or a description that an importer converts."""

from __future__ import annotations

from registry.api.core.request_bodies import Members
from registry.domain.errors import Code, Fault, refuse_all
from registry.domain.importing import Imported, Importer
from registry.services.versions import checking

DESCRIPTION = ("format", "source")  # the members of a description for an importer


def refuse_mixed(members: Members) -> None:
    """Raise `Refused` (REQUEST_INVALID) for both a body and a description, or neither."""
    expected = "either target, or format and source"
    present = [name for name in DESCRIPTION if name in members]
    missing = [name for name in (DESCRIPTION if present else ("target",)) if name not in members]
    conflicting = present if "target" in members else []
    refuse_all(
        [
            Fault(f"/{name}", Code.REQUEST_INVALID, f"{name} cannot be used with target", expected)
            for name in conflicting
        ]
        or [
            Fault(f"/{name}", Code.REQUEST_INVALID, f"the member {name} is missing", expected)
            for name in missing
        ]
    )


def importer(members: Members) -> Importer | None:
    """Return the importer of a description, None for a body. Raises `Refused` (FORMAT_UNKNOWN)."""
    return checking.find_importer(members["format"]) if "format" in members else None


def read(importer: Importer, members: Members) -> Imported:
    """Return the imported description. Raises `Refused` with pointers into the source."""
    return checking.import_source(importer, members["source"])


def body(members: Members) -> str:
    """Return the text of the body exactly as sent, or as imported. Raises `Refused`."""
    refuse_mixed(members)
    chosen_importer = importer(members)
    return read(chosen_importer, members).text if chosen_importer else str(members["target"])
