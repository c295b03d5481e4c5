"""What is wrong with a proposal, or with what is done to one: said clearly, and nothing stored."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from registry.models import Namespace, Policy, Token
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor, Scope
from registry.services.proposals import review, submission
from tests.api.conftest import Post
from tests.api.problems import places, problem
from tests.publishing import person, propose, publish, written

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme"), pytest.mark.any_database]

BOARD = {"kind": "llvm", "mcpu": "haswell"}
WIDER = BOARD | {"num-cores": 8}
NEW = {"tag": "acme/new", "target": BOARD}
SEEN, TEXT = {"revision": 1}, {"text": "Why?"}
Send = Callable[..., Any]


def bearer(name: str, pattern: str = "acme", scopes: frozenset[Scope] = frozenset(Scope)) -> str:
    user = person(name)
    made = tokens.issue_token(
        user, label="t", scopes=scopes, pattern=pattern, actor=Actor.operator(user)
    )
    return f"Bearer {made}"


@pytest.fixture
def refused(post: Post) -> Send:
    """The problem that a request must be, which leaves nothing; Bob's if nobody else's."""

    def found(code: str, path: str, said: Any, *, by: str = "bob", **headers: str) -> Any:
        headers = {"Authorization": bearer(by)} | headers
        before = written()
        response = post(path, said, **headers)
        assert written() == before
        return problem(response, code)

    return found


@pytest.fixture(autouse=True)
def waiting(acme: Namespace) -> None:
    """Bob's proposal 1, for acme/board."""
    propose("acme/board", WIDER, by="bob")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, ["/tag"]),
        ({"tag": "acme/new"}, ["/target"]),
        ({"tag": "acme/new", "source": "llvm"}, ["/format"]),
        (NEW | {"format": "tvm"}, ["/format"]),
        (NEW | {"messsage": "x"}, ["/messsage"]),
        (NEW | {"message": 1}, ["/message"]),
        (NEW | {"message": "bell \a"}, ["/message"]),
        (NEW | {"message": "\u202eback"}, ["/message"]),
        (NEW | {"message": "x" * 2001}, ["/message"]),
        (NEW | {"sources": "https://example.com/"}, ["/sources"]),
        (
            NEW | {"sources": ["javascript:alert(1)", "https://e.org/", "x"]},
            ["/sources/0", "/sources/2"],
        ),
        (NEW | {"sources": ["https://e.org/"] * 17}, ["/sources"]),
        (NEW | {"base": "newest"}, ["/base"]),
    ],
)
def test_request_around_the_body(said: Any, expected: list[str], refused: Send) -> None:
    found = refused("REQUEST_INVALID", "proposals", said)
    assert [each["pointer"] for each in found["errors"]] == expected


def test_all_faults_of_the_body_come_with_their_places(refused: Send) -> None:
    body = {"kind": "llvm", "mcpu": True, "num-corse": 4}
    paths: dict[str, Any] = {"proposals": {"tag": "acme/new"}, "proposals/1/revise": SEEN}
    for path, said in paths.items():
        found = refused("BODY_INVALID", path, said | {"target": body})
        assert places(found) == [("/mcpu", "VALUE_TYPE"), ("/num-corse", "OPTION_UNKNOWN")]


def test_unknown_importer_names_those_there_are(refused: Send) -> None:
    said = {"tag": "acme/new", "format": "yaml", "source": "kind: llvm"}
    assert "tvm" in refused("FORMAT_UNKNOWN", "proposals", said)["suggestions"]


def test_other_description_that_cannot_be_read(refused: Send) -> None:
    said = {"tag": "acme/new", "format": "tvm-string", "source": "llvm -mcpu='"}
    assert [code for _, code in places(refused("BODY_INVALID", "proposals", said))] == [
        "QUOTE_OPEN"
    ]


def test_five_megabytes_are_not_read(refused: Send) -> None:
    for path in ("proposals", "proposals/1/revise", "proposals/1/comment", "proposals/1/reject"):
        refused("TOO_LARGE", path, '{"text": "' + "x" * 5_000_000 + '"}')


def test_what_is_no_json(refused: Send) -> None:
    refused("JSON_INVALID", "proposals", '{"tag": "acme/new"')
    refused("JSON_INVALID", "proposals", "[]")
    refused("JSON_INVALID", "proposals", '{"tag": "acme/new", "target": {"a": 1, "a": 2}}')


@pytest.mark.parametrize(
    ("code", "tag"),
    [
        ("NAMESPACE_UNKNOWN", "acme-2/new"),
        ("CONFLICT", "nvidia/a100"),
        ("REFERENCE_INVALID", "acme/new@1"),
        ("REFERENCE_INVALID", "new"),
        ("REFERENCE_INVALID", "acme/<script>"),
    ],
)
def test_tag_that_cannot_be_published(code: str, tag: str, refused: Send) -> None:
    person("bob")
    everywhere = {"Authorization": bearer_for_all("bob")}
    refused(code, "proposals", NEW | {"tag": tag}, **everywhere)


def bearer_for_all(name: str) -> str:
    """Staff's tokens may be for everything; what others may, their owner says."""
    user = person(name)
    user.is_staff = True
    user.save()
    return bearer(name, "*")


