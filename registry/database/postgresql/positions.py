"""Positions in the write-ahead log, by which a standby knows whether it has a write yet."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

FORM = re.compile(r"([1-9]\d{0,9})-([0-9A-F]{1,8})/([0-9A-F]{1,8})", re.ASCII)
END = 0xFFFF_FFFF_FFFF_FFFF  # of every log

# A primary has all that was written on its timeline. A standby is told of a new timeline by the
# connection to its primary, if its account may see that, or else by the next restart point.
READ_POSITION = f"""
SELECT
CASE WHEN pg_is_in_recovery() THEN greatest(
  (SELECT timeline_id FROM pg_control_checkpoint()), (SELECT received_tli FROM pg_stat_wal_receiver)
) ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END,
CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - '0/0' ELSE {END} END
"""  # noqa: S608 - a number
# After a commit. What is flushed may lack it, if `synchronous_commit` is off. No row on a standby.
READ_WRITTEN = """
SELECT ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int,
pg_current_wal_insert_lsn() - '0/0' WHERE NOT pg_is_in_recovery()
"""


class Position(NamedTuple):
    """A timeline, which a promotion begins, and a number of bytes in its log."""

    timeline: int
    offset: int

    def __str__(self) -> str:
        """Return the position as clients send it back."""
        high, low = divmod(self.offset, 2**32)
        return f"{self.timeline}-{high:X}/{low:X}"

    @classmethod
    def parse(cls, text: str) -> Position | None:
        """Return the position that a text states; None if it states none."""
        match = FORM.fullmatch(text)
        if match is None:
            return None
        return cls(int(match[1]), int(match[2], 16) * 2**32 + int(match[3], 16))

    @classmethod
    def of_row(cls, row: Any) -> Position | None:
        """Return the position in a row of one of the statements above; None if it has none."""
        timeline, offset = row
        return None if timeline is None or offset is None else cls(timeline, int(offset))

    def has(self, other: Position) -> bool:
        """Return whether a server that is here has what was written up to another position.

        A later timeline has left out what it lacks; an earlier one may never get it.
        """
        return self.timeline >= other.timeline and self.offset >= other.offset
