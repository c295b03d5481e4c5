"""The `wheel-variant` format: properties by which installers choose between variants of a wheel."""

from __future__ import annotations

from registry.domain.notation_exports import notation_format
from ttag_rules.notations.wheel_variant import wheel_properties

FORMAT = notation_format(
    "wheel-variant",
    "Properties of wheel variants (PEP 817, a draft) that the processor supports.",
    wheel_properties,
    members=("properties",),
)
