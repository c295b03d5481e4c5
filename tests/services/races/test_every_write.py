"""Every service that writes for an actor has a row in the table of writes."""

from typing import Any

from tests.services.calls import functions_calling
from tests.services.races.writes import WRITES

# Functions that take the lock for an actor and are called in no row, each with the reason.
WITHOUT_ROW = {
    **dict.fromkeys(
        ("versions.yanking._withdraw", "tags.deprecation._deprecate", "proposals.review._append"),
        "several services of the table share it",
    ),
    "versions.rebasing._write": "a part of rebasing",
    "kinds.kinds.revise_kinds": "revising a kind calls it",
    "notices.watching._state": "watching calls it",
    "tags.aliases.point_aliases": "checks as pointing one alias does",
    "tags.deprecation.replace_all": "checks as deprecating one tag does",
    "catalogue.shipped_tags._load_batch": "run by the operator, who checks as publishing does",
    "notices.inbox.mark_one": "checks as marking all as read does",
    "namespaces.members.confirm_role": "needs two people: a test of lost rights",
    "namespaces.namespaces.confirm_policy": "needs two people, and checks as confirming a role",
    "namespaces.four_eyes.discard_change": "needs two people, and checks as confirming a role",
    "webhooks.registration.remove_webhook": "checks as adding one does",
    "webhooks.registration.enable_webhook": "checks as adding one does",
    "webhooks.registration.redeliver": "checks as adding one does",
    "accounts.resets.stop_reset": "needs a reset, which a superuser began",
    "accounts.identities.connect": "needs an identity; checks as making a recovery key does",
    "accounts.identities.remove": "needs an identity; checks as making a recovery key does",
    "accounts.token_exchange._issue": "for a trusted publisher, not for an account",
}


def test_every_write_for_an_actor_has_a_row() -> None:
    rows: list[Any] = [*WRITES.values()]
    called = [{*row.__code__.co_names} for row in rows]
    uncalled = {
        function
        for function in functions_calling("authorized_write")
        if not any({*function.split(".")[1:]} <= names for names in called)
    }
    missing = uncalled - WITHOUT_ROW.keys()
    assert not missing, (
        "call it in a row of WRITES of tests/services/races/writes.py, or say here in "
        "WITHOUT_ROW why not"
    )
    assert uncalled == WITHOUT_ROW.keys()
