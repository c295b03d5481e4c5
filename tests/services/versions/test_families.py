"""Marking tags as families."""

import json

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.domain.search.list_columns import FAMILY_PLACE, UNKNOWN_PLACE
from registry.models import Entry, Event, Membership, Namespace, Role, User
from registry.services.core.permissions import Actor
from registry.services.tags import renaming
from registry.services.versions import checking, families, publishing, resolving
from tests.publishing import publish

pytestmark = pytest.mark.django_db

NAME = Tag.parse("acme/board")
HASWELL = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell"}
SOURCE = json.dumps(HASWELL)


@pytest.fixture
def member(acme: Namespace) -> Actor:
    """Return a member of acme who is no curator."""
    user = User.objects.create_user("mem")
    Membership.objects.create(namespace=acme, user=user, role=Role.MEMBER)
    return Actor(user)


def publish_as(
    actor: Actor, *, is_family: bool | None, number: str = "", cores: int | None = None
) -> None:
    body = HASWELL if cores is None else HASWELL | {"num-cores": cores}
    expected = resolving.resolve(Reference.parse("acme/board")).version.number if number else None
    publishing.publish(
        NAME, json.dumps(body), message="", actor=actor, expected=expected, is_family=is_family
    )


def lint_codes(reference: str = "acme/board") -> list[str]:
    lints = json.loads(resolving.resolve(Reference.parse(reference)).lints)
    return [lint["code"] for lint in lints]


def last_event() -> Event:
    return Event.objects.order_by("-number")[0]


def test_marking_a_tag_changes_its_place_in_lists(acme: Namespace, alice: User) -> None:
    publish("acme/board", HASWELL)
    for is_family, place in ((True, FAMILY_PLACE), (False, UNKNOWN_PLACE)):
        families.set_family(NAME, is_family=is_family, actor=Actor.operator(alice))
        assert Entry.objects.get(text="acme/board").place == place


def test_marking_a_tag_changes_its_lints_and_is_an_event(acme: Namespace, alice: User) -> None:
    publish("acme/board", HASWELL)
    publish("acme/board", HASWELL | {"opt-level": 2})
    for is_family, codes in ((True, []), (False, ["NUM_CORES_MISSING"])):
        families.set_family(NAME, is_family=is_family, actor=Actor.operator(alice))
        assert lint_codes() == lint_codes("acme/board@1.0.0") == codes
        event = last_event()
        assert (event.action, event.subject) == ("tag.family_set", "acme/board")
        assert json.loads(event.detail) == {
            "before": {"family": not is_family},
            "after": {"family": is_family},
        }


def test_a_tag_that_is_one_already_is_a_conflict(acme: Namespace, alice: User) -> None:
    publish("acme/board", HASWELL)
    with pytest.raises(Refused, match="acme/board is not a family") as refused:
        families.set_family(NAME, is_family=False, actor=Actor.operator(alice))
    assert refused.value.code is Code.CONFLICT
    families.set_family(NAME, is_family=True, actor=Actor.operator(alice))
    with pytest.raises(Refused, match="acme/board is already a family"):
        families.set_family(NAME, is_family=True, actor=Actor.operator(alice))


def test_an_unknown_tag_is_refused(acme: Namespace, alice: User) -> None:
    publish("acme/board", HASWELL)
    with pytest.raises(Refused) as refused:
        families.set_family(Tag.parse("acme/bord"), is_family=True, actor=Actor.operator(alice))
    assert refused.value.code is Code.TAG_UNKNOWN
    assert "acme/board" in refused.value.suggestions


def test_a_member_may_publish_a_family_but_not_change_one(member: Actor, alice: User) -> None:
    publish_as(member, is_family=True)
    assert lint_codes() == []
    assert last_event().action == "version.published"
    assert Event.objects.filter(action="tag.family_set", subject="acme/board").exists()
    publish_as(member, is_family=True, number="1", cores=4)
    with pytest.raises(Refused, match="may not mark families") as refused:
        publish_as(member, is_family=False, number="1", cores=8)
    assert refused.value.code is Code.FORBIDDEN
    publish_as(Actor.operator(alice), is_family=False, number="1", cores=8)
    assert lint_codes("acme/board@1.0.0") == ["NUM_CORES_MISSING"]


def test_a_version_without_the_member_keeps_the_flag(member: Actor) -> None:
    publish_as(member, is_family=True)
    publishing.publish(
        NAME,
        json.dumps(HASWELL | {"opt-level": 2}),
        message="",
        actor=member,
        expected=resolving.resolve(Reference.parse("acme/board")).version.number,
    )
    assert lint_codes() == []


def test_check_takes_the_flag_or_that_of_the_tag(acme: Namespace, alice: User) -> None:
    def codes(**wanted: bool) -> list[str]:
        return [lint.code for lint in checking.check(NAME, SOURCE, **wanted).lints]

    assert codes() == ["NUM_CORES_MISSING"]
    assert codes(is_family=True) == []
    publish("acme/board", HASWELL)
    families.set_family(NAME, is_family=True, actor=Actor.operator(alice))
    assert codes() == []
    assert codes(is_family=False) == ["NUM_CORES_MISSING"]


def test_a_renamed_family_stays_one(acme: Namespace, alice: User) -> None:
    publish("acme/board", HASWELL)
    families.set_family(NAME, is_family=True, actor=Actor.operator(alice))
    version = renaming.rename_tag(
        NAME, Tag.parse("acme/boards"), reason="several", actor=Actor.operator(alice)
    )
    assert version.tag.is_family


@pytest.mark.any_database
def test_the_catalogue_ships_families() -> None:
    assert lint_codes("aws/c4") == []
