"""What is done to proposals on pages."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from registry.models import Namespace, Policy, Proposal, Turn, User, Version
from registry.services.core.permissions import Actor
from registry.services.proposals import review
from tests.publishing import publish
from tests.web.proposals.conftest import BOARD, Propose, revise

pytestmark = pytest.mark.django_db

CURATORS = ["accept", "ask", "reject"]


def send(client: Client, made: Proposal, verb: str, **typed: Any) -> Any:
    form = {"seen": made.revision, "key": str(uuid4()), "text": "Because.", **typed}
    return client.post(f"/proposals/{made.pk}/{verb}", form)


def body(response: Any) -> str:
    found: str = response.content.decode()
    return found


def state(made: Proposal) -> str:
    return Proposal.objects.get(pk=made.pk).state


def test_acceptance_says_what_it_will_do_and_leads_to_the_version(
    client: Client, propose: Propose, carol: User
) -> None:
    publish("acme/board", BOARD)
    publish("acme/kit", {"tag": "acme/board"})
    made = propose(body=BOARD | {"num-cores": 8})
    client.force_login(carol)
    shown = re.sub(r"<[^>]+>", "", body(client.get(f"/proposals/{made.pk}/accept")))
    assert "Publishes acme/board@2.0.0, crediting bob; 1 dependent tag could be rebased." in shown
    response = send(client, made, "accept")
    assert response.status_code == 302
    assert response["Location"] == "/tags/acme/board@2.0.0"
    version = Version.objects.get(tag__text="acme/board", major=2)
    assert (version.author, version.publisher) == (made.submitter, carol)
    after = body(client.get(response["Location"]))
    assert "acme/board@2.0.0 is published, to the credit of bob." in after


@pytest.mark.parametrize(
    ("verb", "becomes"),
    [("ask", "changes-asked"), ("reject", "rejected"), ("comment", "open")],
)
def test_other_acts_lead_back_to_the_proposal(
    client: Client, propose: Propose, carol: User, verb: str, becomes: str
) -> None:
    made = propose()
    client.force_login(carol)
    assert client.get(f"/proposals/{made.pk}/{verb}").status_code == 200
    response = send(client, made, verb)
    assert response["Location"] == f"/proposals/{made.pk}"
    assert state(made) == becomes
    assert "Because." in body(client.get(response["Location"]))


def test_submitter_withdraws(client: Client, propose: Propose, bob: User) -> None:
    made = propose()
    client.force_login(bob)
    assert send(client, made, "withdraw", text="").status_code == 302
    assert state(made) == "withdrawn"


def test_form_sent_twice_acts_once(client: Client, propose: Propose, carol: User) -> None:
    made = propose()
    client.force_login(carol)
    for verb in ("comment", "accept"):
        key = str(uuid4())
        first, second = (send(client, made, verb, key=key) for _ in range(2))
        assert first["Location"] == second["Location"]
    assert Turn.objects.filter(proposal=made).count() == 3
    assert Version.objects.filter(tag__text="acme/board").count() == 1


@pytest.mark.parametrize("verb", CURATORS)
def test_strangers_sign_in_and_lose_nothing(
    client: Client, propose: Propose, carol: User, verb: str
) -> None:
    made = propose()
    path = f"/proposals/{made.pk}/{verb}"
    response = send(client, made, verb, text="A long reason")
    assert response.status_code == 302
    assert "login" in response["Location"]
    assert state(made) == "open"
    session = client.session
    kept = session["carried"]
    client.force_login(carol)
    session = client.session
    session["carried"] = kept
    session.save()
    assert "A long reason" in body(client.get(path))


@pytest.mark.parametrize("verb", CURATORS)
def test_who_may_not_decide_hears_who_may(
    client: Client, propose: Propose, bob: User, verb: str
) -> None:
    made = propose()
    client.force_login(bob)
    response = client.get(f"/proposals/{made.pk}/{verb}")
    assert response.status_code == 403
    assert "who may: curator, owner, staff" in body(response)
    response = send(client, made, verb, text="My words")
    assert response.status_code == 403
    assert "My words" in body(response)
    assert state(made) == "open"


def test_only_the_submitter_withdraws(client: Client, propose: Propose, carol: User) -> None:
    made = propose()
    client.force_login(carol)
    assert client.get(f"/proposals/{made.pk}/withdraw").status_code == 403
    assert send(client, made, "withdraw").status_code == 403
    assert state(made) == "open"


def test_nobody_accepts_their_own_where_four_eyes_look(
    client: Client, propose: Propose, carol: User, acme: Namespace
) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    made = propose(actor=Actor.operator(carol))
    client.force_login(carol)
    for response in (client.get(f"/proposals/{made.pk}/accept"), send(client, made, "accept")):
        assert response.status_code == 403
        assert "another curator does" in response.content.decode()
    assert state(made) == "open"


def test_stale_revision_is_refused_and_the_next_try_is_about_the_newest(
    client: Client, propose: Propose, carol: User
) -> None:
    made = propose()
    revise(made, BOARD | {"num-cores": 8})
    client.force_login(carol)
    response = send(client, made, "reject", seen=1, text="My reason")
    assert response.status_code == 412
    page = body(response)
    assert "You looked at revision 1" in page
    assert "My reason" in page
    assert f"/proposals/{made.pk}/changes/1...2" in page
    assert '<input type="hidden" name="seen" value="2"' in page
    assert send(client, made, "reject", seen=2).status_code == 302


@pytest.mark.parametrize("verb", CURATORS)
def test_decided_proposal_is_decided(
    client: Client, propose: Propose, carol: User, verb: str
) -> None:
    made = propose()
    review.reject(made.pk, seen=1, text="No.", actor=Actor.operator(carol))
    client.force_login(carol)
    assert client.get(f"/proposals/{made.pk}/{verb}").status_code == 409
    response = send(client, made, verb, text="My words")
    assert response.status_code == 409
    assert "The proposal is rejected" in body(response)
    assert "My words" in body(response)


def test_moved_tag_is_not_accepted(client: Client, propose: Propose, carol: User) -> None:
    made = propose()
    publish("acme/board", BOARD | {"num-cores": 2})
    client.force_login(carol)
    assert "has moved" in body(client.get(f"/proposals/{made.pk}/accept"))
    response = send(client, made, "accept")
    assert response.status_code == 409
    assert "bob has to revise it." in body(response)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ({"text": ""}, (422, "This field is required")),
        ({"text": " \n "}, (400, "visible text is required")),
        ({"text": "bell\x07"}, (400, "U+0007")),
        ({"text": "x" * 4001}, (400, "4001 characters are too many")),
        ({"seen": ""}, (422, "Open the proposal anew")),
        ({"seen": "1e9"}, (422, "Open the proposal anew")),
        ({"seen": "9" * 30}, (422, "less than or equal")),
        ({"key": "k" * 37}, (422, "at most 36 characters")),
    ],
)
def test_bad_form_says_what_is_wrong_and_keeps_the_text(
    client: Client, propose: Propose, carol: User, typed: dict[str, str], answer: tuple[int, str]
) -> None:
    made = propose()
    client.force_login(carol)
    response = send(client, made, "reject", **typed)
    status, says = answer
    assert response.status_code == status
    assert says in body(response)
    assert typed.get("text", "Because.").strip("\x07 \n") in body(response)
    assert state(made) == "open"


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "javascript:alert(1)"])
def test_markup_and_scripts_are_shown_as_text(
    client: Client, propose: Propose, carol: User, text: str
) -> None:
    made = propose()
    client.force_login(carol)
    assert send(client, made, "comment", text=text).status_code == 302
    page = body(client.get(f"/proposals/{made.pk}"))
    assert "<script>alert" not in page
    assert 'href="javascript' not in page


def test_post_without_csrf_token_does_nothing_and_keeps_the_text(
    propose: Propose, carol: User
) -> None:
    made = propose()
    client = Client(enforce_csrf_checks=True, headers={"origin": "http://testserver"})
    client.force_login(carol)
    response = send(client, made, "reject", text="My reason")
    assert response.status_code == 403
    assert state(made) == "open"
    path = f"/proposals/{made.pk}/reject"
    assert "My reason" in body(client.get(path))


def test_there_is_no_other_act(client: Client, propose: Propose, carol: User) -> None:
    made = propose()
    client.force_login(carol)
    assert client.get(f"/proposals/{made.pk}/publish").status_code == 404
    assert client.get("/proposals/99999/accept").status_code == 404


def test_forms_are_kept_by_nobody(client: Client, propose: Propose, carol: User) -> None:
    made = propose()
    client.force_login(carol)
    assert client.get(f"/proposals/{made.pk}/accept")["Cache-Control"] == "no-store"
