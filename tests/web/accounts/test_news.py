"""The page of news, the count in the header, the button that watches, the feed, unsubscribing."""

import re
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.domain.notices import MailTime, NoticeKind
from registry.domain.reference import Reference
from registry.models import Event, MailChoice, Membership, Namespace, Notice, Role, Tag, User, Watch
from registry.services.accounts import closing
from registry.services.core.permissions import Actor
from registry.services.event_log import reading
from registry.services.namespaces import members
from registry.services.notices import (
    feed_addresses,
    inbox,
    mail_choices,
    reader,
    unsubscribing,
    watching,
)
from registry.services.proposals import review
from registry.services.tags import aliases
from tests.people import make_acme
from tests.publishing import WITHOUT_LINTS as CPU, propose, publish, yank
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


def op(user: User) -> Actor:
    return Actor.operator(user)


@pytest.fixture
def bob(acme: Namespace) -> User:
    reading.skip_to_end()
    return User.objects.create_user("bob")


@pytest.fixture
def signed_in(client: Client, bob: User) -> User:
    client.force_login(bob)
    return bob


def read_log() -> None:
    while reader.read_events():
        pass


@pytest.fixture
def comments(bob: User, alice: User) -> int:
    """Comment on a proposal of Bob's, twice; return its number."""
    row = propose("acme/board", CPU, by="bob")
    for text in ("Why?", "And how?"):
        review.comment(row.pk, text=text, actor=op(alice))
    read_log()
    return row.pk


class TestPage:
    def test_new_account_is_told_what_will_be_news(self, visit: Visitor, signed_in: User) -> None:
        page = visit("/me/news")
        assert "No news yet." in page.text
        assert "Mark all as read" not in page.text

    def test_unread_news_are_marked_and_counted(
        self, visit: Visitor, signed_in: User, comments: int
    ) -> None:
        page = visit("/me/news")
        assert page.text.count("New alice commented on your proposal") == 2
        assert f"/proposals/{comments}" in page.links
        assert unread(visit("/").html) == "2 unread"

    def test_all_news_up_to_the_newest_shown_are_marked_read(
        self, client: Client, visit: Visitor, signed_in: User, comments: int, alice: User
    ) -> None:
        newest = re.search(r'name="up_to" value="(\d+)"', visit("/me/news").html)
        assert newest
        review.comment(comments, text="Later.", actor=op(alice))
        read_log()
        assert client.post("/me/news", {"up_to": newest[1]}).status_code == 302
        assert unread(visit("/").html) == "1 unread"
        assert visit("/me/news").text.count("New alice") == 1

    def test_one_is_marked_read(
        self, client: Client, visit: Visitor, signed_in: User, comments: int
    ) -> None:
        notice = Notice.objects.filter(user=signed_in).first()
        assert notice
        client.post("/me/news", {"notice": str(notice.pk), "up_to": "999999"})
        assert unread(visit("/").html) == "1 unread"

    def test_news_of_another_account_stay_unread(
        self, client: Client, visit: Visitor, signed_in: User, comments: int, alice: User
    ) -> None:
        notice = Notice.objects.get(user=alice)
        client.post("/me/news", {"notice": str(notice.pk)})
        client.post("/me/news", {"up_to": "999999"})
        notice.refresh_from_db()
        assert notice.read is None

    @pytest.mark.parametrize("number", ["", "x", "-1", "²", "9" * 30])
    def test_wrong_number_marks_nothing(
        self, client: Client, visit: Visitor, signed_in: User, comments: int, number: str
    ) -> None:
        assert client.post("/me/news", {"up_to": number}).status_code == 302
        assert unread(visit("/").html) == "2 unread"

    def test_pages_continue(self, visit: Visitor, signed_in: User, comments: int) -> None:
        page = visit("/me/news?limit=1")
        (later,) = {link for link in page.links if "cursor=" in link}
        assert visit(later.replace("&amp;", "&")).html.count('class="is-unread"') == 1

    def test_lost_role_hides_what_waited(
        self, client: Client, visit: Visitor, acme: Namespace, alice: User, bob: User
    ) -> None:
        carol = User.objects.create_user("carol")
        members.grant_role(acme, carol, Role.CURATOR, actor=op(alice))
        propose("acme/board", CPU, by="bob")
        read_log()
        client.force_login(carol)
        assert "waits for your review" in visit("/me/news").text
        Membership.objects.filter(user=carol).delete()
        assert "waits for your review" not in visit("/me/news").text
        assert unread(visit("/").html) == "1 unread", "that alice made her a curator"


