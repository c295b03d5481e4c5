"""Events that are appended."""

import pytest

from registry.models import User
from registry.services.core import transactions
from registry.services.event_log import appending


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("subject", "stated", "namespace"),
    [
        ("acme", {}, "acme"),
        ("acme/board:cuda@1.2.0", {}, "acme"),
        ("alice", {"namespace": ""}, ""),  # an account, whose name may be that of a namespace
        ("acme", {"namespace": ""}, ""),
    ],
)
def test_an_event_belongs_to_the_namespace_of_its_subject_unless_told_otherwise(
    alice: User, subject: str, stated: dict[str, str], namespace: str
) -> None:
    with transactions.write_lock():
        event = appending.append_event("tag.deprecated", subject, actor=alice, **stated)
    assert (event.subject, event.namespace) == (subject, namespace)
