"""Tests that the API rejects writes unless the resource declares its action."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from rest_framework.request import Request

from registry.api import urls
from registry.api.core.resource import Resource
from registry.models import Namespace, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from tests.api.problems import problem

pytestmark = pytest.mark.any_database

UNSAFE = ("post", "put", "patch", "delete")


class Undeclared(Resource):
    """A resource without a declared action."""

    def get(self, request: Request) -> HttpResponse:
        return HttpResponse("read")

    def post(self, request: Request) -> HttpResponse:
        return HttpResponse("written")

    put = patch = delete = post


def ask(method: str, token: str = "") -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Undeclared.as_view()(RequestFactory().generic(method, "/", headers=headers))


@pytest.mark.parametrize("method", UNSAFE)
def test_undeclared_write_is_rejected_without_a_token(method: str) -> None:
    problem(ask(method.upper()), "UNAUTHENTICATED")


@pytest.mark.django_db
@pytest.mark.parametrize("method", UNSAFE)
def test_undeclared_write_is_rejected_for_staff(method: str, acme: Namespace) -> None:
    staff = User.objects.create_user("boss", is_staff=True)
    token = tokens.issue_token(
        staff, label="all", scopes=set(Scope), pattern="*", actor=Actor(staff)
    )
    problem(ask(method.upper(), token), "FORBIDDEN")


def test_reading_is_public() -> None:
    assert ask("GET").content == b"read"


@pytest.mark.django_db
def test_an_invalid_token_is_refused_by_every_route_that_reads() -> None:
    """The description included; of pages, `docs/run` looks at no token."""
    headers = {"Authorization": "Bearer ttr_000000000000_x"}
    views = [getattr(pattern.callback, "view_class", None) for pattern in urls.urlpatterns]
    readers = [view for view in views if view and hasattr(view, "get")]
    for view in readers:
        problem(view.as_view()(RequestFactory().get("/", headers=headers)), "UNAUTHENTICATED")
    assert len(readers) > 20, "it looked at them"


def resources() -> Iterator[Any]:
    for pattern in urls.urlpatterns:
        view = getattr(pattern.callback, "view_class", None)
        if view and any(hasattr(view, method) for method in UNSAFE):
            yield view


def test_every_resource_that_writes_declares_its_action() -> None:
    result = list(resources())
    assert result
    for view in result:
        assert (view.write_action is not None) != view.reads_by_post, view
        assert view.reads_by_post or view.subjects is not Resource.subjects, view
