"""The rules for texts in a discussion, on proposals as on requests for namespaces."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import QuerySet

from registry.domain import user_text
from registry.domain.errors import Code, Refused, echo
from registry.models import User
from registry.models.remarks import Remark

MAX_TEXT = 4000  # characters of one remark
MAX_REMARKS = 1000  # in one discussion, before it accepts no more comments

R = TypeVar("R", bound=Remark)


def check_text(text: str, *, needed: bool = True) -> str:
    """Return a text, stripped. Raises `Refused` (REQUEST_INVALID) if it is invalid."""
    return user_text.check_comment(text, max_length=MAX_TEXT, is_required=needed)


def sent_before(remarks: QuerySet[R], author: User, key: str) -> R | None:
    """Return the remark of a form that was submitted before; None if it is new or has no key.

    At most one query. Reliable only under the write lock.
    """
    return remarks.filter(author=author, key=key).first() if key else None


# Decision 198: a key stands for what was sent.
def refuse_other_text(earlier: Remark, text: str) -> None:
    """Raise `Refused` (CONFLICT) if the form that was sent before had another text.

    Somebody has gone back and changed it: the new text would be lost.
    """
    if earlier.text != text:
        raise Refused(
            Code.CONFLICT,
            f"This was already sent, with {echo(earlier.text) or 'no text'} instead. To add this "
            "one, send the form again, or use another key.",
        )


def next_sequence(remarks: QuerySet[R], subject: object, *, is_comment: bool) -> int:
    """Return the number of the next remark in a discussion, of which these are all. One query.

    Raises `Refused` (CONFLICT) for a comment if there are too many.
    """
    sequence = remarks.count() + 1
    if is_comment and sequence > MAX_REMARKS:
        raise Refused(Code.CONFLICT, f"{subject} has {MAX_REMARKS} turns, the maximum.")
    return sequence
