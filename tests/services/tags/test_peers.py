"""The members of a family, and the tags that a tag is compared with."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Reference, Tag as TagName
from registry.domain.search.attributes import target_facts
from registry.models import Namespace, Role, Tag, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.tags import aliases, credits, deprecation, detail
from registry.services.tags.peers import Peers, find_peers
from registry.services.tags.relations import find_relations
from registry.services.tags.variants import list_variants
from registry.services.versions import families
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

GPU = {"kind": "cuda", "arch": "sm_89"}


def facts(model: str = "", **others: Any) -> dict[str, Any]:
    known = {"category": "gpu", "vendor": "Acme", "family": "Ada", **others}
    return known | ({"model": model} if model else {})


def peers(tag: str, category: str = "gpu") -> Peers:
    version = detail.version_detail(Reference.parse(tag)).version
    return find_peers(version, target_facts(json.loads(version.target)), category)


def names(found: Peers) -> list[str]:
    return [peer.tag for peer in found.tags]


@pytest.fixture
def family(acme: Namespace, alice: User) -> None:
    """Publish a family with two cards, a machine that holds one, and a card of the same vendor."""
    assert acme.name == "acme"
    publish("acme/ada", GPU | {"hardware": facts()})
    families.set_family(TagName.parse("acme/ada"), is_family=True, actor=Actor.operator(alice))
    for name, memory in (("a", 8), ("b", 16)):
        hardware = {"model": name, "memory_bytes": memory, "launched": "2022-10"}
        publish(f"acme/{name}", {"tag": "acme/ada@1", "hardware": hardware})
    instance = {"category": "cloud-instance", "model": "I", "memory_bytes": 1024}
    publish("acme/instance", {"tag": "acme/b@1", "hardware": instance})
    publish("acme/other", GPU | {"arch": "sm_90", "hardware": facts("other", power_watts=300)})


@pytest.mark.usefixtures("family")
def test_members_inherit_from_the_family_and_share_its_category() -> None:
    found = peers("acme/ada")
    assert found.family == "acme/ada"
    assert {peer.tag: peer.facts for peer in found.tags} == {
        "acme/a": {"memory": 8, "year": 2022},
        "acme/b": {"memory": 16, "year": 2022},
    }


@pytest.mark.usefixtures("family")
def test_family_of_another_category_has_the_most_frequent_one() -> None:
    assert names(peers("acme/ada", "cpu-core")) == ["acme/a", "acme/b"]


@pytest.mark.usefixtures("family")
def test_member_is_compared_with_the_other_members() -> None:
    assert peers("acme/a") == peers("acme/ada")


@pytest.mark.usefixtures("family")
def test_without_a_family_vendor_and_hardware_family_decide() -> None:
    found = peers("acme/other")
    assert found.family == ""
    assert names(found) == ["acme/a", "acme/b", "acme/other"]


@pytest.mark.usefixtures("family")
def test_without_facts_there_are_no_peers() -> None:
    publish("acme/bare", GPU | {"arch": "sm_80"})
    assert peers("acme/bare", "") == Peers("", ())
    assert peers("acme/bare") == Peers("", ())


@pytest.mark.usefixtures("family")
def test_number_of_queries_is_constant() -> None:
    answer = detail.version_detail(Reference.parse("acme/a"))
    version, overview = answer.version, answer.overview
    counts = []
    for name in ("c", "d", "e", ""):
        if name:
            publish(f"acme/{name}", {"tag": "acme/ada@1", "hardware": {"model": name}})
        with CaptureQueriesContext(connection) as queries:
            found = find_relations(
                overview, version, target_facts(json.loads(version.target)), "gpu"
            )
        counts.append(len(queries))
    assert counts == [8, 8, 8, 1]
    assert names(found.peers) == ["acme/a", "acme/b", "acme/c", "acme/d", "acme/e"]


def test_variants_are_the_tags_of_the_same_name() -> None:
    for name in ("board", "board:npu", "board-2", "boarding"):
        publish(f"acme/{name}", {"kind": "c", "model": name.replace(":", "")})
    tag = Tag.objects.get(text="acme/board:npu")
    with CaptureQueriesContext(connection) as queries:
        found = list_variants(tag).rows
    assert [(row.text, row.kind, str(row.number)) for row in found] == [
        ("acme/board", "c", "1.0.0"),
        ("acme/board:npu", "c", "1.0.0"),
    ]
    assert len(queries) == 1
    yank("acme/board@1.0.0", "wrong")
    assert [(row.status, row.number is None) for row in list_variants(tag).rows] == [
        ("yanked", True),
        ("active", False),
    ]


def test_variants_that_another_tag_supersedes_name_it(alice: User) -> None:
    for name in ("chip:big", "chip:npu", "phone", "phone:big"):
        publish(f"acme/{name}", {"kind": "c", "model": name.replace(":", "")})
    actor, big = Actor.operator(alice), TagName.parse("acme/chip:big")
    deprecation.deprecate(
        TagName.parse("acme/phone:big"), reason="The same", actor=actor, successor=big
    )
    aliases.point_alias("acme/phone:npu", Reference.parse("acme/chip:npu"), actor=actor)
    with CaptureQueriesContext(connection) as queries:
        found = list_variants(Tag.objects.get(text="acme/phone")).rows
    assert len(queries) == 2  # and the tag
    assert [(row.text, row.tag, row.status) for row in found] == [
        ("acme/phone", "acme/phone", "active"),
        ("acme/phone:big", "acme/chip:big", "deprecated"),
        ("acme/phone:npu", "acme/chip:npu", "active"),
    ]
    deprecation.undeprecate(TagName.parse("acme/phone:big"), reason="Not yet", actor=actor)
    again = list_variants(Tag.objects.get(text="acme/phone")).rows
    assert [row.tag for row in again] == ["acme/phone", "acme/phone:big", "acme/chip:npu"]


@pytest.mark.usefixtures("family")
def test_deprecated_members_are_left_out(alice: User) -> None:
    deprecation.deprecate(TagName.parse("acme/a"), reason="Old", actor=Actor.operator(alice))
    assert names(peers("acme/ada")) == ["acme/b"]


def test_credits_name_writers_and_keepers(acme: Namespace) -> None:
    publish("acme/board", GPU)
    overview = detail.tag_overview("acme/board")
    found = credits.find_credits(overview.tag, overview.versions)
    assert [account.username for account in found.contributors.rows] == ["alice"]
    assert found.maintainers.rows == ("alice",)
    acme.memberships.all().delete()
    assert credits.find_credits(overview.tag, overview.versions).maintainers.rows == ()


def test_predecessors_are_deprecated_in_favour_of_the_tag(alice: User) -> None:
    for number, name in enumerate(("old", "older", "new")):
        publish(f"acme/{name}", GPU | {"max_num_threads": 256 + number})
    for name in ("old", "older"):
        deprecation.deprecate(
            TagName.parse(f"acme/{name}"),
            reason="replaced",
            successor=TagName.parse("acme/new"),
            actor=Actor.operator(alice),
        )
    new = Tag.objects.get(text="acme/new")
    assert credits.find_predecessors(new).rows == ("acme/old", "acme/older")
    deprecation.undeprecate(TagName.parse("acme/old"), reason="kept", actor=Actor.operator(alice))
    assert credits.find_predecessors(new).rows == ("acme/older",)


@pytest.mark.parametrize(("limit", "has_more"), [(2, False), (1, True)])
def test_lists_of_names_say_that_there_are_more(
    acme: Namespace, alice: User, monkeypatch: pytest.MonkeyPatch, limit: int, has_more: bool
) -> None:
    monkeypatch.setattr(credits, "MAX_NAMES", limit)
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.OWNER, actor=Actor.operator(alice))
    publish("acme/new", GPU)
    publish("acme/new", GPU | {"max_num_threads": 512}, actor=bob)
    for number, name in enumerate(("old", "older")):
        publish(f"acme/{name}", GPU | {"max_num_threads": 256 + number})
        deprecation.deprecate(
            TagName.parse(f"acme/{name}"),
            reason="replaced",
            successor=TagName.parse("acme/new"),
            actor=Actor.operator(alice),
        )
    overview = detail.tag_overview("acme/new")
    found = credits.find_credits(overview.tag, overview.versions)
    for page in (found.contributors, found.maintainers, credits.find_predecessors(overview.tag)):
        assert len(page.rows) == limit
        assert (page.next_key is not None) is has_more
