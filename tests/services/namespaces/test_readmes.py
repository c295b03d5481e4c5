"""READMEs of namespaces: who writes them, which revision they replace, what is kept."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import DatabaseError, connection, transaction

from registry.domain.errors import Code, Refused
from registry.models import Event, Namespace, Readme, Role, User
from registry.services.accounts import closing
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, readmes
from registry.services.operations import redaction
from tests.services.namespaces.conftest import detail, last_events

pytestmark = pytest.mark.django_db

Write = Callable[..., Readme]


@pytest.fixture
def write(acme: Namespace, alice: User) -> Write:
    def write_readme(text: str, seen: int = 0, by: User = alice) -> Readme:
        return readmes.write(acme, text=text, seen=seen, actor=Actor(by))

    return write_readme


def refusal(write: Callable[[], object]) -> Code:
    """Return why nothing was written."""
    before = Readme.objects.count(), Event.objects.count()
    with pytest.raises(Refused) as refused:
        write()
    assert (Readme.objects.count(), Event.objects.count()) == before
    return refused.value.code


def test_each_revision_is_kept_with_an_event(acme: Namespace, alice: User, write: Write) -> None:
    assert readmes.find_newest(acme) is None
    write("# Boards\r\n\r\nof Acme\r\n")
    assert detail() == {"revision": 1}
    assert write("Boards", seen=1).number == 2
    assert last_events(2) == [("namespace.readme_written", "alice")] * 2
    newest = readmes.require_newest(acme)
    assert (newest.number, newest.text, newest.author) == (2, "Boards", alice)
    assert readmes.find_revision(acme, 1).text == "# Boards\n\nof Acme"
    page = readmes.list_revisions(acme, limit=1)
    assert [row.number for row in page.rows] == [2]
    assert [row.number for row in readmes.list_revisions(acme, after=page.next_key).rows] == [1]


def test_same_text_writes_nothing(write: Write) -> None:
    write("Boards")
    events = Event.objects.count()
    assert write("Boards\n\n", seen=1).number == 1
    assert write("Boards", seen=0).number == 1  # the form was sent twice
    assert Event.objects.count() == events


def test_empty_text_removes_it_and_an_old_text_restores_it(acme: Namespace, write: Write) -> None:
    write("Boards")
    assert write("", seen=1).number == 2
    assert readmes.require_newest(acme).text == ""
    assert write("Boards", seen=2).number == 3
    assert readmes.find_revision(acme, 2).text == ""


def test_nothing_is_removed_where_nothing_is(write: Write) -> None:
    assert refusal(lambda: write("")) == Code.README_UNKNOWN


@pytest.mark.parametrize("seen", [0, 1, 3])
def test_text_of_others_is_not_replaced_unseen(write: Write, seen: int) -> None:
    write("one")
    write("two", seen=1)
    assert refusal(lambda: write("three", seen=seen)) == Code.PRECONDITION_FAILED


@pytest.mark.parametrize("text", ["x" * 8001, "\N{RIGHT-TO-LEFT OVERRIDE}a", "&#x202E;", ">" * 9])
def test_hostile_text_is_refused(write: Write, text: str) -> None:
    assert refusal(lambda: write(text)) == Code.REQUEST_INVALID


def test_only_owners_and_staff_write(
    acme: Namespace, alice: User, bob: User, staff: User, write: Write
) -> None:
    member, stranger = (User.objects.create_user(name) for name in ("member", "stranger"))
    members.grant_role(acme, member, Role.MEMBER, actor=Actor(alice))
    for user in (bob, member, stranger):  # Bob is a curator
        assert refusal(partial(write, "x", by=user)) == Code.FORBIDDEN
    assert write("x", by=staff).author == staff


def test_nobody_writes_without_an_account(acme: Namespace, staff: User, write: Write) -> None:
    closed = User.objects.create_user("closed")
    members.grant_role(acme, closed, Role.OWNER, actor=Actor(staff))
    closing.close_account(actor=Actor(closed, is_confirmed=True))
    assert refusal(lambda: write("x", by=closed)) == Code.UNAUTHENTICATED
    assert refusal(lambda: readmes.write(acme, text="x", seen=0, actor=None)) == (
        Code.UNAUTHENTICATED
    )


def test_owner_who_left_writes_no_more(acme: Namespace, alice: User, write: Write) -> None:
    carol = User.objects.create_user("carol")
    members.grant_role(acme, carol, Role.OWNER, actor=Actor(alice))
    write("x", by=carol)
    members.revoke_membership(acme, carol, actor=Actor(alice))
    assert refusal(lambda: write("y", seen=1, by=carol)) == Code.FORBIDDEN


def test_revisions_of_other_namespaces_are_not_found(acme: Namespace, write: Write) -> None:
    write("x")
    arm = Namespace.objects.get(name="arm")
    assert refusal(lambda: readmes.find_revision(arm, 1)) == Code.README_UNKNOWN
    assert refusal(lambda: readmes.find_revision(acme, 2)) == Code.README_UNKNOWN
    assert refusal(lambda: readmes.find_revision(acme, 10**30)) == Code.README_UNKNOWN
    assert refusal(lambda: readmes.require_newest(arm)) == Code.README_UNKNOWN


@pytest.mark.parametrize("change", [{"text": "y"}, {"author_id": 1}, None])
def test_revisions_are_neither_changed_nor_deleted(
    acme: Namespace, write: Write, change: dict[str, object] | None
) -> None:
    write("x")
    rows = Readme.objects.filter(namespace=acme)
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(**change) if change else rows.delete()


def test_redaction_reaches_every_revision(acme: Namespace, staff: User, write: Write) -> None:
    write("call 555-0199")
    write("**call 555-0199** now", seen=1)
    connection.check_constraints()  # PostgreSQL cannot alter tables with deferred checks
    redaction.redact("555-0199", reason="private", actor=Actor.operator(staff))
    texts = [readmes.find_revision(acme, number).text for number in (1, 2)]
    assert texts == ["call [redacted]", "**call [redacted]** now"]
