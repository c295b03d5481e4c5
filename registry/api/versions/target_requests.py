"""The members of requests that hold a target: a body, or a description for an importer."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from registry.api.core.request_bodies import RequestBody
from registry.domain import document
from registry.domain.errors import Code, Fault, refuse_all
from registry.domain.importers import IMPORTERS
from registry.domain.importing import Imported, Note
from registry.domain.user_text import LINK, MAX_LINK
from registry.http import request_members
from registry.http.request_members import Member
from registry.services.versions import checking
from registry.services.versions.publishing import MAX_MESSAGE, MAX_SOURCES, source_faults
from ttag_rules.pointer import ROOT

DESCRIPTION = ("format", "source")  # the members of a description for an importer
OBJECT = {"type": "object"}
BODY = "a body, see the schema at kinds/body"
FAMILY = "whether the tag describes what several machines share; by default, what it is now"


def target_members(schema: dict[str, Any]) -> dict[str, Member]:
    """Return the members of a target; `schema` is that of a body.

    Only a check accepts other JSON than objects, to report it.
    """
    source = "text, or JSON if the format is JSON"
    return {
        "target": request_members.unparsed(schema, required=False, help_text=BODY),
        "format": request_members.choice(IMPORTERS, checking.find_importer),
        "source": request_members.unparsed({}, required=False, help_text=source),
    }


CREDITS: dict[str, Member] = {
    "message": request_members.prose(MAX_MESSAGE, is_multiline=True, required=False),
    "sources": request_members.texts(
        {"pattern": LINK.pattern, "maxLength": MAX_LINK},
        MAX_SOURCES,
        lambda urls: refuse_all(source_faults(urls)),
        required=False,
    ),
}


def mixed_faults(names: Collection[str]) -> Iterator[Fault]:
    """Yield the faults of a request with both a body and a description, or neither."""
    expected = "either target, or source and its format"
    fault = partial(Fault, code=Code.REQUEST_INVALID, expected=expected)
    present = [name for name in DESCRIPTION if name in names]
    if "target" in names:
        for name in present:
            yield fault(f"/{name}", message=f"{name} cannot be used with target")
        return
    name = "source" if present else "target"
    if name not in names:
        yield fault(f"/{name}", message=f"the member {name} is missing")


EITHER = {
    "oneOf": [
        {
            "required": ["target"],
            "not": {"anyOf": [{"required": ["format"]}, {"required": ["source"]}]},
        },
        {"required": ["source"], "not": {"required": ["target"]}},
    ]
}

CHECK = RequestBody(
    "CheckRequest",
    "A target to check, and its tag.",
    {
        **target_members({}),
        "tag": request_members.tag_name(),
        "family": request_members.switch(default=None, help_text=FAMILY),
    },
    rule=mixed_faults,
    keywords=EITHER,
)
PUBLISH = RequestBody(
    "PublishRequest",
    "The next version of a tag.",
    {
        "target": request_members.unparsed(OBJECT, help_text=BODY),
        "family": request_members.switch(default=None, help_text=FAMILY),
        **CREDITS,
    },
)


def imported(values: dict[str, Any]) -> Imported | None:
    """Return the imported description of a request; None if it holds a body.

    Raises `Refused` with pointers into the source.
    """
    text = values["source"]
    if text is None:
        return None
    max_token = len(text.encode()) if text.startswith('"') else document.MAX_TOKEN
    source = document.parse_json(text, max_token=max_token)
    importer = values["format"] or checking.detect_importer(source)
    converted = checking.import_source(importer, source)
    if values["format"]:
        return converted
    note = Note(ROOT, f"the format is not stated: read as {importer.name}")
    return replace(converted, notes=(note, *converted.notes))


def body_text(values: dict[str, Any]) -> str:
    """Return the text of the body exactly as sent, or as imported. Raises `Refused`."""
    converted = imported(values)
    return converted.text if converted else str(values["target"])
