"""The revisions of kinds and their changes."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.kinds.kind_revisions import Aspect
from registry.models import User
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds, revision_history
from tests.services.kinds.schemas import with_option

pytestmark = pytest.mark.django_db


def revise(author: User, minimum: int) -> None:
    schema = with_option(dict(shipped_facts.kinds()["llvm"]), "warp-sum", minimum=minimum)
    kinds.revise_kind("llvm", schema, actor=Actor.operator(author))


def test_first_revision_has_no_changes() -> None:
    (first,) = revision_history.revision_changes("llvm")
    assert (first.revision.number, first.changes) == (1, ())


def test_revisions_list_their_changes_newest_first(alice: User) -> None:
    revise(alice, 1)
    revise(alice, 2)
    rows = revision_history.revision_changes("llvm")
    assert [row.revision.number for row in rows] == [3, 2, 1]
    changes = [[(change.option, change.aspect) for change in row.changes] for row in rows]
    assert changes == [[("warp-sum", Aspect.RANGE)], [("warp-sum", Aspect.ADDED)], []]
    assert rows[0].revision.author == alice


def test_older_revisions_are_omitted_and_queries_do_not_grow(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revision_history, "MAX_REVISIONS", 2)
    for minimum in range(1, 5):
        revise(alice, minimum)
        for expected in (2, 1):  # the second time, the changes are in memory
            with CaptureQueriesContext(connection) as captured:
                rows = revision_history.revision_changes("llvm")
                assert all(row.revision.author.username for row in rows)
            assert len(captured) == expected
    assert [row.revision.number for row in rows] == [5, 4]
