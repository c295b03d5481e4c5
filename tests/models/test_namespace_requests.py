"""The database only accepts a decision on an open request."""

import pytest
from django.utils import timezone

from registry.models import NamespaceRequest, RequestState, User
from tests.models.refusals import assert_refused, execute
from tests.models.rows import another

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("every_table")]

DECIDE = (
    "UPDATE registry_namespacerequest SET state = %s, decision = 'x', decider_id = %s, decided = %s"
    " WHERE id = %s"
)
STATES = [*RequestState]
FIXED = ("kind", "name", "title", "url", "evidence", "reason", "requester_id", "created")


def request(state: RequestState) -> NamespaceRequest:
    decided = state != RequestState.OPEN
    return another(
        NamespaceRequest,
        pk=99,
        name="other",
        state=state,
        decision="x" if decided else "",
        decider=User.objects.get(username="alice") if decided else None,
        decided=timezone.now() if decided else None,
    )


@pytest.mark.parametrize("old", STATES)
@pytest.mark.parametrize("new", STATES)
def test_only_an_open_request_can_be_decided(old: RequestState, new: RequestState) -> None:
    row = request(old)
    values = (new, row.requester_id, timezone.now(), row.pk)
    if old == RequestState.OPEN != new:
        execute(DECIDE, *values)
        assert NamespaceRequest.objects.get(pk=row.pk).state == new
    else:
        assert_refused(DECIDE, *values)


@pytest.mark.parametrize("column", FIXED)
def test_a_decision_changes_nothing_else(column: str) -> None:
    row = request(RequestState.OPEN)
    value = {"requester_id": User.objects.create_user("other").pk, "created": timezone.now()}
    statement = DECIDE.replace("SET", f'SET "{column}" = %s,')
    assert_refused(
        statement,
        value.get(column, "claim" if column == "kind" else "https://other.example/"),
        RequestState.ACCEPTED,
        row.requester_id,
        timezone.now(),
        row.pk,
    )
