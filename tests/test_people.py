"""The namespace of most tests is the same whether services or rows have made it."""

from typing import Any

import pytest
from django.db import transaction

from registry.models import Event, LogRange, Membership, Namespace
from registry.services.event_log import leaf_bytes
from tests import people


def rows() -> list[dict[str, Any]]:
    """Return all that is written with the namespace, without the keys and its own time."""
    others = {"id", "namespace_id", "user_id", "actor_id"}
    namespaces = Namespace.objects.filter(name="acme").values("name", "title", "policy", "url")
    found = [
        *namespaces,
        *Membership.objects.filter(namespace__name="acme").values("user__username", "role"),
        *Event.objects.filter(namespace="acme").values(),
        *LogRange.objects.order_by("-size")[:2].values(),
    ]
    return [{name: value for name, value in row.items() if name not in others} for row in found]


@pytest.mark.django_db
def test_rows_written_again_are_those_of_the_services(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "_written", {})
    with transaction.atomic():
        people.make_acme()
        of_services = rows()
        transaction.set_rollback(True)
    monkeypatch.setattr(people, "_make_acme", None)
    assert people.make_acme().policy == "members"
    assert rows() == of_services
    assert len(of_services) == 1 + 1 + 2 + 2
    number = of_services[2]["number"]
    assert len([*leaf_bytes.leaves(number - 1, number + 1)]) == 2
