"""The revision of all answers: a number that increases with every write that can change one.

Triggers advance it (`registry.models.revision_triggers`), so no writer can forget it. Server
processes keep answers in memory for as long as it stays the same.
"""

from __future__ import annotations

from django.db import models


class AnswerRevision(models.Model):
    """The only row of its table. A new database starts from the time, so no number occurs twice."""

    number = models.PositiveBigIntegerField(db_comment="increases with every change of an answer")

    def __str__(self) -> str:
        return str(self.number)
