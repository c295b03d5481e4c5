"""Readers of what people write about machines: flags, lists, notations of builds, products."""

from __future__ import annotations

from registry.domain.identify.notations import (
    compiler_flags,
    gpu_architectures,
    microarchitectures,
    platforms,
    product_names,
    rust_and_zig,
    triples,
    wishes,
)
from registry.domain.identify.readings import Reader

# Decision 146: an earlier one wins. What states a processor comes before what states a triple.
NOTATIONS: tuple[Reader, ...] = (
    rust_and_zig.read,
    compiler_flags.read,
    gpu_architectures.read,
    microarchitectures.read,
    triples.read,
    platforms.read,
    product_names.read,
    wishes.read,
)
