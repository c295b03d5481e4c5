"""Recognise triples in text: words that begin with an architecture and name a system."""

from __future__ import annotations

import re

from registry.domain.toolchains.triple_names import (
    is_architecture,
    is_environment,
    is_system,
    is_vendor,
)

TRIPLE_TEXT = r"[a-z0-9_.]+(?:-[a-z0-9_.]+){1,4}"
BARE = ("none", "unknown", "elf")  # as systems: no operating system


def is_triple(text: str) -> bool:
    """Return whether every component of a word is one of triples, the first an architecture."""
    architecture, *rest = text.split("-")
    known = all(
        is_system(name) or is_environment(name) or is_vendor(name) or name in BARE for name in rest
    )
    return known and is_architecture(architecture) and bool(rest)
