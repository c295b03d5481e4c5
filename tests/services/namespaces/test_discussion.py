"""Comments on requests for namespaces: by whom, on which, and how often."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import DatabaseError, transaction

from registry.domain.errors import Code, Refused
from registry.models import Event, NamespaceRequest, RequestComment, Token, User
from registry.services.accounts import tokens
from registry.services.core import remarks
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import discussion, requests
from tests.requests import claim, request_namespace
from tests.services.namespaces.conftest import detail, last_events

pytestmark = pytest.mark.django_db


@pytest.fixture
def requester(db: None) -> User:
    return User.objects.create_user("requester")


@pytest.fixture
def wanted(requester: User) -> NamespaceRequest:
    return request_namespace("initech", requester)


def comment(request: NamespaceRequest, by: User, text: str = "Why?", key: str = "") -> int:
    return discussion.comment(request.pk, text=text, actor=Actor(by), key=key).sequence


def refusal(write: Callable[[], object]) -> Code:
    """Return why nothing was written."""
    before = RequestComment.objects.count(), Event.objects.count()
    with pytest.raises(Refused) as refused:
        write()
    assert (RequestComment.objects.count(), Event.objects.count()) == before
    return refused.value.code


def test_requester_and_staff_comment(
    wanted: NamespaceRequest, requester: User, staff: User
) -> None:
    assert comment(wanted, staff, "Who are you?\r\n") == 1
    assert comment(wanted, requester, "Initech.") == 2
    texts = [(row.author.username, row.text) for row in discussion.all_comments(wanted)]
    assert texts == [("staff", "Who are you?"), ("requester", "Initech.")]
    assert last_events(2) == [("request.commented", "staff"), ("request.commented", "requester")]
    state = {"kind": "new", "before": "open", "after": "open"}
    assert detail() == {"request": wanted.pk, **state}
    assert Event.objects.latest("number").namespace == ""  # it does not exist


def test_comments_on_a_claim_are_events_of_the_namespace(requester: User) -> None:
    comment(claim("arm", requester), requester)
    assert Event.objects.latest("number").namespace == "arm"


def test_others_do_not_comment(wanted: NamespaceRequest, alice: User) -> None:
    assert refusal(lambda: comment(wanted, alice)) == Code.FORBIDDEN
    missing = NamespaceRequest(pk=999)
    assert refusal(lambda: comment(missing, alice)) == Code.NAMESPACE_REQUEST_UNKNOWN
    nobody = partial(discussion.comment, wanted.pk, text="x", actor=None)
    assert refusal(nobody) == Code.UNAUTHENTICATED


def test_closed_account_and_former_staff_do_not_comment(
    wanted: NamespaceRequest, requester: User, staff: User
) -> None:
    User.objects.filter(pk=staff.pk).update(is_staff=False)  # while the page was open
    assert refusal(lambda: comment(wanted, staff)) == Code.FORBIDDEN
    User.objects.filter(pk=requester.pk).update(is_active=False)
    assert refusal(lambda: comment(wanted, requester)) == Code.UNAUTHENTICATED


def test_comments_are_listed_page_by_page(wanted: NamespaceRequest, requester: User) -> None:
    for text in ("one", "two"):
        comment(wanted, requester, text)
    page = discussion.list_comments(wanted, limit=1)
    assert [row.text for row in page.rows] == ["one"]
    page = discussion.list_comments(wanted, after=page.next_key)
    assert ([row.text for row in page.rows], page.next_key) == (["two"], None)


@pytest.mark.parametrize("text", ["", " \n ", "x" * 4001, "a\x00", "\N{RIGHT-TO-LEFT OVERRIDE}a"])
def test_invalid_text_is_refused(wanted: NamespaceRequest, requester: User, text: str) -> None:
    assert refusal(lambda: comment(wanted, requester, text)) == Code.REQUEST_INVALID


def test_decided_requests_take_no_comments(
    wanted: NamespaceRequest, requester: User, staff: User
) -> None:
    arm, other = claim("arm", requester), claim("aws", requester)
    requests.withdraw(wanted.pk, actor=Actor(requester))
    requests.reject(arm.pk, text="No.", actor=Actor(staff))
    requests.accept(other.pk, actor=Actor(staff))
    for request in (wanted, arm, other):
        for user in (requester, staff):
            assert refusal(partial(comment, request, user)) == Code.CONFLICT


def test_form_that_is_sent_twice_adds_one_comment(
    wanted: NamespaceRequest, requester: User, staff: User
) -> None:
    assert [comment(wanted, requester, key="k") for _ in range(2)] == [1, 1]
    assert comment(wanted, staff, key="k") == 2  # keys are of accounts
    other = claim("arm", requester)
    assert refusal(lambda: comment(other, requester, key="k")) == Code.CONFLICT
    assert refusal(lambda: comment(wanted, requester, key="k", text="Lost?")) == Code.CONFLICT
    requests.withdraw(wanted.pk, actor=Actor(requester))
    assert comment(wanted, requester, key="k") == 1


def test_number_of_comments_is_limited(
    wanted: NamespaceRequest, requester: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remarks, "MAX_REMARKS", 2)
    assert [comment(wanted, requester) for _ in range(2)] == [1, 2]
    assert refusal(lambda: comment(wanted, requester)) == Code.CONFLICT


@pytest.mark.parametrize(("pattern", "is_allowed"), [("*", True), ("initech", False)])
def test_token_needs_the_whole_registry(
    wanted: NamespaceRequest, requester: User, pattern: str, is_allowed: bool
) -> None:
    """The namespace need not exist, so no token can be limited to it."""
    text = tokens.issue_token(
        requester, label="x", scopes={Scope.PROPOSE}, pattern="*", actor=Actor(requester)
    )
    Token.objects.update(pattern=pattern)
    actor = tokens.authenticate(text)

    def write() -> int:
        return discussion.comment(wanted.pk, text="x", actor=actor).sequence

    assert write() == 1 if is_allowed else refusal(write) == Code.FORBIDDEN


def test_comments_are_neither_changed_nor_deleted(
    wanted: NamespaceRequest, requester: User
) -> None:
    comment(wanted, requester)
    for change in (lambda rows: rows.update(text="y"), lambda rows: rows.delete()):
        with pytest.raises(DatabaseError), transaction.atomic():
            change(RequestComment.objects.filter(request=wanted))
