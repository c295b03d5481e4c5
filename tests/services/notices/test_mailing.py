"""News by mail: what a mail server receives, and what it does not."""

import re
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from registry.domain.notices import MailTime, NoticeKind
from registry.models import Namespace, NoticeMail, OutgoingMail, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.notices import inbox, mail_choices, mail_queue, mailing, reader, watching
from registry.services.notices.mail_queue import next_daily
from registry.services.proposals import review
from registry.services.work.mail_delivery import MailDelivery, NewsMail
from tests.mail_server import MailServer
from tests.publishing import WITHOUT_LINTS as CPU, propose, publish, yank
from tests.services.notices.conftest import News
from tests.services.outbox.conftest import mail_server

__all__ = ["mail_server"]  # a fixture

pytestmark = pytest.mark.django_db


def op(user: User) -> Actor:
    return Actor.operator(user)


@pytest.fixture(autouse=True)
def sending(settings: Any, mail_server: MailServer) -> None:
    """Let the registry send mail, with links to its address."""
    settings.SENDS_MAIL, settings.ADDRESS = True, "https://registry.example.org"


@pytest.fixture
def bob(bob: User) -> User:
    """Return a user with a confirmed address."""
    EmailAddress.objects.create(user=bob, email="bob@example.org", verified=True, primary=True)
    return bob


@pytest.fixture
def send(news: News, mail_server: MailServer) -> Any:
    """Return a function that does what the worker does, and returns the new mails."""
    reader.read_events()

    def work() -> list[EmailMessage]:
        mail_server.mails.clear()
        while reader.read_events():
            pass
        for task in (NewsMail(), MailDelivery()):
            if task.is_due():
                task.run(lambda: True)
        return list(mail_server.mails)

    return work


def comment(by: User, text: str = "Why?") -> None:
    row = propose("acme/board", CPU, by="bob")
    review.comment(row.pk, text=text, actor=op(by))


def body(mail: EmailMessage, subtype: str) -> str:
    part = mail.get_body(preferencelist=(subtype,))
    assert part
    return str(part.get_content()).replace("\r\n", "\n")


def test_comment_is_mailed_at_once_in_text_and_html(alice: User, bob: User, send: Any) -> None:
    comment(alice)
    (mail,) = send()
    assert mail["To"] == "bob@example.org"
    assert re.fullmatch(
        r"\[Target Tag Registry\] alice commented on your proposal \d+ for acme/board\.",
        mail["Subject"],
    )
    assert mail["Auto-Submitted"] == "auto-generated"
    text, page = body(mail, "plain"), body(mail, "html")
    assert re.search(r"^alice commented on your proposal \d+ for acme/board\.$", text, re.MULTILINE)
    assert re.search(r"^  https://registry\.example\.org/proposals/\d+$", text, re.MULTILINE)
    assert re.search(r'<a href="https://registry\.example\.org/proposals/\d+">alice comm', page)


def test_mail_can_be_unsubscribed_with_one_click(alice: User, bob: User, send: Any) -> None:
    comment(alice)
    (mail,) = send()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    header = mail["List-Unsubscribe"].strip()
    link = re.fullmatch(r"<(https://registry\.example\.org/unsubscribe\?token=\S+)>", header)
    assert link, header
    assert link[1] in body(mail, "plain")


def test_names_and_reasons_are_escaped_in_html(alice: User, bob: User, send: Any) -> None:
    publish("acme/board", CPU, actor=bob)
    mail_choices.choose_times({NoticeKind.WATCHED: MailTime.AT_ONCE}, actor=op(bob))
    send()
    yank("acme/board@1.0.0", "<b>&")
    (mail,) = send()
    assert "“<b>&”" in body(mail, "plain")
    assert "“&lt;b&gt;&amp;”" in body(mail, "html")


