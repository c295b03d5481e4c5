"""Server processors, from the hardware templates that Quattor sites share.

Taken are EPYC, Altra Max, and Xeon since Skylake; of Xeon E5 v3 and v4 those that the table has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, require
from catalogue_tools.sources.reader import number, table_reader

FOLDER = "hardware/cpu"
FIELD = re.compile(r'^"(\w+)"\s*=\s*"?([^";]+?)"?\s*;', re.MULTILINE)
TAKEN = re.compile(r"amd/epyc|ampere/|intel/xeon_((bronze|silver|gold|platinum)_|\d{4}[ep]?$)")
E5 = re.compile(r"intel/xeon_e5_2\d+[a-z]*v[34]")
# The other products of these families: Opteron X, Xeon Phi, and those without AVX.
OTHERS = re.compile("Celeron|CPU 1405|X3[24]|Phi")
SECOND_FILES = {"intel/xeon_silver_4210R", "intel/xeon_silver_4214Y"}  # ...4210r has 10 cores
NUMBERS = {"cores": "cores", "max_threads": "threads", "speed": "mhz", "power": "tdp_w"}


@table_reader("quattor/server_cpus", "quattor/template-library-standard", FOLDER, key="id")
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    present = table.by("id")
    for path in clone.files(f"{FOLDER}/*/*.pan"):
        name = path.removeprefix(f"{FOLDER}/").removesuffix(".pan")
        if name in SECOND_FILES or not (TAKEN.match(name) or E5.fullmatch(name)):
            continue
        fields = dict(FIELD.findall(clone.text(path)))
        require("model" in fields and "type" in fields, path, "model and type")
        if OTHERS.search(fields["model"]):
            continue
        if E5.fullmatch(name) and name not in present:
            yield f"{name}: not in BuildCores OpenDB when the table was made"
        else:
            yield _row(name, fields)


def _row(name: str, fields: dict[str, str]) -> Row:
    row: Row = {"id": name, "model": fields["model"], "code": fields["type"].strip().lower()}
    for field, fact in NUMBERS.items():
        if field in fields:
            row[fact] = number(fields[field].partition(".")[0], f"{field} of {name}")
    return row
