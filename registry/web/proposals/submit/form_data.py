"""The posted data of the profile form, and the part of it that a draft saves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from uuid import UUID, uuid4

from django.http import HttpRequest, QueryDict

from registry.domain.user_text import normalize_lines
from registry.services.proposals.saved_drafts import FormData as SavedFields

PREFIX = "f:"  # of the names of all guided inputs, before the JSON pointer of their value
FIELDS_MODE, JSON_MODE = "fields", "json"  # the body is edited in guided fields, or as JSON
TEXTS = ("mode", "role", "start_kind", "body", "message", "sources", "text", "key", "previewed")
HIDDEN = ("mode", "role", "start_kind", "base", "proposal", "seen", "key")  # state of the form
STRIPPED = ("tag", "base", "proposal", "seen")
UNSAVED = ("csrfmiddlewaretoken", "do", "saves", "previewed")  # these belong to one request
# Names of release 0.1: drafts, stashed forms, bookmarks and open pages still have them.
# Decision 124: names of release 0.1 are read for ever.
RENAMED_FIELDS = {"face": "mode", "of": "start_kind", "looked": "previewed", "how": "start_from"}
RENAMED_BUTTONS = {"begin": "continue", "today": "use-current", "drop": "delete"}


def with_current_names(data: QueryDict) -> QueryDict:
    """Return data of the form with the names of this release in place of those of 0.1."""
    renamed = data.copy()
    for old, new in RENAMED_FIELDS.items():
        if values := renamed.pop(old, None):
            renamed.setlistdefault(new, values)
    if button := RENAMED_BUTTONS.get(data.get("do", "")):
        renamed["do"] = button
    return renamed


def rename_fields(request: HttpRequest) -> None:
    """Give the query and the posted fields of a request the names of this release."""
    for part in ("GET", "POST"):
        setattr(request, part, with_current_names(getattr(request, part)))


def parse_form(post: Mapping[str, str]) -> dict[str, str]:
    """Return every field of a profile; empty if it was not posted.

    Line ends become LF. A new form gets a new key.
    """
    key = valid_key(post.get("key", ""))
    data = normalized(post, (*TEXTS, *STRIPPED)) | {"key": key}
    data |= {name: data[name].strip() for name in STRIPPED}
    data["mode"] = JSON_MODE if data["mode"] == JSON_MODE else FIELDS_MODE
    return data | {name: post[name] for name in post if name.startswith(PREFIX)}


def normalized(post: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return the posted texts with these names, empty if there is none; line ends become LF."""
    return {name: normalize_lines(post.get(name, "")) for name in names}


def without_fields(data: Mapping[str, str]) -> dict[str, str]:
    """Return the data without the guided fields."""
    return {name: text for name, text in data.items() if not name.startswith(PREFIX)}


def new_key() -> str:
    """Return a new idempotency key."""
    return str(uuid4())


def fields_to_save(post: QueryDict) -> SavedFields:
    """Return the posted fields that a draft saves."""
    return {name: post.getlist(name) for name in post if name not in UNSAVED}


def saved_post(fields: SavedFields) -> QueryDict:
    """Return the fields of a draft as posted data."""
    post = QueryDict(mutable=True)
    for name, values in fields.items():
        post.setlist(name, values)
    return with_current_names(post)


def valid_key(text: str) -> str:
    """Return an idempotency key that was posted; a new one for anything else."""
    try:
        return str(UUID(text))
    except ValueError:
        return new_key()
