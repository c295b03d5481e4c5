"""Exports in responses: to a request for one reference, and in the results of a batch."""

from __future__ import annotations

import re
from typing import Any

from ttag.canonical_json import canonical
from ttag.errors import Tampered, echo
from ttag.http.transport import Response, Transport
from ttag.references import Reference
from ttag.resolution import Export
from ttag.texts import read_text

DROPPED = re.compile(r'"((?:[^"\\]|\\["\\])*)"')


def read_export(
    response: Response, asked: Reference, form: str, *, transport: Transport, source: str
) -> Export:
    """Return the export in a response of a transport, which errors name by its source.

    Raises `Tampered` if it is of another version than was asked for.
    """
    version = response.headers.get("target-version", "")
    digest = response.headers.get("target-digest")
    if version and not asked.admits(version, digest):
        raise Tampered(
            f"{source} was asked for {asked}, and sent version {echo(version)} with the digest "
            f"{echo(digest)}."
        )
    text = read_text(response.body, source)
    if response.media_type.endswith("json"):
        dropped = _dropped(transport.json(response))
    else:
        written = DROPPED.findall(response.headers.get("target-dropped", ""))
        dropped = tuple(re.sub(r"\\(.)", r"\1", each) for each in written)
    return Export(str(asked), form, text, dropped)


def read_result(result: Any, asked: Reference, form: str) -> Export:
    """Return the export in a result of a batch: an object, or a text and what it drops."""
    text = result["text"] if _is_text(result) else canonical(result).decode()
    return Export(str(asked), form, text, _dropped(result))


def response_of(result: Any) -> tuple[dict[str, str], bytes]:
    """Return the headers and the body that a request for one result alone would have got."""
    if not _is_text(result):
        return {"content-type": "application/json"}, canonical(result)
    dropped = ", ".join(map(_quote, _dropped(result)))
    return {"content-type": "text/plain", "target-dropped": dropped}, result["text"].encode()


def _is_text(result: Any) -> bool:
    """Return whether a result of a batch is that of a text format."""
    return (
        isinstance(result, dict)
        and result.keys() == {"text", "dropped"}
        and isinstance(result["text"], str)
    )


def _dropped(answer: Any) -> tuple[str, ...]:
    losses = answer.get("dropped", ()) if isinstance(answer, dict) else ()
    return tuple(loss["pointer"] if isinstance(loss, dict) else str(loss) for loss in losses)


def _quote(text: str) -> str:
    return '"' + re.sub(r'(["\\\\])', r"\\\1", text) + '"'
