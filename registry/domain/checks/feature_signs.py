"""Features that one list switches both on and off.

LLVM applies a list in order, and a feature brings along others: `+avx512f,-avx512f` leaves AVX2 on,
which `+avx512f` implied, and yet shares the tuning key of `-avx512f`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from registry.domain.document import Json
from registry.domain.errors import Fault, echo
from ttag_rules.pointer import child

# Decision 098: refused, because redefining keys would lose records that exist.
BOTH_SIGNS = "FEATURE_BOTH_SIGNS"
SIGNS = ("+", "-")


def sign_faults(features: Iterable[Json], pointer: str) -> Iterator[Fault]:
    """Yield a fault for each feature with both signs, at the later of the two; it names both."""
    first: dict[str, tuple[int, str]] = {}
    for index, feature in enumerate(features):
        if not isinstance(feature, str) or not feature.startswith(SIGNS):
            continue  # a fault of the schema
        place, earlier = first.setdefault(feature[1:], (index, feature))
        if feature == earlier:
            continue
        yield Fault(
            child(pointer, index),
            BOTH_SIGNS,
            f"{echo(earlier)} at {child(pointer, place)} and {echo(feature)} switch one feature "
            f"both on and off; what +{echo(feature[1:])} implies would stay on",
            f"either {earlier} or {feature}",
            echo(feature),
        )
