"""Errors of builds with TVM, each a sentence that says what to do."""

from __future__ import annotations

from ttag.errors import ExitCode, TtagError


class TvmUnusable(TtagError):
    """TVM is missing, or has another version than this package knows."""


class Removed(TtagError):
    """An executor or runtime that TVM no longer has."""

    exit_code = ExitCode.REFUSED


class Lossy(TtagError):
    """Settings of a target that this build, or TVM's table of tags, would ignore."""

    exit_code = ExitCode.REFUSED


class CodegenUnusable(TtagError):
    """A code generator that is not registered, or that has nothing to compile."""

    exit_code = ExitCode.REFUSED


class RecordInvalid(TtagError):
    """A record of a target on a module that this version of `ttag` cannot read."""

    exit_code = ExitCode.REFUSED


class Misplaced(TtagError):
    """Functions that cannot be built for the targets that they are annotated with."""

    exit_code = ExitCode.REFUSED
