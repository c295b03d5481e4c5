"""Tests of proposals over the API: submission, lists, comments and decisions."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.models import (
    Namespace,
    Policy,
    Proposal,
    ProposalRevision,
    Role,
    User,
    Version,
)
from registry.services.accounts import tokens
from registry.services.core import paging
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.proposals import review
from tests.api.conftest import Post
from tests.api.problems import problem
from tests.publishing import person, propose, publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell"}
WIDER = BOARD | {"num-cores": 8}


def authorization(name: str, *scopes: Scope) -> dict[str, str]:
    user = person(name)
    token = tokens.issue_token(
        user, label="t", scopes=set(scopes or Scope), pattern="acme", actor=Actor.operator(user)
    )
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def bob(acme: Namespace) -> dict[str, str]:
    """Return the header of a user who can propose."""
    return authorization("bob", Scope.PROPOSE)


@pytest.fixture
def curator(acme: Namespace) -> dict[str, str]:
    """Return the header of Alice, who owns acme."""
    return authorization("alice")


def test_proposal_is_created(post: Post, bob: dict[str, str], client: Client) -> None:
    payload = {
        "tag": "acme/board",
        "target": BOARD,
        "message": "First",
        "sources": ["https://x.org/"],
    }
    response = post("proposals", payload, **bob)
    assert response.status_code == 201
    assert response["Location"] == "/api/v1/proposals/1"
    assert response["Cache-Control"] == "no-store"
    data = response.json()
    assert client.get(response["Location"]).json() == data
    verdict = data.pop("verdict")
    assert verdict == post("check", {"tag": "acme/board", "target": BOARD}).json()
    created = data.pop("created")
    assert data.pop("changed") >= created
    assert data == {
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
    payload = {"tag": "acme/gpu", "format": "tvm-string", "source": "cuda -arch=sm_80"}
    data = post("proposals", payload, **bob).json()
    assert data["revisions"][0]["target"] == {"kind": "cuda", "arch": "sm_80"}


def test_body_is_stored_unchanged(post: Post, bob: dict[str, str]) -> None:
    text = '{ "num-cores": 8,  "kind": "llvm" }'
    post("proposals", f'{{"tag": "acme/board", "target": {text}}}', **bob)
    assert ProposalRevision.objects.get().source == text


def test_base_defaults_to_the_version_published_last(post: Post, bob: dict[str, str]) -> None:
    publish("acme/board", BOARD)
    payload = {"tag": "acme/board", "target": WIDER}
    assert post("proposals", payload, **bob).json()["base"] == "1.0.0"
    for stale in (None, "0.9.0"):
        problem(post("proposals", payload | {"base": stale}, **bob), "PRECONDITION_FAILED")
    for base in (1, "1.0", "", ["1.0.0"], True):
        error = problem(post("proposals", payload | {"base": base}, **bob), "REQUEST_INVALID")
        assert error["errors"][0]["pointer"] == "/base"


def test_repeated_request_gets_the_same_response(post: Post, bob: dict[str, str]) -> None:
    payload = {"tag": "acme/board", "target": BOARD}
    headers = bob | {"Idempotency-Key": "once"}
    first, again = (post("proposals", payload, **headers) for _ in range(2))
    assert again.status_code == first.status_code == 201
    assert again["Location"] == first["Location"]
    assert again.json() == first.json()
    assert Proposal.objects.count() == 1
    problem(post("proposals/1/withdraw", {}, **headers), "CONFLICT")


def test_timeline_has_every_turn(post: Post, bob: dict[str, str], curator: dict[str, str]) -> None:
    publish("acme/board", BOARD)
    post("proposals", {"tag": "acme/board", "target": WIDER}, **bob)
    request = post("proposals/1/ask", {"revision": 1, "text": "Eight?"}, **curator).json()
    assert request["state"] == "changes-asked"
    post("proposals/1/comment", {"text": "Four. Wait"}, **bob)
    four = {"revision": 1, "target": BOARD | {"num-cores": 4}, "text": "Four"}
    revised = post("proposals/1/revise", four, **bob).json()
    assert (revised["state"], revised["revision"]) == ("open", 2)
    response = post("proposals/1/accept", {"revision": 2, "text": "Thanks"}, **curator)
    assert response.status_code == 201
    assert response["Location"] == "/api/v1/resolve/acme/board@2.0.0"
    data = response.json()
    assert (data["state"], data["version"]) == ("accepted", "acme/board@2.0.0")
    assert data["verdict"] is data["moved"] is None
    assert [(turn["act"], turn["by"], turn["text"]) for turn in data["history"]] == [
        ("submit", "bob", ""),
        ("ask", "alice", "Eight?"),
        ("comment", "bob", "Four. Wait"),
        ("revise", "bob", "Four"),
        ("accept", "alice", "Thanks"),
    ]


@pytest.mark.parametrize("floats", [True, False])
def test_acceptance_is_of_the_target_that_the_client_has_seen(
    post: Post, client: Client, curator: dict[str, str], floats: bool
) -> None:
    publish("acme/board", BOARD)
    propose("acme/kit", {"tag": "acme/board" if floats else "acme/board@1.0.0"}, by="bob")
    seen = client.get("/api/v1/proposals/1").json()["verdict"]["digest"]
    publish("acme/board", WIDER)
    request = {"revision": 1, "digest": seen}
    response = post("proposals/1/accept", request, **curator)
    if floats:
        problem(response, "PRECONDITION_FAILED")
        assert not Version.objects.filter(tag__text="acme/kit").exists()
        request["digest"] = client.get("/api/v1/proposals/1").json()["verdict"]["digest"]
        response = post("proposals/1/accept", request, **curator)
    assert response.status_code == 201
    assert Version.objects.get(tag__text="acme/kit").digest == request["digest"]


def test_acceptance_without_a_digest_is_of_the_target_of_the_moment(
    post: Post, curator: dict[str, str]
) -> None:
    publish("acme/board", BOARD)
    propose("acme/kit", {"tag": "acme/board"}, by="bob")
    publish("acme/board", WIDER)
    assert post("proposals/1/accept", {"revision": 1}, **curator).status_code == 201


@pytest.mark.parametrize("digest", ["", "sha256:0", "x", None, 1])
def test_acceptance_of_what_is_no_digest_is_refused(
    post: Post, curator: dict[str, str], digest: Any
) -> None:
    propose("acme/board", BOARD, by="bob")
    response = post("proposals/1/accept", {"revision": 1, "digest": digest}, **curator)
    (error,) = problem(response, "REQUEST_INVALID")["errors"]
    assert error["pointer"] == "/digest"


def test_submitter_becomes_the_author(
    post: Post, bob: dict[str, str], curator: dict[str, str], client: Client
) -> None:
    publish("acme/board", BOARD)
    post("proposals", {"tag": "acme/board", "target": WIDER}, **bob)
    post("proposals/1/accept", {"revision": 1}, **curator)
    newest, first = client.get("/api/v1/versions/acme/board").json()["results"]
    assert (newest["publisher"], newest["author"]) == ("alice", "bob")
    assert (first["publisher"], first["author"]) == ("alice", None)
    assert client.get("/api/v1/tags/acme/board").json()["newest"]["author"] == "bob"


def test_verdict_reports_a_newer_version_of_the_tag(
    client: Client, post: Post, curator: dict[str, str]
) -> None:
    propose("acme/board", WIDER, by="bob")
    publish("acme/board", BOARD)
    data = client.get("/api/v1/proposals/1").json()
    assert data["moved"] is True
    assert data["verdict"]["bump"] == "MAJOR"
    problem(post("proposals/1/accept", {"revision": 1}, **curator), "CONFLICT")


def test_four_eyes_accepts_with_the_second_of_two(
    post: Post, client: Client, bob: dict[str, str], curator: dict[str, str], acme: Namespace
) -> None:
    members.grant_role(acme, person("carol"), Role.CURATOR, actor=Actor.operator(person("alice")))
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    assert post("proposals", {"tag": "acme/board", "target": BOARD}, **bob).status_code == 201
    key = {"Idempotency-Key": "k"}
    for _ in range(2):
        response = post("proposals/1/accept", {"revision": 1}, **curator, **key)
        data = response.json()
        assert (response.status_code, data["state"], data["version"]) == (202, "open", None)
        assert "Location" not in response
    assert [turn["act"] for turn in data["history"]] == ["submit", "approve"]
    problem(post("proposals/1/accept", {"revision": 1}, **curator), "FORBIDDEN")
    response = post("proposals/1/accept", {"revision": 1}, **authorization("carol"))
    assert (response.status_code, response.json()["version"]) == (201, "acme/board@1.0.0")
    assert response["Location"] == "/api/v1/resolve/acme/board@1.0.0"


def test_verdict_uses_the_current_versions(client: Client) -> None:
    publish("acme/parent", BOARD)
    propose("acme/child", {"tag": "acme/parent", "num-cores": 2}, by="bob")
    publish("acme/parent", {"kind": "c"})
    data = client.get("/api/v1/proposals/1").json()
    assert data["verdict"]["valid"] is False
    assert [item["code"] for item in data["verdict"]["errors"]] == ["OPTION_UNKNOWN"]


def numbers(client: Client, query: str = "") -> list[int]:
    data = client.get(f"/api/v1/proposals{query}").json()
    return [row["number"] for row in data["results"]]


def test_list_has_only_the_queue_by_default(client: Client, alice: User) -> None:
    for number in range(4):
        propose(f"acme/board-{number}", BOARD, by="bob" if number else "carol")
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
def test_invalid_filter_is_rejected(client: Client, query: str) -> None:
    code = "REQUEST_INVALID" if query.count("state") > 1 else "FILTER_INVALID"
    problem(client.get(f"/api/v1/proposals?{query}"), code)


def test_filters_without_a_match_return_nothing(client: Client) -> None:
    error = problem(client.get("/api/v1/proposals?namespace=acm"), "NAMESPACE_UNKNOWN")
    assert "acme" in error["suggestions"]
    for text in ("submitter=%00", "tag=%E2%80%AE", "submitter=nobody", "tag=acme/nothing"):
        assert numbers(client, f"?{text}") == []


def test_pages_have_every_proposal_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "PAGE", 2)
    for number in range(3):
        propose(f"acme/board-{number}", BOARD)
    first = client.get("/api/v1/proposals").json()
    second = client.get(first["next"]).json()
    assert [row["number"] for row in first["results"] + second["results"]] == [1, 2, 3]
    assert second["next"] is None


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(f"/api/v1/{path}").status_code == 200
    return len([item for item in captured if '"registry_' in item["sql"]])


def test_number_of_queries_does_not_grow_with_the_list(client: Client, alice: User) -> None:
    publish("acme/parent", BOARD)
    for number in range(2):
        propose(f"acme/board-{number}", {"tag": "acme/parent", "num-cores": number + 1}, by="bob")
    few = queries(client, "proposals"), queries(client, "proposals/1")
    for number in range(2, 30):
        propose(f"acme/board-{number}", {"tag": "acme/parent", "num-cores": number + 1}, by="bob")
        review.comment(1, text="Hm", actor=Actor.operator(alice))
    assert (queries(client, "proposals"), queries(client, "proposals/1")) == few
    assert few[0] <= 13
    assert few[1] <= 18


@pytest.mark.parametrize("number", ["99", "0", "-1", "01", "1.0", "x", "", "9" * 400, "1/x", "%00"])
def test_invalid_proposal_number_is_unknown(
    number: str, client: Client, post: Post, bob: dict[str, str]
) -> None:
    propose("acme/board", BOARD)
    problem(client.get(f"/api/v1/proposals/{number}"), "PROPOSAL_UNKNOWN")
    problem(post(f"proposals/{number}/comment", {"text": "Hm"}, **bob), "PROPOSAL_UNKNOWN")
    problem(post(f"proposals/{number}/comment", {"text": "Hm"}), "UNAUTHENTICATED")


def test_actions_require_post(client: Client) -> None:
    propose("acme/board", BOARD)
    response = client.get("/api/v1/proposals/1/accept")
    problem(response, "METHOD_NOT_ALLOWED")
    assert response["Allow"] == "POST, OPTIONS"


def test_namespace_states_its_policy(client: Client) -> None:
    Namespace.objects.filter(name="acme").update(policy="four-eyes")
    assert client.get("/api/v1/namespaces/acme").json()["policy"] == "four-eyes"


def test_nothing_is_published_by_proposing(post: Post, bob: dict[str, str]) -> None:
    before = Version.objects.count()
    assert json.loads(post("proposals", {"tag": "acme/b", "target": BOARD}, **bob).content)
    assert Version.objects.count() == before


def test_any_account_may_comment(post: Post, bob: dict[str, str]) -> None:
    propose("acme/board", BOARD)
    data: Any = post("proposals/1/comment", {"text": "<b>bold</b>"}, **bob).json()
    assert data["history"][-1]["text"] == "<b>bold</b>"  # a text; pages escape it
