"""Makes names of tags from names of products."""

from __future__ import annotations

import re

MARKS = re.compile(r"\((?:R|TM|C)\)|[®™©]", re.IGNORECASE)
OTHERS = re.compile(r"[^a-z0-9.]+")


def slug(product: str) -> str:
    """Return a product's name in the letters of tag names, as `rx-7900-xtx` for "RX 7900 XTX".

    A plus becomes `-plus`, because products differ by it.
    """
    text = MARKS.sub("", product).replace("+", "-plus ").lower()
    text = OTHERS.sub("-", text)
    return re.sub(r"[-.]{2,}", "-", text).strip("-.")
