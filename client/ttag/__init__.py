"""The Target Tag Registry inside a build: resolve, lock and cache compile targets.

    from ttag import Registry

    resolution = Registry("https://registry.example.org").resolve("aws/c4.4xlarge@1")
    print(resolution.version, resolution.digest, resolution.target["mcpu"])

`Project.open()` reads the settings of a project and resolves as the command `ttag` does.
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
from ttag.mirror.reader import Mirror
from ttag.project import Project
from ttag.registry import ExportOptions, Registry
from ttag.resolution import Export, Resolution
from ttag.version import __version__

__all__ = [
    "Export",
    "ExportOptions",
    "FileError",
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
