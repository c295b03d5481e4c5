"""Reads what a second registry is asked, and refuses what the registry refuses.

An option that is ignored would change the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus

from ttag.errors import Refused, echo
from ttag.resolution import ExportOptions

SWITCHES = ("strict", "record")  # of an export
FORMAT = re.compile(r"(?:application|text)/vnd\.target-tag-registry\.([a-z0-9-]+)(?:\+json)?")
QUALITY = re.compile(r"q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")  # RFC 9110, section 12.4.2
OTHER_FORMATS = {"text/x-cmake": "cmake"} | dict.fromkeys(
    ("application/json", "application/*", "*/*"), "json"
)


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


def preferred_format(accept: str) -> str:
    """Return the format that a header `Accept` asks for: json without one.

    Raises `Refused` (FORMAT_UNKNOWN) if it asks for another type, or for any text.
    """
    ranges = sorted(_media_ranges(accept or "*/*"), reverse=True)
    for _quality, _specificity, _place, media in ranges:
        if own := FORMAT.fullmatch(media):
            return own[1]
        if media in OTHER_FORMATS:
            return OTHER_FORMATS[media]
        if media == "text/*":
            break
    raise Refused(
        f"The media type {echo(accept)} names no format: write format=NAME instead.",
        code="FORMAT_UNKNOWN",
        status=HTTPStatus.NOT_ACCEPTABLE,
    )


def _media_ranges(accept: str) -> Iterator[tuple[float, int, int, str]]:
    """Yield the acceptable types of a header: quality, specificity, place from the end, type."""
    for place, part in enumerate(accept.split(",")):
        media, *parameters = (text.strip().lower() for text in part.split(";"))
        quality, specificity = 1.0, 2 - media.count("*")
        for parameter in parameters:
            if found := QUALITY.fullmatch(parameter):
                quality = float(found[1])
            elif not parameter.startswith("q=") and "*" not in media:
                specificity = 3
        if quality > 0:
            yield quality, specificity, -place, media


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
