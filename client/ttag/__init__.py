"""The Target Tag Registry inside a build: resolve, lock and cache compile targets.

    from ttag import Registry

    resolution = Registry("https://registry.example.org").resolve("aws/c4.4xlarge@1")
    print(resolution.version, resolution.digest, resolution.target["mcpu"])

`Project.open()` reads the settings and the lock of a project, and resolves as the command `ttag`
does. `Lock.read("targets.lock").resolve(...)` needs no settings and no network.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ttag.version import __version__

if TYPE_CHECKING:
    from ttag.errors import (
        BodyInvalid,
        FileError,
        NotLocked,
        NotMirrored,
        ReferenceInvalid,
        Refused,
        SettingsError,
        Tampered,
        TokenMissing,
        TtagError,
        Unreachable,
        UnsafeTarget,
    )
    from ttag.judging import Judgement
    from ttag.lock.content import LockedTarget
    from ttag.lock.lock import Lock
    from ttag.mirror.reader import Mirror
    from ttag.project import Project
    from ttag.registry.registry import Registry
    from ttag.resolution import Export, ExportOptions, Resolution
    from ttag.responses.changes import Difference, Explanation
    from ttag.responses.description import Description
    from ttag.responses.tags import Query, SearchResults, TagDetails, VersionSummary
    from ttag.responses.verdicts import Proposal, Verdict
    from ttag.running import runs_on
    from ttag_rules.compatibility.verdicts import Answer

# Loaded when first asked for: a command of a build needs a part of them, and loading all takes
# longer than its work.
MODULES = {
    name: module
    for module, names in {
        "ttag.errors": (
            *("BodyInvalid", "FileError", "NotLocked", "NotMirrored", "ReferenceInvalid"),
            *("Refused", "SettingsError", "Tampered", "TokenMissing", "TtagError"),
            *("Unreachable", "UnsafeTarget"),
        ),
        "ttag.judging": ("Judgement",),
        "ttag.lock.content": ("LockedTarget",),
        "ttag.lock.lock": ("Lock",),
        "ttag.mirror.reader": ("Mirror",),
        "ttag.project": ("Project",),
        "ttag.registry.registry": ("Registry",),
        "ttag.resolution": ("Export", "ExportOptions", "Resolution"),
        "ttag.responses.changes": ("Difference", "Explanation"),
        "ttag.responses.description": ("Description",),
        "ttag.responses.tags": ("Query", "SearchResults", "TagDetails", "VersionSummary"),
        "ttag.responses.verdicts": ("Proposal", "Verdict"),
        "ttag.running": ("runs_on",),
        "ttag_rules.compatibility.verdicts": ("Answer",),
    }.items()
    for name in names
}
__all__ = [
    "Answer",
    "BodyInvalid",
    "Description",
    "Difference",
    "Explanation",
    "Export",
    "ExportOptions",
    "FileError",
    "Judgement",
    "Lock",
    "LockedTarget",
    "Mirror",
    "NotLocked",
    "NotMirrored",
    "Project",
    "Proposal",
    "Query",
    "ReferenceInvalid",
    "Refused",
    "Registry",
    "Resolution",
    "SearchResults",
    "SettingsError",
    "TagDetails",
    "Tampered",
    "TokenMissing",
    "TtagError",
    "Unreachable",
    "UnsafeTarget",
    "Verdict",
    "VersionSummary",
    "__version__",
    "runs_on",
]


def __getattr__(name: str) -> Any:
    """Return a public name from its module."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    """Return the public names, also those that nobody asked for yet."""
    return [*globals(), *MODULES]
