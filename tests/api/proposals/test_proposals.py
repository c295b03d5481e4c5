"""Proposals over the API: submitted, listed, talked about, decided."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.models import Namespace, Proposal, ProposalRevision, User, Version
from registry.services.accounts import tokens
from registry.services.core import paging
from registry.services.core.permissions import Actor, Scope
from registry.services.proposals import review
from tests.api.conftest import Post
from tests.api.problems import problem
from tests.publishing import person, propose, publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell"}
WIDER = BOARD | {"num-cores": 8}


def authorization(name: str, *scopes: Scope) -> dict[str, str]:
    user = person(name)
    made = tokens.issue_token(
        user, label="t", scopes=set(scopes or Scope), pattern="acme", actor=Actor.operator(user)
    )
    return {"Authorization": f"Bearer {made}"}


@pytest.fixture
def bob(acme: Namespace) -> dict[str, str]:
    """The header of somebody who may propose."""
    return authorization("bob", Scope.PROPOSE)


@pytest.fixture
def curator(acme: Namespace) -> dict[str, str]:
    """The header of Alice, who owns acme."""
    return authorization("alice")


def test_proposal_is_created(post: Post, bob: dict[str, str], client: Client) -> None:
    said = {"tag": "acme/board", "target": BOARD, "message": "First", "sources": ["https://x.org/"]}
    response = post("proposals", said, **bob)
    assert response.status_code == 201
    assert response["Location"] == "/api/v1/proposals/1"
    assert response["Cache-Control"] == "no-store"
    found = response.json()
    assert client.get(response["Location"]).json() == found
    verdict = found.pop("verdict")
    assert verdict == post("check", {"tag": "acme/board", "target": BOARD}).json()
    created = found.pop("created")
    assert found.pop("changed") >= created
    assert found == {
        "number": 1,
        "url": "/proposals/1",
        "tag": "acme/board",
        "state": "open",
        "submitter": "bob",
        "revision": 1,
        "base": None,
        "version": None,
        "asked": ["alice"],
        "moved": False,
        "revisions": [
            {
                "number": 1,
                "base": None,
                "created": created,
                "message": "First",
                "sources": ["https://x.org/"],
                "target": BOARD,
            }
        ],
        "history": [{"act": "submit", "by": "bob", "at": created, "revision": 1, "text": ""}],
    }


def test_another_description_becomes_a_body(post: Post, bob: dict[str, str]) -> None:
    said = {"tag": "acme/gpu", "format": "tvm-string", "source": "cuda -arch=sm_80"}
    found = post("proposals", said, **bob).json()
    assert found["revisions"][0]["target"] == {"kind": "cuda", "arch": "sm_80"}


def test_body_is_kept_to_the_letter(post: Post, bob: dict[str, str]) -> None:
    text = '{ "num-cores": 8,  "kind": "llvm" }'
    post("proposals", f'{{"tag": "acme/board", "target": {text}}}', **bob)
    assert ProposalRevision.objects.get().source == text


def test_base_is_what_was_published_last_unless_it_is_said(post: Post, bob: dict[str, str]) -> None:
    publish("acme/board", BOARD)
    said = {"tag": "acme/board", "target": WIDER}
    assert post("proposals", said, **bob).json()["base"] == "1.0.0"
    for stale in (None, "0.9.0"):
        problem(post("proposals", said | {"base": stale}, **bob), "PRECONDITION_FAILED")
    for base in (1, "1.0", "", ["1.0.0"], True):
        found = problem(post("proposals", said | {"base": base}, **bob), "REQUEST_INVALID")
        assert found["errors"][0]["pointer"] == "/base"


def test_same_request_again_is_answered_the_same(post: Post, bob: dict[str, str]) -> None:
    said = {"tag": "acme/board", "target": BOARD}
    headers = bob | {"Idempotency-Key": "once"}
    first, again = (post("proposals", said, **headers) for _ in range(2))
    assert again.status_code == first.status_code == 201
    assert again["Location"] == first["Location"]
    assert again.json() == first.json()
    assert Proposal.objects.count() == 1
    problem(post("proposals/1/withdraw", {}, **headers), "CONFLICT")


def test_the_whole_story(post: Post, bob: dict[str, str], curator: dict[str, str]) -> None:
    publish("acme/board", BOARD)
    post("proposals", {"tag": "acme/board", "target": WIDER}, **bob)
    asked = post("proposals/1/ask", {"revision": 1, "text": "Eight?"}, **curator).json()
    assert asked["state"] == "changes-asked"
    post("proposals/1/comment", {"text": "Four. Wait"}, **bob)
    four = {"revision": 1, "target": BOARD | {"num-cores": 4}, "text": "Four"}
    revised = post("proposals/1/revise", four, **bob).json()
    assert (revised["state"], revised["revision"]) == ("open", 2)
    response = post("proposals/1/accept", {"revision": 2, "text": "Thanks"}, **curator)
    assert response.status_code == 201
    assert response["Location"] == "/api/v1/resolve/acme/board@2.0.0"
    found = response.json()
    assert (found["state"], found["version"]) == ("accepted", "acme/board@2.0.0")
    assert found["verdict"] is found["moved"] is None
    assert [(turn["act"], turn["by"], turn["text"]) for turn in found["history"]] == [
        ("submit", "bob", ""),
        ("ask", "alice", "Eight?"),
        ("comment", "bob", "Four. Wait"),
        ("revise", "bob", "Four"),
        ("accept", "alice", "Thanks"),
    ]


def test_who_proposed_is_the_author(
    post: Post, bob: dict[str, str], curator: dict[str, str], client: Client
) -> None:
    publish("acme/board", BOARD)
    post("proposals", {"tag": "acme/board", "target": WIDER}, **bob)
    post("proposals/1/accept", {"revision": 1}, **curator)
    newest, first = client.get("/api/v1/versions/acme/board").json()["results"]
    assert (newest["publisher"], newest["author"]) == ("alice", "bob")
    assert (first["publisher"], first["author"]) == ("alice", None)
    assert client.get("/api/v1/tags/acme/board").json()["newest"]["author"] == "bob"


def test_moved_tag_says_so(client: Client, post: Post, curator: dict[str, str]) -> None:
    propose("acme/board", WIDER, by="bob")
    publish("acme/board", BOARD)
    found = client.get("/api/v1/proposals/1").json()
    assert found["moved"] is True
    assert found["verdict"]["bump"] == "MAJOR"
    problem(post("proposals/1/accept", {"revision": 1}, **curator), "CONFLICT")


def test_verdict_is_of_today(client: Client) -> None:
    publish("acme/parent", BOARD)
    propose("acme/child", {"tag": "acme/parent", "num-cores": 2}, by="bob")
    publish("acme/parent", {"kind": "c"})
    found = client.get("/api/v1/proposals/1").json()
    assert found["verdict"]["valid"] is False
    assert [each["code"] for each in found["verdict"]["errors"]] == ["OPTION_UNKNOWN"]


def numbers(client: Client, query: str = "") -> list[int]:
    found = client.get(f"/api/v1/proposals{query}").json()
    return [row["number"] for row in found["results"]]


def test_list_is_the_queue_unless_more_is_asked_for(client: Client, alice: User) -> None:
    for at in range(4):
        propose(f"acme/board-{at}", BOARD, by="bob" if at else "carol")
    review.accept(2, seen=1, actor=Actor.operator(alice))
    review.request_changes(3, seen=1, text="Why?", actor=Actor.operator(alice))
    assert numbers(client) == [1, 3, 4]
    assert numbers(client, "?state=all") == [1, 2, 3, 4]
    assert numbers(client, "?state=accepted") == [2]
    assert numbers(client, "?state=changes-asked&namespace=acme") == [3]
    assert numbers(client, "?submitter=carol") == [1]
    assert numbers(client, "?tag=acme/board-3") == [4]
    assert numbers(client, "?namespace=arm&state=all") == []
    assert client.get("/api/v1/proposals?submitter=bob").json()["counts"] == {
        "undecided": 2,
        "open": 1,
        "changes-asked": 1,
        "accepted": 1,
        "rejected": 0,
        "withdrawn": 0,
        "all": 3,
    }
    (row,) = client.get("/api/v1/proposals?state=accepted").json()["results"]
    assert row["version"] == "acme/board-1@1.0.0"
    assert row["moved"] is row["valid"] is row["bump"] is row["lints"] is row["dependents"] is None


@pytest.mark.parametrize("query", ["state=closed", "cursor=x", "state=open&state=all"])
def test_question_that_is_none(client: Client, query: str) -> None:
    code = "REQUEST_INVALID" if query.count("state") > 1 else "FILTER_INVALID"
    problem(client.get(f"/api/v1/proposals?{query}"), code)


def test_filters_that_nothing_answers_to(client: Client) -> None:
    found = problem(client.get("/api/v1/proposals?namespace=acm"), "NAMESPACE_UNKNOWN")
    assert "acme" in found["suggestions"]
    for text in ("submitter=%00", "tag=%E2%80%AE", "submitter=nobody", "tag=acme/nothing"):
        assert numbers(client, f"?{text}") == []


def test_pages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "PAGE", 2)
    for at in range(3):
        propose(f"acme/board-{at}", BOARD)
    first = client.get("/api/v1/proposals").json()
    second = client.get(first["next"]).json()
    assert [row["number"] for row in first["results"] + second["results"]] == [1, 2, 3]
    assert second["next"] is None


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(f"/api/v1/{path}").status_code == 200
    return len([each for each in captured if '"registry_' in each["sql"]])


def test_queries_do_not_grow(client: Client, alice: User) -> None:
    publish("acme/parent", BOARD)
    for at in range(2):
        propose(f"acme/board-{at}", {"tag": "acme/parent", "num-cores": at + 1}, by="bob")
    few = queries(client, "proposals"), queries(client, "proposals/1")
    for at in range(2, 30):
        propose(f"acme/board-{at}", {"tag": "acme/parent", "num-cores": at + 1}, by="bob")
        review.comment(1, text="Hm", actor=Actor.operator(alice))
    assert (queries(client, "proposals"), queries(client, "proposals/1")) == few
    assert few[0] <= 13
    assert few[1] <= 18


@pytest.mark.parametrize("number", ["99", "0", "-1", "01", "1.0", "x", "", "9" * 400, "1/x", "%00"])
def test_number_that_is_none(number: str, client: Client, post: Post, bob: dict[str, str]) -> None:
    propose("acme/board", BOARD)
    problem(client.get(f"/api/v1/proposals/{number}"), "PROPOSAL_UNKNOWN")
    problem(post(f"proposals/{number}/comment", {"text": "Hm"}, **bob), "PROPOSAL_UNKNOWN")
    problem(post(f"proposals/{number}/comment", {"text": "Hm"}), "UNAUTHENTICATED")


def test_acts_are_posted(client: Client) -> None:
    propose("acme/board", BOARD)
    response = client.get("/api/v1/proposals/1/accept")
    problem(response, "METHOD_NOT_ALLOWED")
    assert response["Allow"] == "POST, OPTIONS"


def test_namespace_says_who_looks_first(client: Client) -> None:
    Namespace.objects.filter(name="acme").update(policy="four-eyes")
    assert client.get("/api/v1/namespaces/acme").json()["policy"] == "four-eyes"


def test_nothing_is_published_by_proposing(post: Post, bob: dict[str, str]) -> None:
    before = Version.objects.count()
    assert json.loads(post("proposals", {"tag": "acme/b", "target": BOARD}, **bob).content)
    assert Version.objects.count() == before


def test_any_account_may_talk(post: Post, bob: dict[str, str]) -> None:
    propose("acme/board", BOARD)
    found: Any = post("proposals/1/comment", {"text": "<b>bold</b>"}, **bob).json()
    assert found["history"][-1]["text"] == "<b>bold</b>"  # a text; pages escape it
