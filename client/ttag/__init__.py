"""The Target Tag Registry inside a build: resolve, lock and cache compile targets.

    from ttag import Registry

    resolution = Registry("https://registry.example.org").resolve("aws/c4.4xlarge@1")
    print(resolution.version, resolution.digest, resolution.target["mcpu"])

`Project.open()` reads the settings and the lock of a project, and resolves as the command `ttag`
does. `Lock.read("targets.lock").resolve(...)` needs no settings and no network.
"""

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
from ttag.export_options import ExportOptions
from ttag.judging import Judgement
from ttag.lock.content import LockedTarget
from ttag.lock.lock import Lock
from ttag.mirror.reader import Mirror
from ttag.project import Project
from ttag.registry.registry import Registry
from ttag.resolution import Export, Resolution
from ttag.responses.changes import Difference, Explanation
from ttag.responses.description import Description
from ttag.responses.tags import Query, SearchResults, TagDetails, VersionSummary
from ttag.responses.verdicts import Proposal, Verdict
from ttag.running import runs_on
from ttag.version import __version__
from ttag_rules.compatibility.verdicts import Answer

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
