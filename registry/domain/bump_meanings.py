"""The meaning of each bump for users of the previous version."""

from __future__ import annotations

from registry.domain.version_number import Bump

MEANINGS = {
    Bump.FIRST: "the first",
    Bump.MAJOR: "some tuning records no longer match",
    Bump.MINOR: "rebuild, keep the tuning records",
    Bump.PATCH: "nothing to do",
}
