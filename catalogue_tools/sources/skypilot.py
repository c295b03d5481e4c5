"""GPUs of Google Cloud's machine types, from SkyPilot's catalogue, which is a Python program.

Its table is read from the program's syntax; nothing is run.
"""

from __future__ import annotations

import ast

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.reader import Reader, Reading, sorted_rows

PATH = "sky/catalog/gcp_catalog.py"
TABLE = "_ACC_INSTANCE_TYPE_DICTS"  # GPU: number: machine types


def read(clone: Clone, _table: Table) -> Reading:
    """Return the GPUs of the machine types that the catalogue has."""
    known = {row["type"] for row in read_table("cyclenerd/gcp_types").rows}
    rows: list[Row] = []
    others = []
    for gpu, counts in _gpus(clone.text(PATH)).items():
        for count, types in counts.items():
            for name in types:
                if name in known:
                    rows.append({"type": name, "gpu": gpu, "gpus": count})
                else:
                    others.append(f"{name}: cyclenerd/gcp_types lacks it")
    return Reading(sorted_rows(rows, "type"), tuple(sorted(others)))


def _gpus(program: str) -> dict[str, dict[int, list[str]]]:
    """Return machine types by GPU and number. Raises `SourceError` if the program has no table."""
    try:
        for statement in ast.parse(program).body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == TABLE:
                    gpus: dict[str, dict[int, list[str]]] = ast.literal_eval(value)
                    return gpus
    except (SyntaxError, ValueError) as error:
        raise SourceError(f"{PATH} cannot be read: {error}.") from error
    raise SourceError(f"{PATH} has no {TABLE}: has the file another form?")


READERS = (Reader("skypilot/gcp_accelerators", "skypilot-org/skypilot", (PATH,), ("type",), read),)
