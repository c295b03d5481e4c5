"""Every answer shows the writes that were acknowledged before it, from any process and any node.

On PostgreSQL, a node learns of a commit by a notification; it trusts its memory for at most two
seconds without one.
"""

import os
from pathlib import Path

from registry.server.revisions import MAX_SILENCE
from tests.stale_answers.nodes import hammer_all, nodes

SECONDS = 2


def test_no_answer_is_older_than_what_has_been_acknowledged(tmp_path: Path) -> None:
    with nodes(tmp_path) as (servers, token):
        results = hammer_all([server.port for server in servers], token, SECONDS)
    allowed = MAX_SILENCE if os.environ.get("DATABASE_URL") else 0
    for result in results:
        assert max(result.delays) <= allowed, result.stale
        assert len(result.delays) > 2
        assert result.answers > 20
