"""Helpers for redaction tests."""

import gzip
import io

from django.db import connection

from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.operations import backups, redaction

SECRET = "hunter2"
BOARD = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell"}


def redact(text: str, actor: User, reason: str = "a password") -> redaction.RedactionResult:
    connection.check_constraints()  # deferred, as all is one transaction
    return redaction.redact(text, reason=reason, actor=Actor.operator(actor))


def stored() -> list[str]:
    """Return every archived row as text."""
    file = io.BytesIO()
    backups.back_up(file)
    return gzip.decompress(file.getvalue()).decode().splitlines()[1:-1]
