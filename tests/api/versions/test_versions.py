"""Tests of GET and POST versions/<tag>."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.domain.reference import Reference
from registry.models import Token, User, Version
from registry.services.accounts import tokens
from registry.services.core import paging
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from tests.api.conftest import Post
from tests.api.problems import error_positions, problem
from tests.publishing import counts, yank

pytestmark = pytest.mark.django_db

BOARD = {
    "kind": "llvm",
    "mtriple": "aarch64-unknown-linux-gnu",
    "mcpu": "cortex-a72",
    "num-cores": 4,
}


def test_first_version_is_created(publish: Post, client: Client) -> None:
    response = publish("acme/board", BOARD, message="First", sources=["https://example.com/"])
    assert response.status_code == 201
    assert response["Location"] == "/api/v1/resolve/acme/board@1.0.0"
    assert response["Cache-Control"] == "no-store"
    resolved = client.get(response["Location"]).json()
    assert response.json() == resolved
    assert resolved["target"] == BOARD


def test_next_version_needs_the_number_published_last(publish: Post) -> None:
    publish("acme/board", BOARD)
    second = publish("acme/board", BOARD | {"num-cores": 8}, after="1.0.0")
    assert second.json()["version"] == "2.0.0"
    stale = publish("acme/board", BOARD | {"num-cores": 16}, after="1.0.0")
    assert "2.0.0" in problem(stale, "PRECONDITION_FAILED")["detail"]


def test_first_version_is_rejected_if_one_exists(publish: Post) -> None:
    publish("acme/board", BOARD)
    problem(publish("acme/board", BOARD | {"num-cores": 8}), "PRECONDITION_FAILED")


WRONG_KIND = {"kind": "lvm"}


@pytest.mark.parametrize(
    ("tag", "members", "code"),
    [
        ("acme/Board", {"target": WRONG_KIND, "x": 1}, "REFERENCE_INVALID"),
        ("acme/board", {"after": "9.0.0", "target": WRONG_KIND, "x": 1}, "REQUEST_INVALID"),
        ("acme/board", {"after": "9.0.0", "target": WRONG_KIND}, "PRECONDITION_FAILED"),
        ("acme/board", {"after": "1.0.0", "target": WRONG_KIND}, "BODY_INVALID"),
        ("acme/board", {"after": "1.0.0", "target": BOARD}, "NOTHING_CHANGED"),
        ("acme/other", {"target": WRONG_KIND}, "BODY_INVALID"),
        ("acme/other", {"target": BOARD}, "CONFLICT"),
    ],
)
def test_errors_of_a_publication_come_in_the_documented_order(
    publish: Post, alice: User, tag: str, members: dict[str, Any], code: str
) -> None:
    publish("acme/board", BOARD)
    board = Reference.parse("acme/board")
    aliases.point_alias("acme/other", board, actor=Actor.operator(alice))
    problem(publish(tag, **members), code)


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "PRECONDITION_REQUIRED"),
        ({"If-None-Match": '"1.0.0"'}, "PRECONDITION_REQUIRED"),
        ({"If-Match": '"1.0.0"', "If-None-Match": "*"}, "PRECONDITION_REQUIRED"),
        ({"If-Match": '"1.0"'}, "PRECONDITION_FAILED"),
        ({"If-Match": "*"}, "PRECONDITION_FAILED"),
        ({"If-Match": 'W/"1.0.0"'}, "PRECONDITION_FAILED"),
        ({"If-Match": '"' + "9" * 5000 + '"'}, "PRECONDITION_FAILED"),
    ],
)
def test_precondition_is_required(
    post: Post, token: str, headers: dict[str, str], code: str
) -> None:
    bearer = {"Authorization": f"Bearer {token}"}
    problem(post("versions/acme/board", {"target": BOARD}, **bearer, **headers), code)


def test_all_versions_newest_number_first(publish: Post, client: Client) -> None:
    publish("acme/board", BOARD, message="First", sources=["https://example.com/a"])
    publish("acme/board", BOARD | {"num-cores": 8}, after="1.0.0")
    yank("acme/board@2.0.0", "counted threads")
    data = client.get("/api/v1/versions/acme/board").json()
    assert (data["tag"], data["last_published"], data["next"]) == ("acme/board", "2.0.0", None)
    second, first = data["results"]
    assert (second["status"], second["yanked"]) == ("yanked", "counted threads")
    assert (first["reference"], first["message"]) == ("acme/board@1.0.0", "First")
    assert first["sources"] == ["https://example.com/a"]
    assert (first["kind"], first["publisher"], first["yanked"]) == ("llvm", "alice", None)


def test_pages_of_versions_follow_each_other(
    publish: Post, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"runtime": "cpp"}, after="1.0.0")
    publish("acme/board", BOARD | {"runtime": "cpp", "hardware": {"cores": 4}}, after="1.1.0")
    publish("acme/board", BOARD | {"num-cores": 8}, after="1.1.1")
    monkeypatch.setattr(paging, "PAGE", 1)
    numbers, next_url = [], "/api/v1/versions/acme/board"
    while next_url:
        data = client.get(next_url).json()
        assert data["last_published"] == "2.0.0"
        numbers += [version["version"] for version in data["results"]]
        next_url = data["next"]
    assert numbers == ["2.0.0", "1.1.1", "1.1.0", "1.0.0"]


def test_any_number_of_versions_takes_three_queries(publish: Post, client: Client) -> None:
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"num-cores": 8}, after="1.0.0")
    for tag in ("arm/soc", "acme/board"):
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/api/v1/versions/{tag}")
        assert len(captured) == 3


def test_tag_shows_its_newest_version_that_is_not_yanked(publish: Post, client: Client) -> None:
    publish("acme/board:b", BOARD)
    publish("acme/board:b", BOARD | {"num-cores": 8}, after="1.0.0")
    yank("acme/board:b@2.0.0")
    data = client.get("/api/v1/tags/acme/board:b").json()
    assert data["newest"]["version"] == "1.0.0"
    assert (data["last_published"], data["versions"]) == ("2.0.0", 2)
    assert (data["namespace"], data["name"], data["variant"]) == ("acme", "acme/board", "b")
    assert (data["status"], data["aliases"], data["deprecated"]) == ("active", [], None)


def test_tag_is_found_by_its_alias(client: Client) -> None:
    data = client.get("/api/v1/tags/nvidia/a100").json()
    assert data["tag"] == "nvidia/nvidia-a100"
    assert "nvidia/a100" in data["aliases"]


@pytest.mark.parametrize("resource", ["tags", "versions"])
def test_resource_is_of_the_tag_not_of_a_version(client: Client, resource: str) -> None:
    error = problem(client.get(f"/api/v1/{resource}/arm/soc@1"), "REFERENCE_INVALID")
    assert "arm/soc" in error["detail"]


@pytest.mark.parametrize("resource", ["tags", "versions"])
def test_unknown_tag_suggests_similar_names(client: Client, resource: str) -> None:
    error = problem(client.get(f"/api/v1/{resource}/arm/sock"), "TAG_UNKNOWN")
    assert "arm/soc" in error["suggestions"]


@pytest.mark.parametrize("resource", ["tags", "versions", "resolve"])
def test_name_that_no_tag_can_have_is_rejected(client: Client, resource: str) -> None:
    problem(client.get(f"/api/v1/{resource}/arm/so!c"), "REFERENCE_INVALID")


# Decision 144: whoever writes a name in capitals means the tag of that name.
@pytest.mark.parametrize("resource", ["tags", "versions", "resolve"])
def test_other_spelling_of_a_tag_leads_to_it(client: Client, resource: str) -> None:
    error = problem(client.get(f"/api/v1/{resource}/arm/Soc"), "TAG_UNKNOWN")
    assert error["suggestions"][0] == "arm/soc"


def test_publishing_needs_a_token(post: Post) -> None:
    before = counts()
    response = post("versions/arm/soc", {"target": BOARD}, **{"If-None-Match": "*"})
    problem(response, "UNAUTHENTICATED")
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert counts() == before


def test_token_of_another_namespace_is_refused(publish: Post) -> None:
    error = problem(publish("arm/mine", BOARD), "FORBIDDEN")
    assert "acme" in error["detail"]


def test_expired_token_is_refused(publish: Post) -> None:
    Token.objects.update(expires=timezone.now() - timedelta(days=1))
    assert "expired" in problem(publish("acme/board", BOARD), "UNAUTHENTICATED")["detail"]


def test_token_without_the_scope_is_refused(post: Post, acme: object, alice: User) -> None:
    text = tokens.issue_token(
        alice, label="y", scopes={Scope.YANK}, pattern="acme", actor=Actor.operator(alice)
    )
    headers = {"Authorization": f"Bearer {text}", "If-None-Match": "*"}
    problem(post("versions/acme/board", {"target": BOARD}, **headers), "FORBIDDEN")


def test_unknown_namespace_is_rejected(post: Post, alice: User, acme: object) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    text = tokens.issue_token(
        alice, label="y", scopes={Scope.PUBLISH}, pattern="*", actor=Actor.operator(alice)
    )
    headers = {"Authorization": f"Bearer {text}", "If-None-Match": "*"}
    problem(post("versions/nobody/board", {"target": BOARD}, **headers), "NAMESPACE_UNKNOWN")


def test_unchanged_body_is_a_conflict(publish: Post) -> None:
    publish("acme/board", BOARD)
    problem(publish("acme/board", BOARD, after="1.0.0"), "NOTHING_CHANGED")


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"mesage": "x"}, [("/mesage", "REQUEST_INVALID")]),
        ({"message": 5}, [("/message", "REQUEST_INVALID")]),
        ({"message": "x" * 2001}, [("/message", "REQUEST_INVALID")]),
        ({"sources": "https://example.com"}, [("/sources", "REQUEST_INVALID")]),
        ({"sources": ["http://example.com"]}, [("/sources/0", "REQUEST_INVALID")]),
        ({"sources": ["https://e.com/"] * 17}, [("/sources", "REQUEST_INVALID")]),
    ],
)
def test_message_and_sources_are_validated(
    publish: Post, members: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    before = counts()
    assert (
        error_positions(problem(publish("acme/board", BOARD, **members), "REQUEST_INVALID"))
        == expected
    )
    assert counts() == before


def test_message_length_counts_characters(publish: Post, client: Client) -> None:
    message = "日" * 2000
    assert publish("acme/board", BOARD, message=message).status_code == 201
    data = client.get("/api/v1/versions/acme/board").json()
    assert data["results"][0]["message"] == message


def test_body_is_stored_as_it_was_sent(post: Post, token: str) -> None:
    text = '{"target": {"num-cores" : 4,\n\t"kind":"llvm", "mcpu": "haswell"} , "message":"m"}'
    headers = {"Authorization": f"Bearer {token}", "If-None-Match": "*"}
    assert post("versions/acme/board", text, **headers).status_code == 201
    source = Version.objects.get(tag__text="acme/board").source
    assert source == '{"num-cores" : 4,\n\t"kind":"llvm", "mcpu": "haswell"}'


def test_family_is_part_of_a_tag(publish: Post, client: Client) -> None:
    cores = BOARD["num-cores"]
    family = {name: value for name, value in BOARD.items() if name != "num-cores"}
    answer = publish("acme/boards", family, family=True).json()
    assert answer["lints"] == []
    assert client.get("/api/v1/tags/acme/boards").json()["family"] is True
    publish("acme/boards", family | {"opt-level": 2}, after="1.0.0")
    assert client.get("/api/v1/tags/acme/boards").json()["family"] is True
    number = client.get("/api/v1/tags/acme/boards").json()["last_published"]
    refused = publish("acme/boards", family | {"num-cores": cores}, after=number, family=False)
    assert "needs the scope admin" in problem(refused, "FORBIDDEN")["detail"]
