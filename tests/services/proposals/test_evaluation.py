"""Verdicts on many proposals equal the results of checking each."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code
from registry.domain.reference import Tag
from registry.models import ProposalRevision, User
from registry.services.proposals import evaluation
from registry.services.proposals.evaluation import Evaluation
from registry.services.versions import checking
from tests.publishing import propose, publish, yank
from tests.services.proposals.test_submission import BOARD, WIDER

pytestmark = pytest.mark.usefixtures("acme")


def revisions() -> list[ProposalRevision]:
    return list(ProposalRevision.objects.select_related("proposal").order_by("proposal"))


def newest_evaluation() -> Evaluation:
    """Return the evaluation on the newest proposal."""
    last = revisions()[-1]
    return evaluation.evaluate_revisions([last])[last.pk]


def test_evaluation_equals_a_check() -> None:
    publish("acme/board", BOARD)
    for tag, body in {
        "acme/board": WIDER,
        "acme/board:big": {"tag": "acme/board", "num-cores": 64},
        "acme/twin": BOARD,
        "acme/pair": {"kind": "composite", "devices": ["acme/board", "arm/soc:aot@1"]},
        "acme/odd": BOARD | {"mcpu": "haswel", "mtriple": "x86_64-linux-gnu"},
    }.items():
        propose(tag, body)
    evaluations = evaluation.evaluate_revisions(revisions())
    for revision in revisions():
        expected = checking.check(Tag.parse(revision.proposal.tag), revision.source)
        draft = evaluations[revision.pk].draft
        assert draft
        for name in ("digest", "number", "bump", "diff", "tuning_keys"):
            assert repr(getattr(draft, name)) == repr(getattr(expected, name)), revision
        assert evaluations[revision.pk].lints == expected.lints
        assert not evaluations[revision.pk].has_moved


def test_evaluation_follows_the_current_kinds(alice: User) -> None:
    publish("acme/parent", BOARD)
    propose("acme/child", {"tag": "acme/parent", "num-cores": 2})
    assert newest_evaluation().draft
    publish("acme/parent", WIDER)
    yank("acme/parent@1.0.0")
    yank("acme/parent@2.0.0")
    result = newest_evaluation()
    assert result.draft is None
    assert result.refusal
    assert [fault.pointer for fault in result.refusal.faults] == [""]


def test_moved_tag_is_detected() -> None:
    propose("acme/board", WIDER)
    assert not newest_evaluation().has_moved
    publish("acme/board", BOARD)
    assert newest_evaluation().has_moved
    assert str(newest_evaluation().last) == "1.0.0"


def test_dependents_are_counted() -> None:
    publish("acme/board", BOARD)
    publish("acme/child", {"tag": "acme/board", "num-cores": 2})
    publish("acme/pinned", {"tag": "acme/board@1.0.0", "num-cores": 3})
    propose("acme/board", WIDER)
    assert newest_evaluation().dependents == 1


def test_single_evaluation_detects_cycles() -> None:
    publish("acme/board", BOARD)
    publish("acme/other", WIDER)
    propose("acme/board", {"tag": "acme/other", "num-cores": 2})
    publish("acme/other", {"tag": "acme/board", "num-cores": 3})
    result = evaluation.evaluate_revision(revisions()[-1])
    assert result.draft is None
    assert result.refusal
    assert result.refusal.code == Code.CYCLE


def count_queries(evaluated: list[ProposalRevision]) -> int:
    with CaptureQueriesContext(connection) as captured:
        evaluation.evaluate_revisions(evaluated)
    return len([query for query in captured if '"registry_' in query["sql"]])


def test_number_of_queries_does_not_depend_on_the_number_of_proposals() -> None:
    publish("acme/board", BOARD)
    for number in range(30):
        publish(f"acme/board-{number}", WIDER)
        parent = "acme/board" if number % 2 else f"acme/board-{number - 1}"
        body: Any = {"tag": parent, "num-cores": number + 9}
        propose(f"acme/board-{number}", body if number else WIDER | {"num-cores": 2})
    assert count_queries(revisions()[1:2]) == count_queries(revisions()) == 8
