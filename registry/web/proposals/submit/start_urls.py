"""The URL of the form with its starting point, so that reload and Back return to the form.

A pasted text that is too long for a URL is kept in the session.
"""

from __future__ import annotations

import re
from contextlib import suppress
from hashlib import sha256
from itertools import chain
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from registry.domain.errors import Refused
from registry.domain.reference import Tag as TagName
from registry.services.namespaces.lookup import find_namespace
from registry.web.core import stashed_forms
from registry.web.proposals.submit.form_state import FormState
from registry.web.proposals.submit.start_form import FIELDS, TEXT, chosen_option, read_start
from ttag_rules.names import MAX_TAG

MAX_QUERY = 4000  # characters; some proxies allow 4,096 bytes for the first line of a request
# Decision 083: a form's start is a URL, so that it can be shared and reloaded.
KEY = "pasted"  # of the session, and the parameter that names the text
SEARCHED = "searched"  # the parameter with the text of a search without a hit
# Of the form: its start, a proposal to revise, or the group of fields to open.
PARAMETERS = (
    *("start_from", "tag", *chain.from_iterable(FIELDS.values())),
    *(KEY, SEARCHED, "proposal", "group"),
)
WORD = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
NAME_LENGTH = 12  # hexadecimal digits that tell two texts of one session apart


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
