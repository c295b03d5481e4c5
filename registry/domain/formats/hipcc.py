"""The `hipcc` format: the GPUs that hipcc compiles for, as one line of its options."""

from __future__ import annotations

from registry.domain.notation_exports import notation_format
from ttag_rules.notations.hipcc import hipcc_options

FORMAT = notation_format(
    "hipcc",
    "Options for hipcc: the target ID of every AMD GPU, as one line.",
    hipcc_options,
)