def unread(html: str) -> str:
    """Return the count in the header; empty if there is none."""
    match = re.search(r'<span class="unread-count">(.*?)</span></span>', html)
    return re.sub("<[^>]*>", "", match[1]) if match else ""


class TestQueries:
    def test_visitors_pay_none_for_news(self, visit: Visitor, db: None) -> None:
        publish_board()
        for path in ("/tags/acme/board", "/namespaces/acme", "/me/news/settings"):
            with CaptureQueriesContext(connection) as queries:
                visit(path)
            assert not [row for row in queries.captured_queries if "notice" in row["sql"]]
            assert not [row for row in queries.captured_queries if "registry_watch" in row["sql"]]

    def test_count_is_one_query(
        self, client: Client, visit: Visitor, signed_in: User, comments: int
    ) -> None:
        with CaptureQueriesContext(connection) as queries:
            visit("/kinds/")
        assert sum("registry_notice" in row["sql"] for row in queries.captured_queries) == 1

    @pytest.mark.parametrize("path", ["/tags/acme/board", "/namespaces/acme"])
    def test_button_is_one_query(self, visit: Visitor, signed_in: User, path: str) -> None:
        publish_board()
        with CaptureQueriesContext(connection) as queries:
            visit(path)
        assert sum("registry_watch" in row["sql"] for row in queries.captured_queries) == 1


def publish_board() -> None:
    make_acme()
    publish("acme/board", CPU)


