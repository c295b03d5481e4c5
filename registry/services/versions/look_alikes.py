"""Finds names in a new tag's namespace that readers confuse with its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db.models import Expression, F, Value
from django.db.models.functions import Replace

from registry.domain.errors import Fault
from registry.domain.names.look_alikes import LOOK_ALIKES, look_alike_key
from registry.domain.reference import Tag as TagName
from registry.models import Name

MAX_NAMES = 5  # that a lint names


def find_look_alikes(tags: Sequence[TagName]) -> Mapping[str, list[Fault]]:
    """Return the lint `LOOKS_LIKE` of each tag, or none: at most one each.

    Tags of other namespaces do not count: two vendors may sell the same board. One query, none
    without tags.
    """
    # Decision 183: it is no lint of a published version, whose name can no longer change.
    if not tags:
        return {}
    keys = {str(tag): look_alike_key(str(tag)) for tag in tags}
    rows = Name.objects.annotate(key=_key()).filter(
        namespace__name__in={tag.namespace for tag in tags}, key__in=set(keys.values())
    )
    names = defaultdict[tuple[str, str], list[str]](list)
    for namespace, key, text in rows.order_by("text").values_list("namespace__name", "key", "text"):
        names[namespace, key].append(text)
    return {str(tag): _lints(tag, names[tag.namespace, keys[str(tag)]]) for tag in tags}


def _key() -> Expression | F:
    """Return the expression of `look_alike_key` for a row's name."""
    key: Expression | F = F("folded")
    for characters, same in LOOK_ALIKES:
        key = Replace(key, Value(characters), Value(same))
    return key


def _lints(tag: TagName, names: Sequence[str]) -> list[Fault]:
    others = tuple(name for name in names if name != str(tag))[:MAX_NAMES]
    if not others:
        return []
    listed = ", ".join(others)
    message = f"{tag} looks like {listed}, which exist{'s' * (len(others) == 1)}"
    expected = "a name that nobody confuses with another one, or a new version of that tag"
    return [Fault("", "LOOKS_LIKE", message, expected, str(tag), others)]
