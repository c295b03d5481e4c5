"""Which of the registry's formats answers: `?format=` by name, else `Accept` by media type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request

from registry.domain.errors import Code, Refused, echo
from registry.services.versions.exporting import EXPORT_FORMATS, ExportFormat


class JsonOnly(BaseContentNegotiation):
    """Answers are made by the views; DRF chooses no renderer, and `Accept` refuses nothing."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """The views read the body themselves."""
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        """Some renderer; none is used."""
        return renderers[0], renderers[0].media_type


def negotiate_format(
    request: HttpRequest, formats: Mapping[str, ExportFormat] = EXPORT_FORMATS
) -> ExportFormat:
    """The format that a request asks for. Raises `Refused` (FORMAT_UNKNOWN) listing them."""
    name = request.GET.get("format")
    if name is not None:
        return find_format(name, formats)
    if "Accept" not in request.headers:
        return next(iter(formats.values()))
    for media in request.accepted_types:  # the preferred ones first, and of those the specific
        for candidate in formats.values():
            if media.match(candidate.media_type):
                return candidate
    raise _unknown(f"No format is of the type {echo(request.headers['Accept'])}", formats)


def find_format(name: str, formats: Mapping[str, ExportFormat] = EXPORT_FORMATS) -> ExportFormat:
    """The format of a name. Raises `Refused` (FORMAT_UNKNOWN) listing them."""
    if name not in formats:
        raise _unknown(f"There is no format {echo(name) or 'without a name'}", formats)
    return formats[name]


def _unknown(sentence: str, formats: Mapping[str, ExportFormat]) -> Refused:
    known = ", ".join(f"{name} ({found.media_type})" for name, found in formats.items())
    return Refused(Code.FORMAT_UNKNOWN, f"{sentence}. There is: {known}.", suggestions=formats)