def test_news_of_a_minute_are_one_mail(alice: User, bob: User, send: Any) -> None:
    row = propose("acme/board", CPU, by="bob")
    review.comment(row.pk, text="Why?", actor=op(alice))
    review.reject(row.pk, seen=1, text="No.", actor=op(alice))
    (mail,) = send()
    assert str(mail["Subject"]).endswith("(and 1 more)")
    text = body(mail, "plain")
    assert text.index("commented on") < text.index("rejected your")


def test_daily_news_wait_for_the_morning(
    alice: User, bob: User, send: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish("acme/board", CPU)
    watching.watch("acme/board", actor=op(bob))
    send()
    publish("acme/board", CPU | {"num-cores": 8})
    publish("acme/board", CPU | {"num-cores": 9})
    assert send() == []
    due = NoticeMail.objects.values_list("due", flat=True)
    assert {moment.hour for moment in due} == {6}
    NoticeMail.objects.update(due=timezone.now())
    (mail,) = send()
    assert "acme/board@2.0.0 (MAJOR: some tuning records no longer match)" in body(mail, "plain")
    assert send() == []


def queue_news() -> None:
    """Do what the worker does while the mail server is away."""
    while reader.read_events():
        pass
    NewsMail().run(lambda: True)
    assert OutgoingMail.objects.get().kind == mailing.KIND


def deliver(mail_server: MailServer) -> list[str]:
    """Send what waits, and return to whom."""
    MailDelivery().run(lambda: True)
    assert not OutgoingMail.objects.exists()
    return [str(mail["To"]) for mail in mail_server.mails]


@pytest.mark.usefixtures("send")
@pytest.mark.parametrize(
    ("change", "recipients"),
    [
        ({}, ["bob@example.org"]),
        ({"email": "new@example.org"}, ["new@example.org"]),
        ({"email": "new@example.org", "verified": False}, []),
    ],
)
def test_news_that_waited_go_to_the_address_of_today(
    alice: User,
    bob: User,
    mail_server: MailServer,
    change: dict[str, Any],
    recipients: list[str],
) -> None:
    comment(alice)
    queue_news()
    if change:
        EmailAddress.objects.filter(user=bob).update(**change)
    assert deliver(mail_server) == recipients


def test_news_that_waited_do_not_go_to_a_closed_account(
    alice: User, bob: User, send: Any, mail_server: MailServer
) -> None:
    comment(alice)
    queue_news()
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert deliver(mail_server) == []


def test_news_of_security_that_waited_go_to_the_address_of_before(
    acme: Namespace, alice: User, bob: User, send: Any, mail_server: MailServer
) -> None:
    members.grant_role(acme, bob, Role.CURATOR, actor=op(alice))
    comment(alice)
    queue_news()
    EmailAddress.objects.filter(user=bob).update(email="thief@example.org")
    assert deliver(mail_server) == ["bob@example.org"]


def test_mail_that_release_0_1_queued_goes_where_it_was_to_go(bob: User) -> None:
    assert mailing.readdress({"to": ["old@example.org"]}) == "old@example.org"


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (datetime(2026, 1, 1, 5, 59, tzinfo=UTC), datetime(2026, 1, 1, 6, tzinfo=UTC)),
        (datetime(2026, 1, 1, 6, 0, tzinfo=UTC), datetime(2026, 1, 2, 6, tzinfo=UTC)),
        (datetime(2026, 12, 31, 23, 0, tzinfo=UTC), datetime(2027, 1, 1, 6, tzinfo=UTC)),
    ],
)
def test_next_daily(now: datetime, due: datetime) -> None:
    assert next_daily(now) == due


