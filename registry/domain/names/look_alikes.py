"""Names that readers confuse, because they differ only in punctuation or in similar characters."""

from __future__ import annotations

from collections.abc import Iterable

from registry.domain.names.name_folding import fold_name

# Replaced one after the other, by `look_alikes` of the services in the database as well.
LOOK_ALIKES = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"))


def look_alike_key(name: str) -> str:
    """Return a key that is equal for names that readers confuse: `nvidia`, `n-v1dia`, `NVlDIA`.

    Punctuation and case do not count, and characters that look alike are the same.
    """
    key = fold_name(name)
    for characters, same in LOOK_ALIKES:
        key = key.replace(characters, same)
    return key


def look_alikes(name: str, others: Iterable[str]) -> tuple[str, ...]:
    """Return the names that readers would confuse with a name, the name itself included."""
    key = look_alike_key(name)
    return tuple(sorted(other for other in others if look_alike_key(other) == key))
