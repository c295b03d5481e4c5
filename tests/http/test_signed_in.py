"""What the signed-in user of a page may do."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from pytest_django import DjangoAssertNumQueries

from registry.domain.reference import Tag
from registry.http.signed_in import is_allowed
from registry.models import User
from registry.services.core.permission_rules import Action
from tests.people import make_alice

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]


def request_of(user: User | AnonymousUser) -> HttpRequest:
    request = HttpRequest()
    request.user = user
    return request


def test_members_may_and_others_may_not() -> None:
    board = Tag.parse("acme/board")
    assert is_allowed(request_of(make_alice()), Action.YANK, board)
    bob = User.objects.create_user("bob")
    assert not is_allowed(request_of(bob), Action.YANK, board)


def test_anonymous_users_may_nothing_and_cost_no_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(0):
        assert not is_allowed(request_of(AnonymousUser()), Action.PUBLISH, Tag.parse("acme/board"))