class TestButton:
    @pytest.mark.parametrize("name", ["acme/board", "acme"])
    def test_watching_and_stopping(
        self, client: Client, visit: Visitor, signed_in: User, name: str
    ) -> None:
        publish("acme/board", CPU)
        path = f"/tags/{name}" if "/" in name else f"/namespaces/{name}"
        assert f'action="/watch/{name}"' in visit(path).html
        assert button(visit(path).html) == "watch"
        response = client.post(f"/watch/{name}", {"to": "watch"})
        assert response["Location"] == path
        assert f"You watch {name}." in visit(path).text
        assert button(visit(path).html) == "stop"
        assert name in visit("/me/news/settings").text
        client.post(f"/watch/{name}", {"to": "stop"})
        assert button(visit(path).html) == "watch"

    def test_double_click_watches_once(self, client: Client, signed_in: User) -> None:
        publish("acme/board", CPU)
        for _ in range(2):
            assert client.post("/watch/acme/board", {"to": "watch"}).status_code == 302
        assert Watch.objects.get().is_on

    def test_author_and_curator_can_stop(
        self, visit: Visitor, owner: Client, acme: Namespace
    ) -> None:
        publish("acme/board", CPU)
        for path in ("/tags/acme/board", "/namespaces/acme"):
            assert button(visit(path).html) == "stop"

    def test_family_is_watched_with_its_members(
        self, visit: Visitor, signed_in: User, alice: User
    ) -> None:
        publish("acme/series", CPU)
        Watch.objects.create(user=signed_in, name="acme/series", is_on=True)
        signed_in_tag = publish("acme/one", {"tag": "acme/series", "num-cores": 2}).tag
        assert button(visit(f"/tags/{signed_in_tag}").html) == "watch"
        Tag.objects.filter(text="acme/series").update(is_family=True)
        assert button(visit(f"/tags/{signed_in_tag}").html) == "stop"

    def test_visitor_signs_in_first_and_then_watches(
        self, client: Client, visit: Visitor, bob: User
    ) -> None:
        publish("acme/board", CPU)
        assert "/watch/acme/board" in visit("/tags/acme/board").links
        assert client.get("/watch/acme/board")["Location"].startswith("/accounts/login/")
        client.force_login(bob)
        assert "Watch" in visit("/watch/acme/board").text
        assert not Watch.objects.exists(), "a GET changes nothing"

    def test_alias_leads_to_its_tag(self, client: Client, signed_in: User, alice: User) -> None:
        publish("acme/board", CPU)
        aliases.point_alias("acme/Board", Reference.parse("acme/board"), actor=op(alice))
        assert client.get("/watch/acme/Board")["Location"] == "/watch/acme/board"

    @pytest.mark.parametrize("name", ["acme/absent", "absent", "acme/%00", "acme/b@1"])
    def test_unknown_name_is_refused(self, client: Client, signed_in: User, name: str) -> None:
        assert client.get(f"/watch/{name}").status_code in {400, 404}

    def test_post_needs_a_csrf_token(self, bob: User) -> None:
        publish("acme/board", CPU)
        client = Client(enforce_csrf_checks=True)
        client.force_login(bob)
        assert client.post("/watch/acme/board", {"to": "watch"}).status_code == 403
        assert not Watch.objects.exists()

    def test_too_many_names_are_refused(
        self, client: Client, signed_in: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(watching, "MAX_WATCHES", 1)
        publish("acme/board", CPU)
        client.post("/watch/acme", {"to": "watch"})
        response = client.post("/watch/acme/board", {"to": "watch"})
        assert response.status_code == 409
        assert b"You watch 1 names already" in response.content
        assert client.post("/watch/acme", {"to": "stop"}).status_code == 302


def button(html: str) -> str:
    match = re.search(r'<form class="watch".*?name="to" value="(\w+)"', html, re.DOTALL)
    return match[1] if match else ""


class TestSettings:
    def test_times_are_chosen(
        self, client: Client, visit: Visitor, signed_in: User, settings: Any
    ) -> None:
        settings.SENDS_MAIL = True
        EmailAddress.objects.create(user=signed_in, email="b@example.org", verified=True)
        assert "b@example.org" in visit("/me/news/settings").text
        times = {str(kind): str(MailTime.NEVER) for kind in NoticeKind}
        response = client.post("/me/news/settings", {"act": "mail", **times})
        assert response.status_code == 302
        assert set(mail_choices.chosen_times(signed_in).values()) == {MailTime.NEVER}

    def test_wrong_time_is_refused(self, client: Client, signed_in: User, settings: Any) -> None:
        settings.SENDS_MAIL = True
        fields = {str(kind): "hourly" for kind in NoticeKind}
        response = client.post("/me/news/settings", {"act": "mail", **fields})
        assert response.status_code in {400, 422}
        assert not MailChoice.objects.exists()

    def test_page_says_that_nothing_is_mailed(
        self, visit: Visitor, signed_in: User, settings: Any
    ) -> None:
        settings.SENDS_MAIL = False
        assert "This registry mails no news." in visit("/me/news/settings").text
        settings.SENDS_MAIL = True
        assert "You have no confirmed address" in visit("/me/news/settings").text


class TestFeed:
    @pytest.fixture
    def key(self, bob: User) -> str:
        watching.watch("acme", actor=op(bob))
        return feed_addresses.renew(actor=op(bob))

    def test_feed_has_what_is_watched(self, visit: Visitor, key: str, bob: User) -> None:
        publish("acme/board", CPU)
        yank("acme/board@1.0.0", "<b> wrong")
        read_log()
        page = visit(f"/news.atom?key={key}")
        feed = ET.fromstring(page.html)  # noqa: S314 - our own
        titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
        assert titles == [
            "alice yanked acme/board@1.0.0.",
            "alice published acme/board@1.0.0, its first version.",
        ]
        assert page.response["Cache-Control"] == "private, no-cache"
        ids = {entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")}
        assert len(ids) == 2
        assert visit(f"/news.atom?key={key}").html == page.html

    def test_feed_has_nothing_private(
        self, visit: Visitor, key: str, bob: User, alice: User, acme: Namespace
    ) -> None:
        members.grant_role(acme, bob, Role.OWNER, actor=op(alice))
        row = propose("acme/board", CPU, by="bob")
        review.comment(row.pk, text="Why?", actor=op(alice))
        read_log()
        assert Notice.objects.filter(user=bob).count() == 2
        assert "<entry>" not in visit(f"/news.atom?key={key}").html

    def test_new_address_ends_the_old_one(
        self, client: Client, visit: Visitor, signed_in: User, key: str
    ) -> None:
        assert quote(key) in visit("/me/news/settings").html
        client.post("/me/news/settings", {"act": "feed"})
        assert quote(key) not in visit("/me/news/settings").html
        assert visit(f"/news.atom?key={key}").status == 404
        assert visit(f"/news.atom?key={feed_addresses.key_of(signed_in)}").status == 200

    @pytest.mark.parametrize("wrong", ["", "x", "1.1", "{key}x", "{other}", "{pk}.1:{signature}"])
    def test_guessed_key_opens_nothing(
        self, visit: Visitor, key: str, bob: User, alice: User, wrong: str
    ) -> None:
        signature = key.rpartition(":")[2]
        other = unsubscribing.link(bob, [NoticeKind.WATCHED]).partition("token=")[2]
        wrong = wrong.format(key=key, other=other, pk=alice.pk, signature=signature)
        assert visit(f"/news.atom?key={wrong}").status == 404

    def test_closed_account_has_no_feed(self, visit: Visitor, key: str, bob: User) -> None:
        closing.close_account(actor=op(bob))
        assert visit(f"/news.atom?key={key}").status == 404
        assert not Watch.objects.exists()


class TestUnsubscribing:
    @pytest.fixture
    def link(self, bob: User) -> str:
        kinds = [NoticeKind.WATCHED, NoticeKind.INHERITED]
        return unsubscribing.link(bob, kinds).removeprefix("http://testserver")

    def test_get_shows_a_page_and_changes_nothing(
        self, client: Client, visit: Visitor, link: str
    ) -> None:
        page = visit(link)
        assert "bob would get no more mail of: what your tags are made from, what you" in page.text
        assert client.head(link).status_code == 200
        assert not MailChoice.objects.exists()

    def test_one_click_of_a_mail_program_ends_it_without_signing_in(
        self, link: str, bob: User, alice: User
    ) -> None:
        client = Client(enforce_csrf_checks=True)
        response = client.post(link, {"List-Unsubscribe": "One-Click"})
        assert response.status_code == 200
        times = mail_choices.chosen_times(bob)
        ended = {kind for kind, time in times.items() if time is MailTime.NEVER}
        assert ended == {NoticeKind.WATCHED, NoticeKind.INHERITED}
        assert MailTime.NEVER not in mail_choices.chosen_times(alice).values()
        assert client.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 200

    @pytest.mark.parametrize("cut", [1, 5])
    def test_changed_link_is_refused(self, client: Client, link: str, cut: int) -> None:
        for wrong in (link[:-cut], link[:-cut] + "x" * cut, "/unsubscribe"):
            response = client.post(wrong, {"List-Unsubscribe": "One-Click"})
            assert response.status_code in (400, 422)
            assert "Set-Cookie" not in response.headers
        assert not MailChoice.objects.exists()

    def test_link_of_a_closed_account_stores_nothing(
        self, client: Client, link: str, bob: User
    ) -> None:
        closing.close_account(actor=op(bob))
        assert client.post(link).status_code in (400, 422)
        assert not MailChoice.objects.exists()

    def test_link_of_a_deleted_account_is_refused(self, client: Client, bob: User) -> None:
        gone = User.objects.create_user("gone")
        link = unsubscribing.link(gone, [NoticeKind.WATCHED]).removeprefix("http://testserver")
        gone.delete()
        assert client.post(link).status_code in (400, 422)


def test_events_stay_readable_after_notices_are_forgotten(bob: User, comments: int) -> None:
    assert inbox.forget_old(100) == 0
    Notice.objects.all().delete()
    assert Event.objects.exists()
