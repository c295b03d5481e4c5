"""Actions on proposals."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from registry.models import (
    Namespace,
    Policy,
    Proposal,
    Turn,
    User,
    Version,
)
from registry.services.core.permissions import Actor
from registry.services.proposals import review
from tests.forms import hidden_value
from tests.publishing import publish, yank
from tests.web.proposals.conftest import BOARD, Propose, revise

pytestmark = pytest.mark.django_db

CURATOR_ACTIONS = ["accept", "ask", "reject"]


def send(client: Client, proposal: Proposal, verb: str, **fields: Any) -> Any:
    data = {"seen": proposal.revision, "key": str(uuid4()), "text": "Because.", **fields}
    return client.post(f"/proposals/{proposal.pk}/{verb}", data)


def body(response: Any) -> str:
    html: str = response.content.decode()
    return html


def state(proposal: Proposal) -> str:
    return Proposal.objects.get(pk=proposal.pk).state


def test_acceptance_shows_its_effects_and_redirects_to_the_version(
    client: Client, propose: Propose, carol: User
) -> None:
    publish("acme/board", BOARD)
    publish("acme/kit", {"tag": "acme/board"})
    proposal = propose(body=BOARD | {"num-cores": 8})
    client.force_login(carol)
    text = re.sub(r"<[^>]+>", "", body(client.get(f"/proposals/{proposal.pk}/accept")))
    assert "Publishes acme/board@2.0.0, crediting bob; 1 dependent tag could be rebased." in text
    response = send(client, proposal, "accept")
    assert response.status_code == 302
    assert response["Location"] == "/tags/acme/board@2.0.0"
    version = Version.objects.get(tag__text="acme/board", major=2)
    assert (version.author, version.publisher) == (proposal.submitter, carol)
    page = body(client.get(response["Location"]))
    assert "acme/board@2.0.0 is published, credited to bob." in page


def test_a_decision_leads_to_the_next_proposal_and_keeps_the_filters(
    client: Client, propose: Propose, carol: User
) -> None:
    first, second, third = (propose(f"acme/{name}") for name in ("one", "two", "three"))
    client.force_login(carol)
    page = body(client.get("/proposals/?submitter=bob"))
    path = f"/proposals/{first.pk}?submitter=bob"
    assert f'href="{path}"' in page
    assert f'href="/proposals/{first.pk}/accept?submitter=bob"' in body(client.get(path))
    data = {"seen": 1, "key": str(uuid4()), "text": ""}
    response = client.post(f"/proposals/{first.pk}/accept?submitter=bob", data)
    assert response["Location"] == path, "there is more to review"
    page = body(client.get(path))
    assert "acme/one@1.0.0 is published" in page
    assert f'accesskey="n" href="/proposals/{second.pk}?submitter=bob"' in page
    page = body(client.get(f"/proposals/{third.pk}?submitter=bob"))
    assert f'href="/proposals/{second.pk}?submitter=bob">Next to review' in page, "from the start"


def test_next_is_only_what_the_reader_may_decide(
    client: Client, propose: Propose, carol: User, bob: User
) -> None:
    first, second = propose("acme/one"), propose("acme/two")
    path = f"/proposals/{first.pk}"
    assert "Next to review" not in body(client.get(path))
    client.force_login(bob)
    assert "Next to review" not in body(client.get(path))
    client.force_login(carol)
    assert f"/proposals/{second.pk}" in body(client.get(path))
    for query in ("?submitter=carol", "?namespace=nvidia", "?namespace=no-such", "?state=nonsense"):
        page = client.get(path + query)
        assert page.status_code == 200
        assert ("Next to review" in body(page)) is (query == "?state=nonsense")
    send(client, second, "reject")
    assert "Next to review" not in body(client.get(path)), "it is the last one"


def accept_page(client: Client, proposal: Proposal) -> dict[str, str]:
    """Open the form that accepts a proposal, and return what its hidden fields hold."""
    page = body(client.get(f"/proposals/{proposal.pk}/accept"))
    return {name: hidden_value(page, name) for name in ("seen", "digest", "key")}


def test_acceptance_publishes_the_target_that_its_page_showed(
    client: Client, propose: Propose, carol: User
) -> None:
    publish("acme/board", BOARD)
    proposal = propose("acme/kit", body={"tag": "acme/board"})
    client.force_login(carol)
    held = accept_page(client, proposal)
    publish("acme/board", BOARD | {"num-cores": 8})
    response = send(client, proposal, "accept", **held)
    page = body(response)
    assert (response.status_code, state(proposal)) == (412, "open")
    assert "What the proposal refers to has changed since you read it" in page
    assert "num-cores" in page, "the target as it is now"
    assert not Version.objects.filter(tag__text="acme/kit").exists()
    shown = hidden_value(page, "digest")
    assert shown != held["digest"]
    assert send(client, proposal, "accept", **(held | {"digest": shown})).status_code == 302
    assert Version.objects.get(tag__text="acme/kit").digest == shown


@pytest.mark.parametrize("reference", ["acme/board@1.0.0", "acme/board"])
def test_acceptance_is_not_refused_for_what_leaves_the_target_as_it_was(
    client: Client, propose: Propose, carol: User, reference: str
) -> None:
    publish("acme/board", BOARD)
    proposal = propose("acme/kit", body={"tag": reference})
    client.force_login(carol)
    held = accept_page(client, proposal)
    publish("acme/other", BOARD | {"num-cores": 8})
    if reference != "acme/board":
        publish("acme/board", BOARD | {"num-cores": 8})
    assert send(client, proposal, "accept", **held).status_code == 302


def test_acceptance_without_a_digest_is_about_the_revision(
    client: Client, propose: Propose, carol: User
) -> None:
    publish("acme/board", BOARD)
    proposal = propose("acme/kit", body={"tag": "acme/board"})
    publish("acme/board", BOARD | {"num-cores": 8})
    client.force_login(carol)
    assert send(client, proposal, "accept").status_code == 302


@pytest.mark.parametrize("case", ["moved", "invalid"])
def test_accept_is_not_offered_where_it_cannot_work(
    client: Client, propose: Propose, carol: User, case: str
) -> None:
    publish("acme/base", BOARD)
    publish("acme/board", BOARD)
    proposal = propose(body={"tag": "acme/base@1", "num-cores": 8})
    if case == "moved":
        publish("acme/board", BOARD | {"num-cores": 16})
    else:
        yank("acme/base@1.0.0")
    client.force_login(carol)
    page = body(client.get(f"/proposals/{proposal.pk}"))
    assert f"/proposals/{proposal.pk}/accept" not in page
    assert f"/proposals/{proposal.pk}/reject" in page
    assert "It cannot be accepted as it is" in page
    form = body(client.get(f"/proposals/{proposal.pk}/accept"))
    assert ">Accept</button>" not in form
    assert send(client, proposal, "accept").status_code >= 400


def test_facts_stand_beside_their_sources(client: Client, propose: Propose, carol: User) -> None:
    facts = {"vendor": "Acme", "sources": {"all": ["https://acme.example/a"]}}
    publish("acme/board", BOARD | {"hardware": facts})
    memory = {"memory_bytes": 4 * 2**30}
    sources = {"all": ["https://acme.example/a"], "memory": ["https://acme.example/memory"]}
    proposal = propose(body=BOARD | {"hardware": facts | memory | {"sources": sources}})
    client.force_login(carol)
    page = body(client.get(f"/proposals/{proposal.pk}"))
    section = page.partition("Facts and sources")[2].partition("</section>")[0]
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", section))
    assert "4 GiB acme.example/memory" in text
    assert 'href="https://acme.example/memory"' in section
    assert "Acme" not in text, "what does not change is not listed"


def test_acceptance_shows_the_changed_values(client: Client, propose: Propose, carol: User) -> None:
    publish("acme/board", BOARD)
    proposal, first = propose(body=BOARD | {"num-cores": 8}), propose("acme/new")
    client.force_login(carol)
    page = body(client.get(f"/proposals/{proposal.pk}/accept"))
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "Changes from acme/board@1.0.0" in text
    assert "≠ changed /num-cores 4 cores" in text
    page = body(client.get(f"/proposals/{first.pk}/accept"))
    assert "Target of the first version" in page
    assert "haswell" in page.partition("Target of the first version")[2]


@pytest.mark.parametrize(
    ("verb", "new_state"),
    [("ask", "changes-asked"), ("reject", "rejected"), ("comment", "open")],
)
def test_other_actions_redirect_to_the_proposal(
    client: Client, propose: Propose, carol: User, verb: str, new_state: str
) -> None:
    proposal = propose()
    client.force_login(carol)
    assert client.get(f"/proposals/{proposal.pk}/{verb}").status_code == 200
    response = send(client, proposal, verb)
    assert response["Location"] == f"/proposals/{proposal.pk}"
    assert state(proposal) == new_state
    assert "Because." in body(client.get(response["Location"]))


def test_submitter_can_withdraw(client: Client, propose: Propose, bob: User) -> None:
    proposal = propose()
    client.force_login(bob)
    assert send(client, proposal, "withdraw", text="").status_code == 302
    assert state(proposal) == "withdrawn"


def test_form_sent_twice_has_one_effect(client: Client, propose: Propose, carol: User) -> None:
    proposal = propose()
    client.force_login(carol)
    for verb in ("comment", "accept"):
        key = str(uuid4())
        first, second = (send(client, proposal, verb, key=key) for _ in range(2))
        assert first["Location"] == second["Location"]
    assert Turn.objects.filter(proposal=proposal).count() == 3
    assert Version.objects.filter(tag__text="acme/board").count() == 1


def test_a_comment_that_was_changed_after_it_was_sent_is_not_lost(
    client: Client, propose: Propose, carol: User
) -> None:
    """On Back, the browser shows the form with the key that it was sent with."""
    proposal, key = propose(), str(uuid4())
    client.force_login(carol)
    send(client, proposal, "comment", key=key, text="One.")
    refused = send(client, proposal, "comment", key=key, text="Two.")
    assert refused.status_code == 409
    assert "This was already sent, with One. instead." in body(refused)
    new_key = hidden_value(body(refused), "key")
    assert send(client, proposal, "comment", key=new_key, text="Two.").status_code == 302
    texts = Turn.objects.filter(proposal=proposal, action="comment").order_by("sequence")
    assert [turn.text for turn in texts] == ["One.", "Two."]


@pytest.mark.parametrize("verb", CURATOR_ACTIONS)
def test_anonymous_users_sign_in_and_keep_their_input(
    client: Client, propose: Propose, carol: User, verb: str
) -> None:
    proposal = propose()
    path = f"/proposals/{proposal.pk}/{verb}"
    response = send(client, proposal, verb, text="A long reason")
    assert response.status_code == 302
    assert "login" in response["Location"]
    assert state(proposal) == "open"
    session = client.session
    stashed = session["carried"]
    client.force_login(carol)
    session = client.session
    session["carried"] = stashed
    session.save()
    assert "A long reason" in body(client.get(path))


@pytest.mark.parametrize("verb", CURATOR_ACTIONS)
def test_users_without_the_role_are_told_who_can_decide(
    client: Client, propose: Propose, bob: User, verb: str
) -> None:
    proposal = propose()
    client.force_login(bob)
    response = client.get(f"/proposals/{proposal.pk}/{verb}")
    assert response.status_code == 403
    assert "allowed: curator, owner, staff" in body(response)
    response = send(client, proposal, verb, text="My words")
    assert response.status_code == 403
    assert "My words" in body(response)
    assert state(proposal) == "open"


def test_only_the_submitter_can_withdraw(client: Client, propose: Propose, carol: User) -> None:
    proposal = propose()
    client.force_login(carol)
    assert client.get(f"/proposals/{proposal.pk}/withdraw").status_code == 403
    assert send(client, proposal, "withdraw").status_code == 403
    assert state(proposal) == "open"


def test_four_eyes_policy_forbids_accepting_your_own_proposal(
    client: Client, propose: Propose, carol: User, acme: Namespace
) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    proposal = propose(actor=Actor.operator(carol))
    client.force_login(carol)
    for response in (
        client.get(f"/proposals/{proposal.pk}/accept"),
        send(client, proposal, "accept"),
    ):
        assert response.status_code == 403
        assert "another curator can" in response.content.decode()
    assert state(proposal) == "open"


def test_four_eyes_publishes_with_the_second_acceptance(
    client: Client, propose: Propose, carol: User, acme: Namespace, alice: User
) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    proposal = propose()
    path = f"/proposals/{proposal.pk}"
    client.force_login(carol)
    page = body(client.get(f"{path}/accept"))
    assert "is published once another curator, an owner or staff accepts it, too" in page
    assert "Publishes <span" not in page
    response = send(client, proposal, "accept")
    assert response["Location"] == path
    page = body(client.get(path))
    assert "You accepted revision 1 of proposal" in page
    assert "you have accepted this revision. Another curator, an owner or staff must" in page
    assert f"{path}/accept" not in page
    assert "approved" in page.partition("History")[2]
    assert state(proposal) == "open"
    client.force_login(alice)
    page = body(client.get(f"{path}/accept"))
    assert 'Publishes <span class="name">acme/board@1.0.0</span>' in page
    assert "once another" not in page
    assert send(client, proposal, "accept")["Location"] == "/tags/acme/board@1.0.0"
    assert state(proposal) == "accepted"


def test_stale_revision_is_refused_and_the_form_updated_to_the_newest(
    client: Client, propose: Propose, carol: User
) -> None:
    proposal = propose()
    revise(proposal, BOARD | {"num-cores": 8})
    client.force_login(carol)
    response = send(client, proposal, "reject", seen=1, text="My reason")
    assert response.status_code == 412
    page = body(response)
    assert "You reviewed revision 1" in page
    assert "My reason" in page
    assert f"/proposals/{proposal.pk}/changes/1...2" in page
    assert '<input type="hidden" name="seen" value="2"' in page
    assert send(client, proposal, "reject", seen=2).status_code == 302


@pytest.mark.parametrize("verb", CURATOR_ACTIONS)
def test_decided_proposal_cannot_be_decided_again(
    client: Client, propose: Propose, carol: User, verb: str
) -> None:
    proposal = propose()
    review.reject(proposal.pk, seen=1, text="No.", actor=Actor.operator(carol))
    client.force_login(carol)
    assert client.get(f"/proposals/{proposal.pk}/{verb}").status_code == 409
    response = send(client, proposal, verb, text="My words")
    assert response.status_code == 409
    assert "The proposal is rejected" in body(response)
    assert "My words" in body(response)


def test_proposal_for_a_moved_tag_cannot_be_accepted(
    client: Client, propose: Propose, carol: User
) -> None:
    proposal = propose()
    publish("acme/board", BOARD | {"num-cores": 2})
    client.force_login(carol)
    assert "must revise the proposal first" in body(client.get(f"/proposals/{proposal.pk}/accept"))
    response = send(client, proposal, "accept")
    assert response.status_code == 409
    assert "bob must revise the proposal." in body(response)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"text": ""}, (400, "Enter the ")),
        ({"text": " \n "}, (400, "visible text is required")),
        ({"text": "bell\x07"}, (400, "U+0007")),
        ({"text": "x" * 4001}, (400, "4001 characters are too many")),
        ({"seen": ""}, (400, "This form is incomplete")),
        ({"seen": "1e9"}, (400, "This form is incomplete")),
        ({"seen": "9" * 30}, (400, "This form is incomplete")),
        ({"key": "k" * 37}, (400, "at most 36 characters")),
    ],
)
def test_invalid_form_keeps_the_text_with_its_errors(
    client: Client, propose: Propose, carol: User, fields: dict[str, str], expected: tuple[int, str]
) -> None:
    proposal = propose()
    client.force_login(carol)
    status, message = expected
    response = send(client, proposal, "reject", **fields)
    assert response.status_code == status
    assert message in body(response)
    assert fields.get("text", "Because.").strip("\x07 \n") in body(response)
    assert state(proposal) == "open"


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "javascript:alert(1)"])
def test_markup_is_escaped(client: Client, propose: Propose, carol: User, text: str) -> None:
    proposal = propose()
    client.force_login(carol)
    assert send(client, proposal, "comment", text=text).status_code == 302
    page = body(client.get(f"/proposals/{proposal.pk}"))
    assert "<script>alert" not in page
    assert 'href="javascript' not in page


def test_post_without_csrf_token_is_refused_and_keeps_the_text(
    propose: Propose, carol: User
) -> None:
    proposal = propose()
    client = Client(enforce_csrf_checks=True, headers={"origin": "http://testserver"})
    client.force_login(carol)
    response = send(client, proposal, "reject", text="My reason")
    assert response.status_code == 403
    assert state(proposal) == "open"
    path = f"/proposals/{proposal.pk}/reject"
    assert "My reason" in body(client.get(path))


def test_unknown_action_is_404(client: Client, propose: Propose, carol: User) -> None:
    proposal = propose()
    client.force_login(carol)
    assert client.get(f"/proposals/{proposal.pk}/publish").status_code == 404
    assert client.get("/proposals/99999/accept").status_code == 404


def test_back_shows_a_refused_form_again(client: Client, propose: Propose, carol: User) -> None:
    """With `no-store`, browsers show an error in place of what was typed."""
    proposal = propose()
    client.force_login(carol)
    response = send(client, proposal, "reject", text=" ")
    assert response.status_code == 400
    assert response["Cache-Control"] == "private, no-cache"
    assert "Cookie" in response["Vary"]


def test_action_pages_are_not_cached(client: Client, propose: Propose, carol: User) -> None:
    proposal = propose()
    client.force_login(carol)
    assert client.get(f"/proposals/{proposal.pk}/accept")["Cache-Control"] == "no-store"
