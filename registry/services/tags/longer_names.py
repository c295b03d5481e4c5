"""Lists the tags whose names begin with the name of a tag: its forms, and what it is not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

from django.db.models import FilteredRelation, Q, QuerySet

from registry.domain.search.peers import Peer
from registry.models import Entry, Status
from registry.models.combined_queries import rows_of_each
from registry.services.core.paging import Page, paginate
from registry.services.tags.peers import POINTERS

MAX_LONGER_NAMES = 30  # the longest real list has 27


def list_longer_names(names: Sequence[str]) -> Page[Peer]:
    """Return active tags whose names continue one of some names after a hyphen. One query.

    At most 30 by name, as a page, without variants and families, with the facts that can be
    compared.
    """
    facts: dict[tuple[str, str, str], dict[str, float]] = defaultdict(dict)
    rows = chain.from_iterable(rows_of_each([_continuing(name) for name in names]))
    for text, arch, family, pointer, number in sorted(rows, key=itemgetter(0)):
        facts[text, arch, family].update({} if number is None else {POINTERS[pointer]: number})
    peers = [Peer(text, each, arch, family) for (text, arch, family), each in facts.items()]
    return paginate(peers, key=lambda peer: [peer.tag], limit=MAX_LONGER_NAMES)


def _continuing(name: str) -> QuerySet[Entry, Any]:
    """Select the facts of tags whose names continue a name, by name: a range of an index."""
    entries = Entry.objects.filter(
        text__gt=f"{name}-",
        text__lt=f"{name}.",  # "." follows "-"
        status=Status.ACTIVE,
        tag__is_family=False,
    )
    fact = FilteredRelation(
        "tag__attributes", condition=Q(tag__attributes__pointer__in=[*POINTERS])
    )
    rows = entries.exclude(text__contains=":").annotate(fact=fact).order_by("text")
    columns = rows.values_list("text", "arch", "family", "fact__pointer", "fact__number")
    return columns[: MAX_LONGER_NAMES * len(POINTERS) + 1]  # those of so many tags, and of one more
