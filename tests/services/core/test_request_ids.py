"""Ids of requests and commands."""

import pytest

from registry.models import Event, User
from registry.services.core import request_ids
from registry.services.core.permissions import Actor
from registry.services.namespaces import namespaces


def test_nothing_is_at_work_at_first() -> None:
    assert request_ids.request_id() == ""


def test_id_holds_inside_and_no_longer() -> None:
    with request_ids.request_context("outer-id"):
        with request_ids.request_context("inner-id"):
            assert request_ids.request_id() == "inner-id"
        assert request_ids.request_id() == "outer-id"
    assert request_ids.request_id() == ""


@pytest.mark.parametrize("given", ["a" * 8, "a" * 64, "0AZaz._-", "3f2a-4b5c.x_y"])
def test_given_id_is_taken_over(given: str) -> None:
    assert request_ids.new_request_id(given) == given


@pytest.mark.parametrize(
    "given",
    ["", "a" * 7, "a" * 65, "a b c d e", "abcdefgh\n", "\nabcdefgh", "äbcdefgh", "a/b:c%20"],
)
def test_what_is_no_id_is_replaced(given: str) -> None:
    made = request_ids.new_request_id(given)
    assert made != given
    assert request_ids.FORM.fullmatch(made)
    assert made != request_ids.new_request_id(given)


@pytest.mark.parametrize("name", ["load_catalogue", "", "--help", "x" * 300, "a\nb c"])
def test_command_has_an_id_of_the_same_form(name: str) -> None:
    made = request_ids.new_command_id(name)
    assert made.startswith("command-")
    assert request_ids.FORM.fullmatch(made)
    assert made != request_ids.new_command_id(name)


@pytest.mark.django_db
def test_event_names_the_request_that_wrote_it(alice: User) -> None:
    with request_ids.request_context("abcdefgh"):
        namespaces.create_namespace("acme", actor=Actor.operator(alice))
    namespaces.create_namespace("acme2", actor=Actor.operator(alice))
    written = dict(
        Event.objects.filter(subject__startswith="acme").values_list("subject", "request")
    )
    assert written == {"acme": "abcdefgh", "acme2": ""}
