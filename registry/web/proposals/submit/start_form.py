"""The first step of the form: a tag, and what its profile starts from, as posted and as a URL.

The form has a URL with its starting point, so that reload and Back return to it. A pasted text
that is too long for a URL is kept in the session.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import chain
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.reference import Tag as TagName
from registry.domain.user_text import normalize_lines
from registry.services.namespaces.lookup import find_namespace
from registry.web.core import stashed_forms
from registry.web.proposals.submit import pasted_text
from registry.web.proposals.submit.form_state import FormState
from ttag_rules.names import MAX_TAG

KIND, PARENT, TEXT = "kind", "parent", "text"
LABELS = {KIND: "A kind", PARENT: "A parent", TEXT: "Pasted text"}
FIELDS = {KIND: ["kind"], PARENT: ["parent"], TEXT: ["source", "format"]}
EXCLUSIVE = (PARENT, TEXT)  # a kind beside them is what a select happens to show

MAX_QUERY = 4000  # characters; some proxies allow 4,096 bytes for the first line of a request
# Decision 083: a form's start is a URL, so that it can be shared and reloaded.
KEY = "pasted"  # of the session, and the parameter that names the text
SEARCHED = "searched"  # the parameter with the text of a search without a hit
# Of the form: its start, a proposal to revise, or the group of fields to open.
PARAMETERS = (
    "start_from",
    "tag",
    *chain.from_iterable(FIELDS.values()),
    KEY,
    SEARCHED,
    "proposal",
    "group",
)
WORD = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
NAME_LENGTH = 12  # hexadecimal digits that tell two texts of one session apart


def read_start(data: Mapping[str, str]) -> FormState:
    """Return the first step for posted data or query parameters.

    The option that is filled in is chosen if no other is.
    """
    values = {name: data.get(name, "").strip() for name in ("tag", "kind", "parent")}
    values["source"] = normalize_lines(data.get("source", ""))
    values["pasted"] = data.get("pasted", "")
    values["format"] = data.get("format", pasted_text.DETECT)
    values["start_from"] = data.get("start_from", "")
    if values["start_from"] not in LABELS:
        filled = _filled(values) or ([KIND] if values["kind"] else [])
        values["start_from"] = filled[0] if len(filled) == 1 else ""
    return FormState(values)


def chosen_option(state: FormState) -> str:
    """Return the option to start from; empty if none is chosen or filled in.

    Raises `Refused` (REQUEST_INVALID) if fields of another option are filled in as well.
    """
    chosen = state.values["start_from"]
    others = [LABELS[option].lower() for option in _filled(state.values) if option != chosen]
    if others:
        choice = f'"{LABELS[chosen]}" is chosen' if chosen else "nothing is chosen"
        message = f"{choice}, but the form also has {' and '.join(others)}"
        expected = "one starting point: choose it, and clear the fields of the others"
        refuse_all([Fault("/start_from", Code.REQUEST_INVALID, message, expected)])
    return chosen


def start_url(request: HttpRequest, state: FormState) -> str:
    """Return the URL of the form that starts there; that of an existing tag needs no option.

    Raises `Refused` (RATE_LIMITED) if the session has no room for a long text.
    """
    option = chosen_option(state)
    fields = {name: state.values[name] for name in ("tag", *FIELDS.get(option, ()))}
    chosen = {"start_from": option} if option else {}
    query = urlencode({**chosen, **fields}, safe="/:,=@")
    if option == TEXT and len(query) > MAX_QUERY:
        name = _keep(request, fields.pop("source"))
        query = urlencode({**chosen, **fields, KEY: name}, safe="/:,=@")
    return f"{reverse('submit')}?{query}"


def start_from_query(request: HttpRequest) -> FormState:
    """Return the first step for a URL, with the text that the session keeps.

    The text of a search becomes the tag.
    """
    values = request.GET.dict()
    if SEARCHED in values:
        values["tag"] = _tag_from_search(values[SEARCHED])
    kept = request.session.get(KEY) if KEY in values else None
    if kept and _name(kept) == values[KEY]:
        values["source"] = kept
    return read_start(values)


def _tag_from_search(text: str) -> str:
    """Return the tag that a text suggests: `nvidia/rtx-9090` for `NVIDIA RTX 9090`.

    Without a namespace if the text does not begin with one. At most one query.
    """
    folded = text.strip().lower()
    with suppress(Refused):
        return str(TagName.parse(folded))
    first, _, rest = folded.partition(" ")
    if rest and find_namespace(first):
        folded = f"{first}/{rest}"
    parts = ("-".join(WORD.findall(part)) for part in folded.split("/"))
    return "/".join(filter(None, parts))[:MAX_TAG]


def _keep(request: HttpRequest, text: str) -> str:
    stashed_forms.reserve_room(request, len(text.encode(errors="replace")))
    request.session[KEY] = text
    return _name(text)


def _name(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()[:NAME_LENGTH]


def _filled(values: Mapping[str, str]) -> list[str]:
    return [option for option in EXCLUSIVE if values[FIELDS[option][0]].strip()]
