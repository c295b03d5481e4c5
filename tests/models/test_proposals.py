"""The database only accepts the allowed transitions of a proposal."""

import pytest
from django.db import connection

from registry.domain.proposal_states import ALLOWED_STEPS, ProposalAction, ProposalState
from registry.models import Proposal, ProposalRevision, Turn, User, Version
from registry.models.proposals import PAST_TENSE
from tests.models.refusals import assert_refused, execute
from tests.models.rows import another

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("every_table")]

PAIRS = [(old, new) for old in ProposalState for new in ProposalState if old is not new]


@pytest.fixture
def version() -> Version:
    """Return a version that does not come from a proposal."""
    return Version.objects.filter(proposal=None).order_by("pk")[0]


def proposal(state: ProposalState, version: Version) -> Proposal:
    published = version if state is ProposalState.ACCEPTED else None
    row = another(Proposal, pk=99, state=state, version=published)
    connection.check_constraints()
    return row


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_only_allowed_changes_of_state_are_accepted(
    old: ProposalState, new: ProposalState, version: Version
) -> None:
    row = proposal(old, version)
    published = version.pk if new is ProposalState.ACCEPTED else None
    statement = "UPDATE registry_proposal SET state = %s, version_id = %s WHERE id = %s"
    if (old, new) in ALLOWED_STEPS:
        execute(statement, new, published, row.pk)
        assert Proposal.objects.get(pk=row.pk).state == new
    else:
        assert_refused(statement, new, published, row.pk)


@pytest.mark.parametrize("state", ProposalState)
def test_tag_submitter_and_namespace_cannot_change(state: ProposalState, version: Version) -> None:
    row = proposal(state, version)
    bob = User.objects.create_user("bob")
    assert_refused("UPDATE registry_proposal SET tag = 'acme/x' WHERE id = %s", row.pk)
    assert_refused("UPDATE registry_proposal SET submitter_id = %s WHERE id = %s", bob.pk, row.pk)
    assert_refused(
        "UPDATE registry_proposal SET namespace_id = namespace_id + 1 WHERE id = %s", row.pk
    )


@pytest.mark.parametrize("state", ProposalState)
def test_the_revision_can_only_increase_until_the_decision(
    state: ProposalState, version: Version
) -> None:
    row = proposal(state, version)
    increment = "UPDATE registry_proposal SET revision = revision + 1 WHERE id = %s"
    if row.is_undecided:
        execute(increment, row.pk)
        assert_refused("UPDATE registry_proposal SET revision = 1 WHERE id = %s", row.pk)
    else:
        assert_refused(increment, row.pk)


def test_the_published_version_cannot_change(version: Version) -> None:
    row = proposal(ProposalState.ACCEPTED, version)
    other = Version.objects.filter(proposal=None).exclude(pk=version.pk)[0]
    assert_refused("UPDATE registry_proposal SET version_id = %s WHERE id = %s", other.pk, row.pk)


def test_revisions_and_turns_are_immutable() -> None:
    for model in (ProposalRevision, Turn):
        table = model._meta.db_table
        assert_refused(f"UPDATE {table} SET created = created")  # noqa: S608 - a model's table
        assert_refused(f"DELETE FROM {table}")  # noqa: S608 - a model's table
    assert_refused("DELETE FROM registry_proposal")


def test_every_action_has_words() -> None:
    assert PAST_TENSE.keys() == {*ProposalAction}
    assert Turn(action="ask").past_tense == "requested changes"
