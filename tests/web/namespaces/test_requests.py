"""The pages that ask for a namespace, the page of a request, and the policy."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from registry.domain.names.namespace_names import PATHS
from registry.models import Namespace, NamespaceRequest, RequestKind, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import discussion, requests
from tests.forms import hidden_value
from tests.requests import TEXTS, claim, request_namespace
from tests.web.conftest import Page, Visitor
from ttag_rules.names import COMPONENT

pytestmark = pytest.mark.django_db
NEW = "/namespace-requests/new"
FORM = TEXTS | {"name": "initech", "title": "Initech"}


@pytest.fixture
def bob(client: Client) -> User:
    """Return Bob, who is signed in."""
    bob = User.objects.create_user("bob")
    client.force_login(bob)
    return bob


def text_of(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", response.content.decode()))


def test_request_is_made_and_shown(client: Client, bob: User, visit: Visitor) -> None:
    response = client.post(NEW, FORM, follow=True)
    row = NamespaceRequest.objects.get()
    assert (row.kind, row.name, row.requester) == (RequestKind.NEW, "initech", bob)
    assert response.redirect_chain == [(f"/namespace-requests/{row.pk}", 302)]
    assert "Staff will decide on your request for initech." in text_of(response)
    page = visit(f"/namespace-requests/{row.pk}")
    assert "Request for a new namespace by bob" in page.text
    assert "https://initech.example/registry.txt" in page.links
    assert f"/namespace-requests/{row.pk}/withdraw" in page.links


def test_name_in_the_query_is_filled_in(visit: Visitor, bob: User) -> None:
    assert 'value="initech"' in visit(f"{NEW}?name=initech").html


def test_existing_namespace_links_to_its_claim(client: Client, bob: User, visit: Visitor) -> None:
    assert "/namespaces/nvidia/claim" in visit(f"{NEW}?name=nvidia").links
    response = client.post(NEW, FORM | {"name": "nvidia"})
    assert response.status_code == 400
    assert "the namespace nvidia exists; it can be claimed" in text_of(response)
    assert '"/namespaces/nvidia/claim"' in response.content.decode()


def test_invalid_form_keeps_all_input(client: Client, bob: User) -> None:
    response = client.post(NEW, FORM | {"name": "Ini tech", "url": "ftp://initech.example"})
    page = response.content.decode()
    for field in ("name", "url"):
        assert f'<a href="#id_{field}">' in page
    for value in ("Ini tech", "ftp://initech.example", "Our boards.", TEXTS["evidence"]):
        assert value in page
    assert not NamespaceRequest.objects.exists()


def test_every_error_is_shown_at_once(client: Client, bob: User) -> None:
    text = text_of(client.post(NEW, {"name": "nvidia"}))
    assert "Name : the namespace nvidia exists; it can be claimed." in text
    assert "Title : visible text is required." in text
    assert "Website : (empty) is not an https URL." in text
    assert "Purpose : visible text is required." in text


def test_anonymous_input_is_restored_after_signing_in(client: Client) -> None:
    response = client.post(NEW, FORM)
    assert response["Location"] == f"/accounts/login/?next={NEW}"
    client.force_login(User.objects.create_user("bob"))
    assert "Our boards." in Page(NEW, client).html


def test_anonymous_visitor_comes_back_to_the_name(client: Client) -> None:
    response = client.get(f"{NEW}?name=initech")
    assert response["Location"] == f"/accounts/login/?next={NEW}%3Fname%3Dinitech"


def test_namespace_kept_by_the_registry_can_be_claimed(
    client: Client, bob: User, visit: Visitor
) -> None:
    assert "/namespaces/arm/claim" in visit("/namespaces/arm").links
    page = visit("/namespaces/arm/claim")
    assert "arm is maintained by this registry from public sources." in page.text
    response = client.post("/namespaces/arm/claim", TEXTS, follow=True)
    assert "Claim of a namespace by bob" in text_of(response)
    assert NamespaceRequest.objects.get().is_claim


def test_namespace_with_members_offers_no_claim(acme: Namespace, bob: User, visit: Visitor) -> None:
    assert "/namespaces/acme/claim" not in visit("/namespaces/acme").links
    assert "Claim it only if you speak for Acme" in visit("/namespaces/acme/claim").text


def test_unknown_namespace_cannot_be_claimed(visit: Visitor, bob: User) -> None:
    page = visit("/namespaces/nvidai/claim")
    assert page.status == 404
    assert "/namespaces/nvidia" in page.links


def test_withdrawn_request_offers_nothing_more(client: Client, bob: User) -> None:
    row = request_namespace("initech", bob)
    response = client.post(f"/namespace-requests/{row.pk}/withdraw", follow=True)
    assert "Your request for initech is withdrawn." in text_of(response)
    assert f"/namespace-requests/{row.pk}/withdraw" not in response.content.decode()
    again = client.get(f"/namespace-requests/{row.pk}/withdraw")
    assert again.status_code == 409


def test_decision_is_public_with_its_reason(visit: Visitor, alice: User) -> None:
    row = claim("arm", alice)
    boss = User.objects.create_user("boss", is_staff=True)
    requests.reject(row.pk, text="See https://arm.example/no", actor=Actor(boss))
    page = visit(f"/namespace-requests/{row.pk}")
    assert re.search(r"Decided .* by boss", page.text)
    assert "https://arm.example/no" in page.links
    assert "/namespaces/arm" in page.links
    log = visit("/events")
    assert "boss rejected a request for the namespace arm" in log.text
    assert f"/namespace-requests/{row.pk}" in log.links


def test_a_rejected_requester_can_ask_again(client: Client, visit: Visitor, bob: User) -> None:
    new, claimed = request_namespace("initech", bob), claim("arm", bob)
    again = [f"{NEW}?name=initech", "/namespaces/arm/claim"]
    paths = [f"/namespace-requests/{row.pk}" for row in (new, claimed)]
    assert all(url not in visit(path).links for url, path in zip(again, paths, strict=True))
    boss = User.objects.create_user("boss", is_staff=True)
    for row in (new, claimed):
        requests.reject(row.pk, text="Who are you?", actor=Actor(boss))
    assert all(url in visit(path).links for url, path in zip(again, paths, strict=True))
    client.force_login(boss)
    assert all(url not in visit(path).links for url, path in zip(again, paths, strict=True))


def test_staff_is_led_to_the_decision(client: Client, alice: User) -> None:
    row = claim("arm", alice)
    client.force_login(User.objects.create_user("boss", is_staff=True))
    path = f"/admin/registry/namespacerequest/{row.pk}/change/"
    assert path in Page(f"/namespace-requests/{row.pk}", client).links
    work = Page("/me", client)
    assert "1 request for namespaces waits for staff." in work.text


def test_own_requests_are_under_your_work(visit: Visitor, bob: User) -> None:
    row = request_namespace("initech", bob)
    page = visit("/me")
    assert f"/namespace-requests/{row.pk}" in page.links
    assert "Your requests for namespaces initech new ○ open" in page.text
    assert "wait for staff" not in page.text


def test_text_is_escaped(visit: Visitor, bob: User) -> None:
    row = request_namespace("initech", bob, reason="<script>alert(1)</script>")
    assert "<script>alert" not in visit(f"/namespace-requests/{row.pk}").html


def test_unknown_request_is_not_found(visit: Visitor) -> None:
    assert visit("/namespace-requests/99").status == 404


def test_policy_is_linked_where_it_matters(visit: Visitor, bob: User) -> None:
    for path in ("/namespaces/", "/namespaces/arm", NEW, "/namespaces/arm/claim"):
        assert "/docs/namespaces" in visit(path).links


def first_segments(patterns: list[URLPattern | URLResolver]) -> set[str]:
    return {str(pattern.pattern).partition("/")[0] for pattern in patterns}


def test_the_first_segment_of_every_path_is_reserved() -> None:
    segments = first_segments(get_resolver().url_patterns)
    names = {name for name in segments if COMPONENT.fullmatch(name) and "." not in name}
    missing = names - PATHS
    assert not missing, "add it to PATHS of registry/domain/names/namespace_names.py"


class TestComments:
    """The discussion on the page of a request."""

    def test_requester_and_staff_talk(self, client: Client, bob: User, visit: Visitor) -> None:
        path = f"/namespace-requests/{request_namespace('initech', bob).pk}"
        form = comment_form(visit(path))
        response = client.post(f"{path}/comment", form | {"text": "We <b>own</b> it"}, follow=True)
        assert response.redirect_chain == [(path, 302)]
        client.post(f"{path}/comment", form | {"text": "We own it"})  # sent twice
        client.force_login(User.objects.create_user("boss", is_staff=True))
        client.post(f"{path}/comment", comment_form(visit(path)) | {"text": "See https://a.b/c"})
        page = visit(path)
        assert page.html.count("We &lt;b&gt;own&lt;/b&gt; it") == 1
        assert page.html.count("We own it") == 0
        assert '<a href="https://a.b/c" rel="nofollow noreferrer">' in page.html
        assert page.text.index("bob commented") < page.text.index("boss commented")

    def test_others_read_and_are_offered_no_form(
        self, client: Client, bob: User, visit: Visitor
    ) -> None:
        row = request_namespace("initech", bob)
        discussion.comment(row.pk, text="It is ours", actor=Actor(bob))
        path = f"/namespace-requests/{row.pk}"
        for who in (None, User.objects.create_user("carol")):
            client.logout()
            if who:
                client.force_login(who)
                assert client.post(f"{path}/comment", {"text": "x"}).status_code == 403
            page = visit(path)
            assert "It is ours" in page.text
            assert "Add comment" not in page.text

    def test_decided_request_offers_no_form(
        self, client: Client, bob: User, visit: Visitor
    ) -> None:
        row = request_namespace("initech", bob)
        path = f"/namespace-requests/{row.pk}"
        form = comment_form(visit(path))
        requests.withdraw(row.pk, actor=Actor(bob))
        assert "Add comment" not in visit(path).text
        response = client.post(f"{path}/comment", form | {"text": "But"})
        assert response.status_code == 409
        assert "But</textarea>" in response.content.decode()  # nothing is lost

    def test_unknown_request_is_not_found(self, client: Client, bob: User) -> None:
        assert client.get("/namespace-requests/999/comment").status_code == 404
        assert client.post("/namespace-requests/999/comment", {"text": "x"}).status_code == 404

    def test_queries_do_not_grow_with_comments(self, bob: User, visit: Visitor) -> None:
        row = request_namespace("initech", bob)
        discussion.comment(row.pk, text="1", actor=Actor(bob))
        before = visit(f"/namespace-requests/{row.pk}").queries
        for number in range(5):
            discussion.comment(row.pk, text=f"{number}", actor=Actor(bob))
        assert visit(f"/namespace-requests/{row.pk}").queries == before == 7


def comment_form(page: Page) -> dict[str, str]:
    """Return the hidden fields of the form for a comment."""
    return {"key": hidden_value(page.html, "key")}
