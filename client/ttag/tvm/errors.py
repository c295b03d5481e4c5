"""Errors of builds with TVM, each a sentence that says what to do."""

from __future__ import annotations

from ttag.errors import NotUsable, TtagError


class TvmUnusable(TtagError):
    """TVM is missing, or has another version than this package knows."""


class Removed(NotUsable):
    """An executor or runtime that TVM no longer has."""


class Lossy(NotUsable):
    """Settings of a target that this build, or TVM's table of tags, would ignore."""


class CodegenUnusable(NotUsable):
    """A code generator that is not registered, or that has nothing to compile."""


class RecordInvalid(NotUsable):
    """A record of a target on a module that this version of `ttag` cannot read."""


class Misplaced(NotUsable):
    """Functions that cannot be built for the targets that they are annotated with."""


class Unscheduled(NotUsable):
    """Functions for a GPU that have no threads: TVM compiles them for the host instead."""


class ArtefactDiffers(NotUsable):
    """A build that is not for the target that it was asked for."""
