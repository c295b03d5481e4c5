"""Options of a question about compatibility: members of a request, or parameters of a query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.names.near_names import nearest_names
from registry.http.request_members import Member, Schema, UnexpectedValue
from ttag_rules.compatibility.options import Compiler, FileForm, Options
from ttag_rules.compatibility.versions import VERSION
from ttag_rules.pointer import child

FORMS = [*map(str, FileForm)]
COMPILERS = [*map(str, Compiler)]
SHIPS, TOOLKIT, DRIVER, STRICT, COMPILER = "ships", "toolkit", "driver", "strict", "compiler"
NAMES = (SHIPS, TOOLKIT, DRIVER, STRICT, COMPILER)
SEPARATOR = ","
EXPECTED = {
    SHIPS: f"a list of some of {', '.join(FORMS)}",
    TOOLKIT: "the version of CUDA that compiled the code, such as 12.8",
    DRIVER: "the version of NVIDIA's driver on the machine, such as 570.26",
    STRICT: "true or false: whether the code uses guarded instructions without a check",
    COMPILER: f"one of {', '.join(COMPILERS)}: it counts where the code states no processor",
}
SCHEMAS: Mapping[str, Schema] = {
    SHIPS: {"type": "array", "items": {"type": "string", "enum": FORMS}},
    TOOLKIT: {"type": "string", "pattern": f"^{VERSION.pattern}$"},
    DRIVER: {"type": "string", "pattern": f"^{VERSION.pattern}$"},
    STRICT: {"type": "boolean"},
    COMPILER: {"type": "string", "enum": COMPILERS},
}
SCHEMA: Schema = {
    "type": "object",
    "properties": {
        name: {**SCHEMAS[name], "description": expected} for name, expected in EXPECTED.items()
    },
    "additionalProperties": False,
}


def options_member() -> Member:
    """Return the member of a request that holds options."""
    expected = f"an object with {', '.join(NAMES)}"
    return Member(SCHEMA, _read_object, expected, required=False, default=Options())


def read_query(parameters: Mapping[str, str]) -> Options:
    """Return the options of a query string. Raises `Refused` (REQUEST_INVALID)."""
    values = _query_values(parameters)
    _refuse([replace(fault, pointer="") for fault in _faults(values)])
    return _options(values)


def query_errors(parameters: Mapping[str, str]) -> dict[str, str]:
    """Return what was expected of each invalid option of a query string, for a form."""
    values = _query_values(parameters)
    return {name: EXPECTED[name] for name in values if not _is_valid(name, values[name])}


def _query_values(parameters: Mapping[str, str]) -> dict[str, Any]:
    """Return the options as a request's body would have them; empty ones are ignored."""
    values: dict[str, Any] = {
        name: parameters[name] for name in NAMES if parameters.get(name, "") != ""
    }
    if SHIPS in values:
        values[SHIPS] = values[SHIPS].split(SEPARATOR)
    if values.get(STRICT) in ("true", "false"):
        values[STRICT] = values[STRICT] == "true"
    return values


def _read_object(value: Any) -> Options:
    if not isinstance(value, dict):
        raise UnexpectedValue
    _refuse([*_faults(value)])
    return _options(value)


def _refuse(faults: list[Fault]) -> None:
    """Raise one `Refused` for all faults, if there are any; a single one brings its suggestions."""
    try:
        refuse_all(faults)
    except Refused as refusal:
        only = faults[0].suggestions if len(faults) == 1 else ()
        raise Refused(refusal.code, refusal.detail, faults=faults, suggestions=only) from None


def _options(values: Mapping[str, Any]) -> Options:
    compiler = Compiler(values[COMPILER]) if COMPILER in values else None
    ships = frozenset(map(FileForm, values.get(SHIPS, ())))
    return Options(**{**values, SHIPS: ships, COMPILER: compiler})


def _faults(values: Mapping[str, Any]) -> Iterator[Fault]:
    for name, value in values.items():
        expected = EXPECTED.get(name, f"only {', '.join(NAMES)}")
        if name not in NAMES or not _is_valid(name, value):
            message = f"{echo(name)} {echo(value)} is not {expected}"
            if name not in NAMES:
                message = f"there is no option {echo(name)}"
            near = _near(name, value)
            place = child("", echo(name))
            yield Fault(place, Code.REQUEST_INVALID, message, expected, suggestions=near)


def _near(name: str, value: object) -> tuple[str, ...]:
    """Return what resembles the name of an option that there is not, or a compiler's."""
    if name not in NAMES:
        return nearest_names(name, NAMES)
    return nearest_names(str(value), COMPILERS) if name == COMPILER else ()


def _is_valid(name: str, value: Any) -> bool:
    if name == STRICT:
        return isinstance(value, bool)
    if name == COMPILER:
        return value in COMPILERS
    if name == SHIPS:
        return isinstance(value, list) and all(form in FORMS for form in value)
    return isinstance(value, str) and bool(VERSION.fullmatch(value))
