"""Content negotiation: `?format=` selects a format by name, otherwise `Accept` by media type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request

from registry.domain.errors import Code, Refused, echo
from registry.domain.names.near_names import nearest_first
from registry.services.versions.exporting import EXPORT_FORMATS, ExportFormat

ANY = "*/*"  # sent by curl and requests; means the same as no Accept, or an empty one


class JsonOnly(BaseContentNegotiation):
    """Disables DRF's negotiation: views build their responses, and any `Accept` is allowed."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """Return any parser: the views read the body themselves."""
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        """Return any renderer: none is used."""
        return renderers[0], renderers[0].media_type


def negotiate_format(request: HttpRequest) -> ExportFormat:
    """Return the requested format. Raises `Refused` (FORMAT_UNKNOWN) with the known formats."""
    name = request.GET.get("format")
    if name is not None:
        return find_format(name)
    if request.META.get("HTTP_ACCEPT", "") in ("", ANY):
        return next(iter(EXPORT_FORMATS.values()))
    for media in request.accepted_types:  # by preference, then by specificity
        for candidate in EXPORT_FORMATS.values():
            if media.match(candidate.media_type):
                return candidate
    sentence = f"No format has the media type {echo(request.headers['Accept'])}"
    raise _unknown(sentence, EXPORT_FORMATS)


def find_format(name: str) -> ExportFormat:
    """Return a format by name. Raises `Refused` (FORMAT_UNKNOWN) with the known formats."""
    if name not in EXPORT_FORMATS:
        sentence = f"There is no format {echo(name) or 'without a name'}"
        raise _unknown(sentence, nearest_first(name, EXPORT_FORMATS))
    return EXPORT_FORMATS[name]


def _unknown(sentence: str, names: Iterable[str]) -> Refused:
    """Return the error, which lists formats by name, in this order."""
    listed = ", ".join(f"{name} ({EXPORT_FORMATS[name].media_type})" for name in names)
    return Refused(Code.FORMAT_UNKNOWN, f"{sentence}. Formats: {listed}.", suggestions=names)
