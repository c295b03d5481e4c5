"""The name of a new tag, from the text of a search without a hit."""

from __future__ import annotations

import re
from contextlib import suppress

from registry.domain.errors import Refused
from registry.domain.reference import MAX_TAG, Tag as TagName
from registry.services.namespaces.lookup import find_namespace

WORD = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")


def tag_from_search(text: str) -> str:
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
