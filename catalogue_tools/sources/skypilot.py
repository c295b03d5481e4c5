"""GPUs of Google Cloud's machine types, from SkyPilot's catalogue, which is a Python program.

Its table is read from the program's syntax; nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.reader import table_reader

PATH = "sky/catalog/gcp_catalog.py"
TABLE = "_ACC_INSTANCE_TYPE_DICTS"  # GPU: number: machine types


@table_reader("skypilot/gcp_accelerators", "skypilot-org/skypilot", PATH, key="type", sort=True)
def read(clone: Clone, _table: Table) -> Iterator[Row | str]:
    """Yield the GPUs of the machine types that the catalogue has."""
    known = read_table("cyclenerd/gcp_types").by("type")
    for gpu, counts in _gpus(clone.text(PATH)).items():
        for count, types in counts.items():
            for name in types:
                if name in known:
                    yield {"type": name, "gpu": gpu, "gpus": count}
                else:
                    yield f"{name}: cyclenerd/gcp_types lacks it"


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
