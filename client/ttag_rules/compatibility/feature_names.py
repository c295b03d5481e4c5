"""Features for people: the best known of several, and how many there are."""

from __future__ import annotations

from collections.abc import Collection, Sequence

# The first that is among some features names them all; more telling ones stand first.
NAMES = (
    ("avx10.2", "AVX10.2"),
    ("avx512f", "AVX-512"),
    ("avx2", "AVX2"),
    ("avx", "AVX"),
    ("amx-tile", "AMX"),
    ("sse4.2", "SSE4.2"),
    ("sse2", "SSE2"),
    ("fma4", "FMA4"),
    ("xop", "XOP"),
    ("sse4a", "SSE4a"),
    ("egpr", "APX"),
    ("sme", "SME"),
    ("sve2", "SVE2"),
    ("sve", "SVE"),
    ("mve.fp", "Helium"),
    ("mve", "Helium"),
    ("fullfp16", "half precision"),
    ("lse", "atomics"),
    ("v", "the vector extension"),
    ("neon", "NEON"),
    ("aes", "AES"),
    ("sha2", "SHA-2"),
    ("d", "double precision"),
    ("f", "single precision"),
)
PREFIXES = {"AVX-512": "avx512", "AMX": "amx"}  # of features that a name covers
MAX_LISTED = 2  # features in a sentence


def features_text(features: Collection[str]) -> str:
    """Return some features in a sentence: `AVX-512 (avx512f, avx512bw and 8 more)`."""
    name = next((title for feature, title in NAMES if feature in features), "")
    first = next((feature for feature, title in NAMES if title == name), "")
    ordered = sorted(features, key=lambda each: (each != first, not _belongs(each, name), each))
    text = listing(ordered)
    return f"{name} ({text})" if name and name.lower() != text else text


def listing(names: Sequence[str]) -> str:
    """Return the first of some features, for a sentence."""
    return " and ".join(names) if len(names) <= MAX_LISTED else first_names(names, MAX_LISTED)


def first_names(names: Sequence[str], most: int) -> str:
    """Return so many names at most, and how many more there are: `a, b and 3 more`."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _belongs(feature: str, name: str) -> bool:
    prefix = PREFIXES.get(name, "")
    return bool(prefix) and feature.startswith(prefix)
