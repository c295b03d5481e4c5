"""Targets of the registry in TVM 0.27: one path from a module and a reference to machine code.

    import ttag.tvm

    executable = ttag.tvm.compile(module, "aws/c4.4xlarge@1")

TVM is imported when it is first needed. The registry comes from the settings of the project.
"""

from ttag.tvm.annotations import annotate, targets_of
from ttag.tvm.artefacts import Content, read_back
from ttag.tvm.build import compile, target
from ttag.tvm.description import Origin
from ttag.tvm.errors import (
    ArtefactDiffers,
    CodegenUnusable,
    Lossy,
    Misplaced,
    RecordInvalid,
    Removed,
    TvmUnusable,
    Unscheduled,
)
from ttag.tvm.losses import LossyWarning
from ttag.tvm.tag_table import register

__all__ = [
    "ArtefactDiffers",
    "CodegenUnusable",
    "Content",
    "Lossy",
    "LossyWarning",
    "Misplaced",
    "Origin",
    "RecordInvalid",
    "Removed",
    "TvmUnusable",
    "Unscheduled",
    "annotate",
    "compile",
    "read_back",
    "register",
    "target",
    "targets_of",
]
