"""The parameter `limit` of every list with pages."""

import html
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.test import Client

from registry.domain.notices import NoticeKind
from registry.models import (
    Event,
    Namespace,
    Notice,
    Role,
    Token,
    User,
    Webhook,
    WebhookDelivery,
)
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, readmes
from tests.publishing import propose, publish
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}
ROW = '<th scope="row">'
URL = "https://hooks.example.org/"
LISTS = {  # template: (the URL of a list, what each of its rows has once)
    "accounts/profile.html": ("/users/alice", '<li><a class="name" href="/tags/'),
    "home/list.html": ("/tags/?namespace=acme", ROW),
    "namespaces/index.html": ("/namespaces/", ROW),
    "namespaces/readme_revisions.html": (
        "/namespaces/acme/readme/",
        '<li><p class="proposal-line">',
    ),
    "namespaces/webhook.html": ("/manage/acme/webhooks/1", ROW),
    "namespaces/manage.html": ("/manage/acme", '<p><b class="name">'),
    "accounts/tokens.html": ("/me/tokens", ROW),
    "accounts/news.html": ("/me/news", '<p class="news-line">'),
    "events.html": ("/events?namespace=acme", 'class="log-number"'),
    "proposals/queue.html": ("/proposals/?state=all", ROW),
    "runners.html": ("/runs-on/acme/board?namespace=acme&verdict=unknown", ROW),
    "versions/page.html": ("/versions/acme/board", ROW),
    "used_by/page.html": ("/used-by/acme/board?versions=all", ROW),
}
WITHOUT_LIMIT = {"tag/resolved.html", "versions/rebase.html"}  # pages of whole nodes, of a plan
TEMPLATES = Path(settings.BASE_DIR) / "templates/registry"
NEXT = re.compile(r'<a rel="next" href="([^"]+)"')
FIRST = re.compile(r'href="([^"]+)">First page')


@pytest.fixture(autouse=True)
def two_rows(acme: Namespace, alice: User, client: Client) -> None:
    """Give every list two rows or more."""
    for cores in (1, 2):
        publish("acme/board", BOARD | {"num-cores": cores})
        publish(f"acme/child-{cores}", {"tag": "acme/board"})
        propose(f"acme/proposed-{cores}", BOARD)
        Token.objects.create(owner=alice, prefix=f"{cores:012}", digest=f"{cores:064}")
    for seen in (0, 1):
        readmes.write(acme, text=f"{seen}", seen=seen, actor=Actor.operator(alice))
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.CURATOR, actor=Actor.operator(alice))
    hook = Webhook.objects.create(pk=1, namespace=acme, url=URL, secret="", registrar=alice)
    for event in Event.objects.order_by("-number")[:2]:
        Notice.objects.create(user=alice, event=event, kind=NoticeKind.WATCHED)
        WebhookDelivery.objects.create(webhook=hook, event=event, message_id=f"{event.number}")
    client.force_login(alice)


def with_limit(url: str, limit: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}limit={limit}"


def query_of(url: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(html.unescape(url)).query)


PAGES = "registry/parts/pages.html"  # the links between them, which lists include
LINKS = re.compile(f'<a rel="next"|{PAGES}')


def test_every_list_with_pages_is_tested() -> None:
    templates = {
        str(path.relative_to(TEMPLATES))
        for path in TEMPLATES.rglob("*.html")
        if {'<a rel="next"', PAGES} & set(LINKS.findall(path.read_text(encoding="utf-8")))
    }
    assert templates - {"parts/pages.html"} == LISTS.keys() | WITHOUT_LIMIT


@pytest.mark.parametrize(("url", "row"), LISTS.values(), ids=LISTS)
def test_limit_sets_the_size_of_each_page(visit: Visitor, url: str, row: str) -> None:
    assert visit(url).html.count(row) >= 2
    first = visit(with_limit(url, "1"))
    assert first.html.count(row) == 1
    (next_url,) = NEXT.findall(first.html)
    second = visit(html.unescape(next_url))
    assert second.html.count(row) == 1
    expected = query_of(with_limit(url, "1"))
    assert all(query_of(link) == expected for link in FIRST.findall(second.html))


@pytest.mark.parametrize("limit", ["0", "101", "ten"])
@pytest.mark.parametrize(("url", "row"), LISTS.values(), ids=LISTS)
def test_invalid_limit_says_what_is_expected(
    visit: Visitor, url: str, row: str, limit: str
) -> None:
    page = visit(with_limit(url, limit))
    assert page.status == 400
    assert f"limit={limit} is not valid: expected a whole number from 1 to 100" in page.text
    assert row not in page.html
