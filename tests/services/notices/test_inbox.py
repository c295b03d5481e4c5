"""Marking a notice as read marks no other, and none of another account."""

import pytest

from registry.models import Notice, User
from registry.services.core.permissions import Actor
from registry.services.notices import inbox
from tests.publishing import WITHOUT_LINTS as CPU, propose
from tests.services.notices.conftest import News

pytestmark = pytest.mark.django_db


def test_one_notice_is_marked_and_no_other(news: News, alice: User, carol: User) -> None:
    news()
    propose("acme/board", CPU, by="bob")
    propose("acme/card", CPU, by="bob")
    news()
    first, second = Notice.objects.filter(user=alice).order_by("event")
    inbox.mark_one(first.pk, actor=Actor.operator(alice))
    assert list(Notice.objects.filter(user=alice).unread()) == [second]
    assert Notice.objects.filter(user=carol).unread().count() == 2


def test_notice_of_another_account_stays_unread(news: News, alice: User, carol: User) -> None:
    propose("acme/board", CPU, by="bob")
    news()
    inbox.mark_one(Notice.objects.get(user=alice).pk, actor=Actor.operator(carol))
    assert Notice.objects.filter(user=alice).unread().exists()
