"""Texts for compilers, and whether they belong to the target that they claim to describe.

A registry, a mirror, a cache or a lock may have been changed by anybody. The target has a digest;
a text has none, so it is compared with the target (decision 99).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ttag.errors import NotLocked, Tampered
from ttag.resolution import Export, Resolution
from ttag.texts import clang, cmake, config, consumers, iree, notations, tuning, tvm, tvm_string
from ttag.texts.claimed_text import Claim, Unexpected, shown

CHECKS: Mapping[str, Callable[[Claim], None]] = {
    "archspec": notations.check,
    "clang": clang.check,
    "cmake": cmake.check,
    "conda": notations.check,
    "config": config.check,
    "consumers": consumers.check,
    "hipcc": notations.check,
    "iree": iree.check,
    "nvcc": notations.check,
    "tuning": tuning.check,
    "tvm": tvm.check,
    "tvm-string": tvm_string.check,
    "wheel-variant": notations.check,
}


def proven(
    export: Export, resolution: Resolution, *, source: str, is_recorded: bool = False
) -> Export:
    """Return an export if its text belongs to a target, whose digest is verified.

    `source` says in errors where the text came from. Raises `Tampered` for a text that an honest
    registry would not have written, and `NotLocked` for a format that this release does not know.
    """
    if export.format not in CHECKS:
        raise NotLocked(
            f"This release of ttag cannot check a text in the format {shown(export.format)}; it "
            f"knows {', '.join(CHECKS)}, json and target. Update ttag."
        )
    claim = Claim(
        export.format,
        export.text,
        resolution.target,
        resolution.exact,
        frozenset(export.dropped),
        resolution.tuning_keys,
        is_node=resolution.node is not None,
        is_recorded=is_recorded,
    )
    try:
        claim.check_dropped()
        CHECKS[export.format](claim)
    except Unexpected as error:
        problem = str(error)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        problem = "does not have the shape of this format"
    else:
        return replace(export, digest=resolution.digest)
    raise Tampered(
        f"{source} sent a text for {export.reference} in the format {export.format} that is not "
        f"the target's: it {problem}. Nothing of it was used."
    )


def read_text(data: bytes, source: str) -> str:
    """Return bytes as the text that they are. Raises `Tampered` if they are not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Tampered(
            f"{source} sent a text with bytes that are not UTF-8. Nothing of it was used."
        ) from error