def test_same_again(refused: Send) -> None:
    found = refused("CONFLICT", "proposals", {"tag": "acme/board", "target": WIDER})
    assert "proposal 1" in found["detail"]
    refused("NOTHING_CHANGED", "proposals/1/revise", SEEN | {"target": WIDER})
    publish("acme/there", BOARD)
    refused("NOTHING_CHANGED", "proposals", {"tag": "acme/there", "target": BOARD})


def test_tag_that_moved(refused: Send) -> None:
    publish("acme/board", BOARD)
    more = {"target": BOARD | {"num-cores": 3}, "base": None}
    refused("PRECONDITION_FAILED", "proposals", more | {"tag": "acme/board"})
    refused("PRECONDITION_FAILED", "proposals/1/revise", more | SEEN)
    refused("CONFLICT", "proposals/1/accept", SEEN, by="alice")


def test_stale_revision(refused: Send, post: Post) -> None:
    post("proposals/1/revise", SEEN | {"target": BOARD}, Authorization=bearer("bob"))
    refused("PRECONDITION_FAILED", "proposals/1/revise", SEEN | {"target": WIDER})
    for act in ("ask", "accept", "reject"):
        for seen in (1, 3, 2**53 - 1):
            said = {"revision": seen} | TEXT
            found = refused("PRECONDITION_FAILED", f"proposals/1/{act}", said, by="alice")
            assert "revision 2" in found["detail"]


@pytest.mark.parametrize("seen", [0, -1, 1.5, "1", None, True, [1]])
def test_revision_that_is_no_number(seen: Any, refused: Send) -> None:
    for act in ("ask", "accept", "reject"):
        said = {"revision": seen} | TEXT
        found = refused("REQUEST_INVALID", f"proposals/1/{act}", said, by="alice")
        assert places(found) == [("/revision", "REQUEST_INVALID")]


def test_decision_on_what_is_decided(refused: Send) -> None:
    review.reject(1, seen=1, text="No", actor=Actor.operator(person("alice")))
    for act in ("ask", "accept", "reject"):
        found = refused("CONFLICT", f"proposals/1/{act}", SEEN | TEXT, by="alice")
        assert "rejected" in found["detail"]
    refused("CONFLICT", "proposals/1/withdraw", {})
    refused("CONFLICT", "proposals/1/revise", SEEN | {"target": BOARD})


def test_own_proposal_under_four_eyes(refused: Send) -> None:
    Namespace.objects.filter(name="acme").update(policy=Policy.FOUR_EYES)
    propose("acme/own", BOARD)
    refused("FORBIDDEN", "proposals/2/accept", SEEN, by="alice")


def test_proposal_of_somebody_else(refused: Send) -> None:
    found = refused("FORBIDDEN", "proposals/1/withdraw", {}, by="alice")
    assert "bob" in found["detail"]
    refused("FORBIDDEN", "proposals/1/revise", SEEN | {"target": BOARD}, by="alice")
    refused("FORBIDDEN", "proposals/1/accept", SEEN, by="bob")


def test_token_beyond_what_it_is_for(refused: Send) -> None:
    for scope, path, said in (
        (Scope.ADMIN, "proposals", NEW),
        (Scope.PUBLISH, "proposals/1/comment", TEXT),
        (Scope.PROPOSE, "proposals/1/accept", SEEN),
    ):
        scoped = {"Authorization": bearer("alice", "acme", frozenset({scope}))}
        assert str(scope) in refused("FORBIDDEN", path, said, **scoped)["detail"]
        elsewhere = {"Authorization": bearer("alice", "acme/gpus/*")}
        assert "acme/gpus/*" in refused("FORBIDDEN", path, said, **elsewhere)["detail"]


def test_token_out_of_force(refused: Send) -> None:
    expired = {"Authorization": bearer("bob")}
    Token.objects.update(expires=timezone.now() - timedelta(days=1))
    refused("UNAUTHENTICATED", "proposals", NEW, **expired)
    refused("UNAUTHENTICATED", "proposals/1/comment", TEXT, **expired)


def test_fifty_first(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "MAX_UNDECIDED", 1)
    authorization = bearer("bob")
    before = written()
    response = post("proposals", NEW, Authorization=authorization)
    found = problem(response, "RATE_LIMITED")
    assert "at most 1" in found["detail"]
    assert response["Retry-After"] == "3600"
    assert written() == before


@pytest.mark.parametrize("text", ["", " \n ", "bell \a", "\x00", "\u202eback", "x" * 4001, 7, None])
def test_text_that_cannot_stand(text: Any, refused: Send) -> None:
    code = "JSON_INVALID" if text == "\x00" else "REQUEST_INVALID"
    for act, said in {"comment": {}, "ask": SEEN, "reject": SEEN}.items():
        found = refused(code, f"proposals/1/{act}", said | {"text": text}, by="alice")
        assert [each["pointer"] for each in found["errors"]] == ["/text"]


@pytest.mark.parametrize("key", ["", "x" * 37, "two words", "é"])
def test_key_that_is_none(key: str, refused: Send) -> None:
    found = refused("REQUEST_INVALID", "proposals", NEW, **{"Idempotency-Key": key})
    assert "Idempotency-Key" in found["detail"]
