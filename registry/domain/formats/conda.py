"""The `conda` format: the platform and virtual packages of a machine, as variables."""

from __future__ import annotations

from registry.domain.notation_exports import notation_format
from ttag_rules.notations.conda import conda_variables

FORMAT = notation_format(
    "conda",
    "Variables for conda, mamba and pixi: platform, processor, CUDA and C library.",
    conda_variables,
)
