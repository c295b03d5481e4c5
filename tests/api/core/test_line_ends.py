"""Line ends in texts of requests: any kind is accepted where lines are, and stored as LF."""

import json
from typing import Any

import pytest

from registry.domain import document
from registry.models import Event, Proposal, ProposalRevision, Turn, User, Version
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from tests.api.conftest import Post
from tests.api.problems import problem
from tests.publishing import propose, publish as publish_version, row_counts

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
ENDS = ["\n", "\r\n", "\r"]


@pytest.fixture
def alices(alice: User, acme: object) -> str:
    """Return a header with Alice's token for everything in acme."""
    token = tokens.issue_token(
        alice, label="all", scopes=set(Scope), pattern="acme", actor=Actor.operator(alice)
    )
    return f"Bearer {token}"


@pytest.mark.parametrize("end", ENDS)
def test_a_message_is_stored_with_lf(end: str, publish: Post) -> None:
    assert publish("acme/board", BOARD, message=f"a{end}{end}b{end}").status_code == 201
    assert Version.objects.get(tag__text="acme/board").message == "a\n\nb"


@pytest.mark.parametrize("end", ENDS)
def test_texts_of_proposals_are_stored_with_lf(end: str, post: Post, alices: str) -> None:
    payload = {"tag": "acme/board", "target": BOARD, "message": f"a{end}b"}
    assert post("proposals", payload, Authorization=alices).status_code == 201
    number = Proposal.objects.get().pk
    for action in ("comment", "reject"):
        turn: dict[str, Any] = {"text": f"{end}a{end}\tb"}
        turn |= {"revision": 1} if action == "reject" else {}
        assert post(f"proposals/{number}/{action}", turn, Authorization=alices).status_code < 300
    assert ProposalRevision.objects.get().message == "a\nb"
    assert [turn.text for turn in Turn.objects.order_by("pk")] == ["", "a\n\tb", "a\n\tb"]


@pytest.mark.parametrize("end", ENDS)
def test_a_reason_is_one_line(end: str, post: Post, alices: str) -> None:
    publish_version("acme/board", BOARD)
    before = row_counts()
    response = post("yank/acme/board@1.0.0", {"reason": f"a{end}b"}, Authorization=alices)
    (error,) = problem(response, "REQUEST_INVALID")["errors"]
    assert error["pointer"] == "/reason"
    assert error["message"] == "a line break is not allowed here"
    assert "in one line" in error["expected"]
    assert row_counts() == before
    reason = {"reason": f"wrong{end}"}  # the last line end goes, as all white space around does
    assert post("yank/acme/board@1.0.0", reason, Authorization=alices).status_code == 200
    assert (
        json.loads(Event.objects.filter(action="version.yanked").get().detail)["reason"] == "wrong"
    )


@pytest.mark.parametrize("character", ["\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"])
def test_other_separators_of_lines_are_rejected(character: str, post: Post, alices: str) -> None:
    propose("acme/board", BOARD, by="bob")
    before = row_counts()
    payload = {"text": f"a\r\n{character}b"}
    response = post(f"proposals/{Proposal.objects.get().pk}/comment", payload, Authorization=alices)
    (error,) = problem(response, "REQUEST_INVALID")["errors"]
    assert (error["pointer"], error["message"]) == (
        "/text",
        f"U+{ord(character):04X} is not allowed here",
    )
    assert row_counts() == before


@pytest.mark.parametrize("end", ENDS)
def test_a_body_is_stored_as_sent(end: str, post: Post, alices: str) -> None:
    """Its digest covers the target, and a reader finds the faults of a body where they were."""
    source = json.dumps(BOARD, indent=1).replace("\n", end)
    headers: dict[str, Any] = {"Authorization": alices, "If-None-Match": "*"}
    response = post("versions/acme/board", f'{{"target": {source}}}', **headers)
    version = Version.objects.get(tag__text="acme/board")
    assert version.source == source
    assert document.parse_json(version.source) == BOARD
    assert response.json()["digest"] == version.digest == publish_version("acme/b", BOARD).digest
