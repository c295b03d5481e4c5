"""Reads what a second registry is asked, and refuses what the registry refuses.

An option that is ignored would change the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from ttag.errors import Refused, echo
from ttag.resolution import ExportOptions

SWITCHES = ("strict", "record")  # of an export


def invalid(reason: str) -> Refused:
    """Return the error of a request that is not usable."""
    return Refused(
        f"The request is not usable: {reason}.",
        code="REQUEST_INVALID",
        status=HTTPStatus.BAD_REQUEST,
    )


def read_parameters(query: Mapping[str, list[str]]) -> dict[str, str]:
    """Return the parameters of a query by name. Raises `Refused` for others and repeated ones."""
    for name, values in query.items():
        if name not in {"format", "node", *SWITCHES}:
            raise invalid(f"there is no parameter {echo(name)}")
        if len(values) > 1:
            raise invalid(f"{name} is repeated")
    return {name: value for name, (value,) in query.items()}


def read_switch(parameters: Mapping[str, str], name: str) -> bool:
    """Return whether a parameter is 1, not 0 or absent. Raises `Refused`."""
    value = parameters.get(name, "0")
    if value not in {"0", "1"}:
        raise invalid(f"{name}={echo(value)} is neither 0 nor 1")
    return value == "1"


def read_batch(body: object) -> tuple[list[str], str, ExportOptions]:
    """Return the references, the format and the options of a batch. Raises `ValueError`."""
    if not isinstance(body, dict):
        raise ValueError("expected a JSON object with references")
    if unknown := body.keys() - {"references", "format", *SWITCHES}:
        raise ValueError(f"there is no member {echo(min(unknown))}")
    references, form = body.get("references"), body.get("format", "json")
    if not isinstance(references, list) or not all(isinstance(each, str) for each in references):
        raise ValueError("expected references as a list of texts")
    if not isinstance(form, str):
        raise ValueError("expected the name of a format")
    strict, record = (body.get(name, False) for name in SWITCHES)
    if not isinstance(strict, bool) or not isinstance(record, bool):
        raise ValueError("strict and record are true or false")
    return references, form, ExportOptions(strict=strict, record=record)