class TestNotMailed:
    def test_own_deeds(self, bob: User, send: Any) -> None:
        comment(bob)
        assert send() == []

    def test_unsubscribed_kinds(self, alice: User, bob: User, send: Any) -> None:
        mail_choices.choose_times({NoticeKind.PROPOSAL: MailTime.NEVER}, actor=op(bob))
        comment(alice)
        assert send() == []
        assert inbox.count_unread(bob) == 1, "on the site it still is news"

    def test_kind_that_was_unsubscribed_before_the_mail_was_made(
        self, alice: User, bob: User, send: Any
    ) -> None:
        comment(alice)
        reader.read_events()
        assert NoticeMail.objects.count() == 1
        mail_choices.choose_times({NoticeKind.PROPOSAL: MailTime.NEVER}, actor=op(bob))
        assert send() == []
        assert NoticeMail.objects.count() == 0

    @pytest.mark.parametrize("verified", [True, False])
    def test_unconfirmed_address(self, alice: User, bob: User, send: Any, verified: bool) -> None:
        EmailAddress.objects.update(verified=verified)
        comment(alice)
        assert len(send()) == verified

    def test_account_without_address(self, alice: User, bob: User, send: Any) -> None:
        EmailAddress.objects.all().delete()
        comment(alice)
        assert send() == []

    def test_address_that_was_removed_before_the_mail_was_made(
        self, alice: User, bob: User, send: Any
    ) -> None:
        comment(alice)
        reader.read_events()
        EmailAddress.objects.all().delete()
        assert send() == []

    def test_closed_account(self, alice: User, bob: User, send: Any) -> None:
        comment(alice)
        reader.read_events()
        User.objects.filter(pk=bob.pk).update(is_active=False)
        assert send() == []

    def test_work_of_a_curator_who_lost_the_role(
        self, acme: Namespace, alice: User, bob: User, send: Any
    ) -> None:
        members.grant_role(acme, bob, Role.CURATOR, actor=op(alice))
        send()
        propose("acme/board", CPU, by="stranger")
        reader.read_events()
        assert NoticeMail.objects.filter(notice__user=bob).exists()
        members.revoke_membership(acme, bob, actor=op(alice))
        (mail,) = send()
        assert "removed you from acme" in body(mail, "plain")
        assert "stranger" not in body(mail, "plain")

    def test_what_was_read_on_the_site(self, alice: User, bob: User, send: Any) -> None:
        comment(alice)
        reader.read_events()
        inbox.mark_read(actor=op(bob), up_to=10**9)
        assert send() == []

    @pytest.mark.parametrize("setting", ["SENDS_MAIL", "ADDRESS"])
    def test_anything_where_mail_is_off_and_nothing_later(
        self, alice: User, bob: User, send: Any, settings: Any, setting: str
    ) -> None:
        value = getattr(settings, setting)
        setattr(settings, setting, "")
        comment(alice)
        assert send() == []
        setattr(settings, setting, value)
        assert send() == []

    def test_what_waited_for_days(self, alice: User, bob: User, send: Any) -> None:
        comment(alice)
        reader.read_events()
        NoticeMail.objects.update(due=timezone.now() - mailing.MAX_AGE - timedelta(minutes=1))
        assert send() == []


def test_mail_and_notices_are_one_write(
    alice: User, bob: User, send: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    comment(alice)
    reader.read_events()
    with monkeypatch.context() as patch:
        patch.setattr(mailing.queueing, "queue", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            NewsMail().run(lambda: True)
    assert NoticeMail.objects.count() == 1
    assert not OutgoingMail.objects.exists()
    assert len(send()) == 1


def test_default_times_are_complete() -> None:
    assert set(mail_queue.DEFAULT_TIMES) == set(NoticeKind)


@pytest.mark.parametrize("is_long", [False, True])
def test_a_subject_that_is_cut_says_so(
    bob: User, send: Any, monkeypatch: pytest.MonkeyPatch, is_long: bool
) -> None:
    comment(User.objects.get(username="alice"))
    monkeypatch.setattr(mailing, "MAX_SUBJECT", 20 if is_long else 200)
    (mail,) = send()
    sentence = str(mail["Subject"]).split("] ")[-1]
    assert sentence.endswith("…") is is_long
    assert (len(sentence) == 20) is is_long
