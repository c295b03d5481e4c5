"""Tags whose names continue the name of a tag."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Tag
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import deprecation, longer_names
from registry.services.tags.longer_names import list_longer_names
from registry.services.versions import families
from tests.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

GPU = {"kind": "cuda", "arch": "sm_80"}


def publish_card(name: str, **facts: object) -> None:
    publish(f"acme/{name}", GPU | {"hardware": {"category": "gpu", "model": name, **facts}})


def names(*texts: str) -> list[str]:
    return [peer.tag for peer in list_longer_names(texts).rows]


def test_longer_names_have_facts_and_continue_after_a_hyphen() -> None:
    publish_card("a100-40gb", memory_bytes=40, power_watts=250, launched="2020-05")
    publish("acme/a100-plain", GPU)
    for other in ("a100", "a1000", "a100.1", "a100x", "b-a100-40gb"):
        publish_card(other)
    publish_card("a100:cpu", cores=1)
    publish_card("a100-40gb:cpu", cores=2)
    with CaptureQueriesContext(connection) as queries:
        found = list_longer_names(["acme/a100"]).rows
    assert [(peer.tag, peer.facts, peer.arch) for peer in found] == [
        ("acme/a100-40gb", {"memory": 40, "power": 250, "year": 2020}, "sm_80"),
        ("acme/a100-plain", {}, "sm_80"),
    ]
    assert len(queries) == 1
    assert names("acme/a1", "acme/none") == []
    assert names("acme/b", "acme/a100") == ["acme/a100-40gb", "acme/a100-plain", "acme/b-a100-40gb"]


def test_deprecated_tags_and_families_are_left_out(alice: User) -> None:
    actor = Actor.operator(alice)
    for number, name in enumerate(("a-old", "a-family", "a-new")):
        publish(f"acme/{name}", GPU | {"max_num_threads": 256 + number})
    deprecation.deprecate(Tag.parse("acme/a-old"), reason="x", successor=None, actor=actor)
    families.set_family(Tag.parse("acme/a-family"), is_family=True, actor=actor)
    assert names("acme/a") == ["acme/a-new"]


@pytest.mark.parametrize(("count", "has_more"), [(2, False), (3, True)])
def test_number_is_limited(monkeypatch: pytest.MonkeyPatch, count: int, has_more: bool) -> None:
    monkeypatch.setattr(longer_names, "MAX_LONGER_NAMES", 2)
    for number in range(1, count + 1):
        publish_card(f"a-{number}", power_watts=100, memory_bytes=8, launched="2020")
    page = list_longer_names(["acme/a"])
    assert [peer.tag for peer in page.rows] == ["acme/a-1", "acme/a-2"]
    assert (page.next_key is not None) is has_more
