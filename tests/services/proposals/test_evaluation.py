"""Verdicts equal those of a check, for many proposals at once."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code
from registry.domain.reference import Tag
from registry.models import ProposalRevision, User
from registry.services.proposals import evaluation
from registry.services.proposals.evaluation import Verdict
from registry.services.versions import checking
from tests.publishing import propose, publish, yank
from tests.services.proposals.test_submission import BOARD, WIDER

pytestmark = pytest.mark.usefixtures("acme")


def revisions() -> list[ProposalRevision]:
    return list(ProposalRevision.objects.select_related("proposal").order_by("proposal"))


def verdict() -> Verdict:
    """Return the verdict on the newest proposal."""
    last = revisions()[-1]
    return evaluation.evaluate_revisions([last])[last.pk]


def test_verdict_equals_a_check() -> None:
    publish("acme/board", BOARD)
    for tag, body in {
        "acme/board": WIDER,
        "acme/board:big": {"tag": "acme/board", "num-cores": 64},
        "acme/twin": BOARD,
        "acme/pair": {"kind": "composite", "devices": ["acme/board", "arm/soc:aot@1"]},
        "acme/odd": BOARD | {"mcpu": "haswel", "mtriple": "x86_64-linux-gnu"},
    }.items():
        propose(tag, body)
    found = evaluation.evaluate_revisions(revisions())
    for revision in revisions():
        expected = checking.check(Tag.parse(revision.proposal.tag), revision.source)
        draft = found[revision.pk].draft
        assert draft
        for member in ("digest", "number", "bump", "diff", "tuning_keys"):
            assert repr(getattr(draft, member)) == repr(getattr(expected, member)), revision
        assert found[revision.pk].lints == expected.lints
        assert not found[revision.pk].has_moved


def test_verdict_follows_the_current_kinds(alice: User) -> None:
    publish("acme/parent", BOARD)
    propose("acme/child", {"tag": "acme/parent", "num-cores": 2})
    assert verdict().draft
    publish("acme/parent", WIDER)
    yank("acme/parent@1.0.0")
    yank("acme/parent@2.0.0")
    found = verdict()
    assert found.draft is None
    assert found.refusal
    assert [fault.pointer for fault in found.refusal.faults] == [""]


def test_moved_tag_is_detected() -> None:
    propose("acme/board", WIDER)
    assert not verdict().has_moved
    publish("acme/board", BOARD)
    assert verdict().has_moved
    assert str(verdict().last) == "1.0.0"


def test_dependents_are_counted() -> None:
    publish("acme/board", BOARD)
    publish("acme/child", {"tag": "acme/board", "num-cores": 2})
    publish("acme/pinned", {"tag": "acme/board@1.0.0", "num-cores": 3})
    propose("acme/board", WIDER)
    assert verdict().dependents == 1


def test_single_evaluation_detects_cycles() -> None:
    publish("acme/board", BOARD)
    publish("acme/other", WIDER)
    propose("acme/board", {"tag": "acme/other", "num-cores": 2})
    publish("acme/other", {"tag": "acme/board", "num-cores": 3})
    found = evaluation.evaluate_revision(revisions()[-1])
    assert found.draft is None
    assert found.refusal
    assert found.refusal.code == Code.CYCLE


def queries(of: list[ProposalRevision]) -> int:
    with CaptureQueriesContext(connection) as captured:
        evaluation.evaluate_revisions(of)
    return len([each for each in captured if '"registry_' in each["sql"]])


def test_number_of_queries_does_not_depend_on_the_number_of_proposals() -> None:
    publish("acme/board", BOARD)
    for at in range(30):
        publish(f"acme/board-{at}", WIDER)
        body: Any = {"tag": "acme/board" if at % 2 else f"acme/board-{at - 1}", "num-cores": at + 9}
        propose(f"acme/board-{at}", body if at else WIDER | {"num-cores": 2})
    assert queries(revisions()[1:2]) == queries(revisions()) <= 9
