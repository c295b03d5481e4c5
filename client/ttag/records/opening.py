"""Opening the database of a leaf with TVM."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ttag.errors import FileError, ReferenceInvalid
from ttag.project import Project
from ttag.records.database import RECORDS, Database, database_for
from ttag.records.leaves import Leaf, leaves_of
from ttag.records.matching import Match, match_records
from ttag.tvm.loading import load

DATABASE = "tvm.s_tir.meta_schedule.database"


def open_database(
    reference: str,
    *,
    root: Path | str = "records",
    project: Project | None = None,
    module_equality: str = "ignore-tensor",
) -> Any:
    """Return TVM's `JSONDatabase` with the records for a leaf, which is new if there are none.

    A reference can name a leaf, such as `acme/vision@1#/host`. `root` holds a folder for each key.
    `module_equality` is TVM's; with its default here, linked parameters make no difference.
    Raises `FileError` if a record in the folder belongs to another key, and `TtagError`.
    """
    project = project or Project.open()
    name, _, pointer = reference.partition("#")
    leaf = _leaf(leaves_of(name, project), name, pointer)
    folder = database_for(leaf.key, root)
    if (folder / RECORDS).exists():
        _verify(match_records(Database.read(folder), [leaf], name, project), folder)
    database = load(DATABASE).JSONDatabase
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder} cannot be created: {error.strerror}.") from error
    return database(work_dir=str(folder), module_equality=module_equality)


def _leaf(leaves: Iterable[Leaf], reference: str, pointer: str) -> Leaf:
    by_pointer = {leaf.pointer: leaf for leaf in leaves}
    if pointer not in by_pointer:
        names = ", ".join(leaf.name for leaf in by_pointer.values()) or "none"
        raise ReferenceInvalid(
            f"{reference}{pointer and '#'}{pointer} is not a leaf with a tuning key; those of "
            f"{reference}: {names}."
        )
    return by_pointer[pointer]


def _verify(matches: Iterable[Match], folder: Path) -> None:
    for match in matches:
        if not match.leaves:
            options = ", ".join(each.option for each in match.differences)
            why = f"it differs in {options}" if options else match.reason
            raise FileError(
                f"{folder / RECORDS}:{match.records[0].line} is for another target than the "
                f"folder: {why}."
            )
