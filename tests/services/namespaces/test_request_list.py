"""Lists of requests for namespaces."""

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.models import NamespaceRequest, User
from registry.services.core import paging
from registry.services.core.permissions import Actor
from registry.services.namespaces import request_list, requests
from registry.services.namespaces.request_list import parse_filters
from tests.requests import claim, request_namespace

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob() -> User:
    return User.objects.create_user("bob")


@pytest.fixture
def made(alice: User, bob: User) -> list[NamespaceRequest]:
    """Return an open request, a claim and a withdrawn one."""
    rows = [request_namespace("initech", alice), claim("arm", bob), request_namespace("oso", bob)]
    requests.withdraw(rows[2].pk, actor=Actor(bob))
    return rows


def names(**filters: str) -> list[str]:
    return [row.name for row in request_list.list_requests(parse_filters(**filters)).rows]


def test_lists_are_filtered(made: list[NamespaceRequest]) -> None:
    assert names() == ["initech", "arm"]
    assert names(state="all") == ["initech", "arm", "oso"]
    assert names(state="withdrawn", requester="bob") == ["oso"]
    assert names(name="arm") == ["arm"]
    assert names(name="nobody\0") == []
    assert request_list.count_open() == 2
    counts = request_list.count_by_state(request_list.all_requests())
    assert counts == {"open": 2, "accepted": 0, "rejected": 0, "withdrawn": 1}


def test_unknown_state_is_rejected() -> None:
    with pytest.raises(Refused) as refused:
        parse_filters(state="lost")
    assert refused.value.code is Code.FILTER_INVALID
    assert "one of open, accepted" in refused.value.faults[0].expected


def test_own_requests_are_listed_newest_first(made: list[NamespaceRequest], bob: User) -> None:
    assert [row.name for row in request_list.requests_of(bob).rows] == ["oso", "arm"]


def test_pages_contain_every_request_once(
    made: list[NamespaceRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "PAGE", 2)
    filters = parse_filters(state="all")
    first = request_list.list_requests(filters)
    second = request_list.list_requests(filters, after=first.next_key)
    assert [row.pk for row in (*first.rows, *second.rows)] == [row.pk for row in made]
    assert second.next_key is None


def test_staff_sees_what_a_request_compares_with(bob: User) -> None:
    EmailAddress.objects.create(user=bob, email="bob@initech.example", verified=True)
    EmailAddress.objects.create(user=bob, email="bob@elsewhere.example", verified=False)
    context = request_list.request_context(request_namespace("nvidea", bob))
    assert context.addresses == ("bob@initech.example",)
    assert context.near_names == ("nvidia",)
    assert (context.namespace, context.owners, context.others.rows) == (None, (), ())


def test_number_of_queries_is_constant(made: list[NamespaceRequest]) -> None:
    with CaptureQueriesContext(connection) as captured:
        names(state="all")
    assert len(captured) == 1
