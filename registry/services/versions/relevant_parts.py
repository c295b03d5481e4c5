"""The parts of targets that verdicts depend on, remembered by each process."""

from __future__ import annotations

import json
from collections.abc import Sequence

from registry.domain.document import canonical
from registry.models import Version
from ttag_rules.compatibility.relevant import relevant_part

MAX_REMEMBERED = 200_000  # targets in each process
READ_AT_ONCE = 500


class RelevantParts:
    """The relevant parts of targets, by the target's digest: many targets share one.

    What a digest names never changes. All are forgotten when there are too many.
    """

    def __init__(self) -> None:
        self._parts: dict[str, str] = {}
        self._shared: dict[str, str] = {}

    def of(self, digests: Sequence[str]) -> list[str]:
        """Return the parts of targets. A query for each 500 that this process has not read."""
        if len(self._parts) > MAX_REMEMBERED:
            self._parts, self._shared = {}, {}
        parts = self._parts  # others may begin anew
        missing = list(dict.fromkeys(each for each in digests if each not in parts))
        for start in range(0, len(missing), READ_AT_ONCE):
            rows = Version.objects.filter(digest__in=missing[start : start + READ_AT_ONCE])
            for digest, target in rows.values_list("digest", "target").distinct():
                text = canonical(relevant_part(json.loads(target))).decode()
                parts[digest] = self._shared.setdefault(text, text)
        return [parts[digest] for digest in digests]


RELEVANT_PARTS = RelevantParts()
