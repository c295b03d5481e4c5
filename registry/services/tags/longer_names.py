"""Lists the tags whose names begin with the name of a tag: its forms, and what it is not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import FilteredRelation, Q

from registry.domain.search.peers import Peer
from registry.models import Entry, Status
from registry.services.tags.peers import POINTERS

MAX_LONGER_NAMES = 30  # the longest real list has 27
MAX_ROWS = MAX_LONGER_NAMES * len(POINTERS)


def list_longer_names(names: Sequence[str]) -> tuple[Peer, ...]:
    """Return active tags whose names continue one of some names after a hyphen. One query.

    At most 30 by name, without variants and families, with the facts that can be compared.
    """
    longer = Q(pk=None)
    for name in names:
        longer |= Q(text__gt=f"{name}-", text__lt=f"{name}.")  # "." follows "-"
    entries = Entry.objects.filter(longer, status=Status.ACTIVE, tag__is_family=False)
    rows = (
        entries.exclude(text__contains=":")
        .annotate(
            fact=FilteredRelation(
                "tag__attributes", condition=Q(tag__attributes__pointer__in=[*POINTERS])
            )
        )
        .order_by("text")
        .values_list("text", "arch", "family", "fact__pointer", "fact__number")
    )
    facts: dict[tuple[str, str, str], dict[str, float]] = defaultdict(dict)
    for text, arch, family, pointer, number in rows[:MAX_ROWS]:
        facts[text, arch, family].update({} if number is None else {POINTERS[pointer]: number})
    return tuple(
        Peer(text, facts[text, arch, family], arch, family)
        for text, arch, family in list(facts)[:MAX_LONGER_NAMES]
    )
