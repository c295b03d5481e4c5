"""Answers as a registry sends them, for servers that pretend to be one."""

from collections.abc import Mapping
from typing import Any

from ttag.canonical_json import canonical, digest_of


def resolution_answer(
    target: Mapping[str, Any],
    reference: str = "acme/board",
    *,
    tuning_keys: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the JSON of a resolution, with the digest of its target."""
    tag = reference.partition("@")[0]
    return {
        "reference": reference,
        "tag": tag,
        "version": "1.0.0",
        "digest": digest_of(canonical(dict(target))),
        "published": "2026-11-20T12:00:00Z",
        "status": "active",
        "target": dict(target),
        "tuning_keys": dict(tuning_keys or {}),
        "lineage": [],
        "build_key": None,
        "warnings": [],
    }
