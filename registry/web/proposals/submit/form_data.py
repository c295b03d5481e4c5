"""What browsers send to the form for a hardware profile, and what a saved draft keeps of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from uuid import UUID, uuid4

from django.http import QueryDict

from registry.services.proposals.saved_drafts import Typed as SavedFields
from registry.web.proposals.submit.inputs import PREFIX

BY_FIELDS, BY_JSON = "fields", "json"  # the two faces of one body
TEXTS = ("face", "role", "of", "body", "message", "sources", "text", "key", "looked")
STRIPPED = ("tag", "base", "proposal", "seen")
NOT_KEPT = ("csrfmiddlewaretoken", "do", "saves", "looked")  # of a draft: these are of one sending
DIGITS = re.compile(r"[1-9][0-9]{0,8}")


def profile(post: Mapping[str, str]) -> dict[str, str]:
    """Return every field of a profile that was sent, empty where it was not.

    Browsers end lines with CR LF; the registry does not. A new form gets a key of its own.
    """
    data = {name: post.get(name, "").replace("\r\n", "\n") for name in (*TEXTS, *STRIPPED)}
    data |= {name: data[name].strip() for name in STRIPPED}
    data["face"] = BY_JSON if data["face"] == BY_JSON else BY_FIELDS
    data["key"] = _key(data["key"])
    return data | {name: post[name] for name in post if name.startswith(PREFIX)}


def without_body(data: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a profile that say nothing of its body."""
    return {name: text for name, text in data.items() if not name.startswith(PREFIX)}


def number(text: str) -> int:
    """Return a number that a form or an address holds; 0 for anything else."""
    return int(text) if DIGITS.fullmatch(text) else 0


def new_key() -> str:
    """Return a key by which a form that is sent twice is recognised."""
    return str(uuid4())


def saved(post: QueryDict) -> SavedFields:
    """Return what a draft keeps of what was sent."""
    return {name: post.getlist(name) for name in post if name not in NOT_KEPT}


def restored(fields: SavedFields) -> QueryDict:
    """Return what a draft keeps as if it were sent again."""
    post = QueryDict(mutable=True)
    for name, values in fields.items():
        post.setlist(name, values)
    return post


def _key(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        return new_key()
