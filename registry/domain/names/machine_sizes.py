"""Orders names of machines by the sizes that clouds give them: large, xlarge, 2xlarge, metal."""

from __future__ import annotations

import re

from ttag_rules.pointer import natural_key

SIZES = ("nano", "micro", "small", "medium", "large", "xlarge", "metal")  # smallest first
SIZED = re.compile(rf"(.+[.-])(?:([0-9]*)({'|'.join(SIZES)})|metal-([0-9]+)xl)")

Key = tuple[str, int, int, str]


def size_key(tag: str) -> Key:
    """Return a sort key that puts `c5.large` before `c5.2xlarge`, and numbers in their order.

    It is unique for each tag. A variant follows its name.
    """
    name = tag.partition(":")[0]
    match = SIZED.fullmatch(name)
    if match is None:
        return natural_key(name), 0, 0, natural_key(tag)
    stem, count, size, metal = match.groups()
    rank = SIZES.index(size or "metal")
    return natural_key(stem), rank, int(count or metal or 0), natural_key(tag)
