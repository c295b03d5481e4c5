"""The Target Tag Registry inside a build: resolve, lock and cache compile targets.

    from ttag import Registry

    resolution = Registry("https://registry.example.org").resolve("aws/c4.4xlarge@1")
    print(resolution.version, resolution.digest, resolution.target["mcpu"])

`Project.open()` reads the settings and the lock of a project, and resolves as the command `ttag`
does. `Lock.read("targets.lock").resolve(...)` needs no settings and no network.
"""

from ttag.errors import (
    FileError,
    NotLocked,
    NotMirrored,
    ReferenceInvalid,
    Refused,
    SettingsError,
    Tampered,
    TtagError,
    Unreachable,
)
from ttag.lock import Lock
from ttag.lock_format import LockedTarget
from ttag.mirror.reader import Mirror
from ttag.project import Project
from ttag.registry import ExportOptions, Registry
from ttag.resolution import Export, Resolution
from ttag.version import __version__

__all__ = [
    "Export",
    "ExportOptions",
    "FileError",
    "Lock",
    "LockedTarget",
    "Mirror",
    "NotLocked",
    "NotMirrored",
    "Project",
    "ReferenceInvalid",
    "Refused",
    "Registry",
    "Resolution",
    "SettingsError",
    "Tampered",
    "TtagError",
    "Unreachable",
    "__version__",
]
