"""Ids of requests and commands."""

import pytest

from registry.models import Event, User
from registry.services.core import request_ids
from registry.services.core.permissions import Actor
from registry.services.namespaces import namespaces


def test_id_is_empty_by_default() -> None:
    assert request_ids.request_id() == ""


def test_id_is_set_only_inside_the_context() -> None:
    with request_ids.request_context("outer-id"):
        with request_ids.request_context("inner-id"):
            assert request_ids.request_id() == "inner-id"
        assert request_ids.request_id() == "outer-id"
    assert request_ids.request_id() == ""


@pytest.mark.parametrize("received", ["a" * 8, "a" * 64, "0AZaz._-", "3f2a-4b5c.x_y"])
def test_valid_id_is_accepted(received: str) -> None:
    assert request_ids.accepted_id(received) == received


@pytest.mark.parametrize(
    "received",
    ["", "a" * 7, "a" * 65, "a b c d e", "abcdefgh\n", "\nabcdefgh", "äbcdefgh", "a/b:c%20"],
)
def test_invalid_id_is_not_accepted(received: str) -> None:
    assert request_ids.accepted_id(received) == ""


def test_new_ids_are_valid_and_differ() -> None:
    new_ids = {request_ids.new_id() for _ in range(1000)}
    assert len(new_ids) == 1000
    assert {request_ids.accepted_id(new_id) for new_id in new_ids} == new_ids


@pytest.mark.parametrize("name", ["load_catalogue", "", "--help", "x" * 300, "a\nb c"])
def test_command_id_matches_the_pattern(name: str) -> None:
    new_id = request_ids.new_command_id(name)
    assert new_id.startswith("command-")
    assert request_ids.PATTERN.fullmatch(new_id)
    assert new_id != request_ids.new_command_id(name)


@pytest.mark.django_db
def test_event_names_the_request_that_wrote_it(alice: User) -> None:
    with request_ids.request_context("abcdefgh"):
        namespaces.create_namespace("acme", actor=Actor.operator(alice))
    namespaces.create_namespace("acme2", actor=Actor.operator(alice))
    requests = dict(
        Event.objects.filter(subject__startswith="acme").values_list("subject", "request")
    )
    assert requests == {"acme": "abcdefgh", "acme2": ""}
