"""Namespaces, their members, and aliases."""

import json
from typing import Any

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.models import Event, Membership, Name, Namespace, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces
from registry.services.tags import aliases
from registry.services.versions import resolving
from tests.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell"}


def point(alias: str, reference: str, actor: User) -> aliases.Alias:
    return aliases.point_alias(alias, Reference.parse(reference), actor=Actor.operator(actor))


def last_event() -> tuple[str, str, dict[str, Any]]:
    event = Event.objects.latest("number")
    return event.action, event.subject, json.loads(event.detail)


def refusal(alias: str, reference: str, actor: User) -> Refused:
    before = list(Name.objects.order_by("pk").values()), Event.objects.count()
    with pytest.raises(Refused) as refused:
        point(alias, reference, actor)
    assert (list(Name.objects.order_by("pk").values()), Event.objects.count()) == before
    return refused.value


@pytest.mark.parametrize("name", ["", "Acme", "a/b", "a b", "x" * 65, "acme\n"])
def test_invalid_namespace_name_is_rejected(alice: User, name: str) -> None:
    with pytest.raises(Refused) as refused:
        namespaces.create_namespace(name, actor=Actor.operator(alice))
    assert refused.value.code == Code.REQUEST_INVALID


def test_existing_namespace_cannot_be_created(alice: User) -> None:
    with pytest.raises(Refused) as refused:
        namespaces.create_namespace("acme", actor=Actor.operator(alice))
    assert refused.value.code == Code.CONFLICT


def test_alias_is_repointed_with_an_event(alice: User) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", BOARD)
    point("acme/alias", "acme/a", alice)
    point("acme/alias", "acme/b@1.0.0", alice)
    assert resolving.resolve(Reference.parse("acme/alias")).exact == "acme/b@1.0.0"
    events = Event.objects.filter(action="alias.pointed", subject="acme/alias")
    assert [json.loads(event.detail) for event in events] == [
        {"to": "acme/a", "was": None},
        {"to": "acme/b@1.0.0", "was": "acme/a"},
    ]


def test_pointing_an_alias_again_changes_nothing(alice: User) -> None:
    publish("acme/a", BOARD)
    assert point("acme/alias", "acme/a@1", alice).is_new
    before = Event.objects.count()
    again = point("acme/alias", "acme/a@1", alice)
    assert (again.is_new, str(again.reference)) == (False, "acme/a@1")
    assert Event.objects.count() == before
    assert not point("acme/alias", "acme/a", alice).is_new
    assert Event.objects.count() == before + 1


def test_repointed_alias_drops_its_old_selector(alice: User) -> None:
    version = publish("acme/a", BOARD)
    for reference in ("acme/a@1.0.0", f"acme/a@{version.digest}", "acme/a@1", "acme/a"):
        assert str(point("acme/alias", reference, alice).reference) == reference
        assert resolving.resolve(Reference.parse("acme/alias")).exact == "acme/a@1.0.0"


@pytest.mark.parametrize(
    ("alias", "reference", "code"),
    [
        ("acme/a", "acme/b", Code.CONFLICT),
        ("nowhere/a", "acme/b", Code.NAMESPACE_UNKNOWN),
        ("acme/x", "acme/nothing", Code.TAG_UNKNOWN),
        ("acme/x", "acme/a@9", Code.VERSION_UNKNOWN),
        ("acme/x", "nvidia/a100", Code.CONFLICT),
        ("acme/x y", "acme/a", Code.REFERENCE_INVALID),
        ("acme/x@1", "acme/a", Code.REFERENCE_INVALID),
        ("acme/x%20", "acme/a", Code.REFERENCE_INVALID),
        ("acme", "acme/a", Code.REFERENCE_INVALID),
        ("acme/x.json", "acme/a", Code.REFERENCE_INVALID),
        ("acme/" + "x" * 180, "acme/a", Code.REFERENCE_INVALID),
    ],
)
def test_invalid_alias_is_rejected(alice: User, alias: str, reference: str, code: Code) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", BOARD)
    assert refusal(alias, reference, alice).code == code


def assert_cycle(alias: str, reference: str, actor: User) -> None:
    assert refusal(alias, reference, actor).code == Code.CYCLE


def test_alias_cannot_make_a_tag_depend_on_itself(alice: User) -> None:
    publish("acme/a", BOARD)
    point("acme/alias", "acme/a", alice)
    publish("acme/b", {"tag": "acme/alias"})
    publish("acme/c", {"kind": "cuda", "host": "acme/b"})
    assert_cycle("acme/alias", "acme/b", alice)
    assert_cycle("acme/alias", "acme/c", alice)
    assert_cycle("acme/alias", "acme/c@1", alice)


def test_alias_of_an_exact_version_makes_no_cycle(alice: User) -> None:
    publish("acme/a", BOARD)
    point("acme/alias", "acme/a", alice)
    version = publish("acme/b", {"tag": "acme/alias", "num-cores": 2})
    for selector in ("1.0.0", version.digest):
        point("acme/alias", f"acme/b@{selector}", alice)
        point("acme/alias", "acme/a", alice)


def test_exact_reference_makes_no_cycle(alice: User) -> None:
    publish("acme/a", {"kind": "llvm"})
    aliases.point_alias("acme/alias", Reference.parse("acme/a"), actor=Actor.operator(alice))
    publish("acme/b", {"tag": "acme/alias@1.0.0"})
    aliases.point_alias("acme/alias", Reference.parse("acme/b"), actor=Actor.operator(alice))
    assert resolving.resolve(Reference.parse("acme/alias")).version.tag.text == "acme/b"


def test_cycle_through_two_aliases_is_rejected(alice: User) -> None:
    for tag in ("acme/a", "acme/b", "acme/x"):
        publish(tag, BOARD)
    point("acme/to-a", "acme/x", alice)
    point("acme/to-b", "acme/x", alice)
    publish("acme/a", {"tag": "acme/to-b", "num-cores": 2})
    publish("acme/b", {"tag": "acme/to-a", "num-cores": 3})
    point("acme/to-a", "acme/a", alice)
    assert_cycle("acme/to-b", "acme/b", alice)
    publish("acme/a", BOARD | {"num-cores": 5})
    point("acme/to-b", "acme/b", alice)


def test_alias_with_an_unexpected_target_is_not_repointed(alice: User) -> None:
    publish("acme/a", BOARD)
    reference = Reference.parse("acme/a@1")
    aliases.point_alias("acme/alias", reference, actor=Actor.operator(alice), expected="")
    for expected in ("", "acme/a", "acme/a@1.0.0"):
        with pytest.raises(Refused) as refused:
            aliases.point_alias(
                "acme/alias", reference, actor=Actor.operator(alice), expected=expected
            )
        assert refused.value.code == Code.PRECONDITION_FAILED
    aliases.point_alias(
        "acme/alias", Reference("acme/a"), actor=Actor.operator(alice), expected="acme/a@1"
    )


@pytest.mark.parametrize(
    ("texts", "pointers"),
    [
        ({"title": "x" * 121}, ["/title"]),
        ({"title": "a\u202eb"}, ["/title"]),
        ({"description": "two\nlines"}, ["/description"]),
        ({"description": "x" * 501}, ["/description"]),
        ({"url": "http://example.com/"}, ["/url"]),
        ({"url": "javascript:alert(1)"}, ["/url"]),
        ({"url": "https://example.com/" + "x" * 200}, ["/url"]),
        ({"title": "\x07", "description": "\x07", "url": "x"}, ["/title", "/description", "/url"]),
    ],
)
def test_invalid_descriptions_are_rejected(
    alice: User, acme: Namespace, texts: dict[str, str], pointers: list[str]
) -> None:
    before = Event.objects.count()
    arguments = {"title": "Acme", "description": "", "url": ""} | texts
    with pytest.raises(Refused) as refused:
        namespaces.update_description(acme, actor=Actor.operator(alice), **arguments)
    assert [fault.pointer for fault in refused.value.faults] == pointers
    with pytest.raises(Refused) as refused:
        namespaces.create_namespace("initech", actor=Actor.operator(alice), **texts)
    assert [fault.pointer for fault in refused.value.faults] == pointers
    assert Event.objects.count() == before


def test_title_is_required(alice: User, acme: Namespace) -> None:
    with pytest.raises(Refused):
        namespaces.update_description(
            acme, title=" ", description="", url="", actor=Actor.operator(alice)
        )
    assert namespaces.create_namespace("initech", actor=Actor.operator(alice)).title == "initech"


def test_event_has_the_old_and_new_description(alice: User, acme: Namespace) -> None:
    texts = {"title": "Acme Inc.", "description": "Anvils.", "url": "https://acme.example/"}
    namespaces.update_description(acme, actor=Actor.operator(alice), **texts)
    before = {"title": "Acme", "description": "", "url": ""}
    assert last_event() == ("namespace.described", "acme", {"before": before, "after": texts})
    described = namespaces.update_description(
        acme, actor=Actor.operator(alice), **(texts | {"title": " Acme Inc. "})
    )
    assert (described.title, described.description) == ("Acme Inc.", "Anvils.")
    assert Event.objects.filter(action="namespace.described").count() == 1


@pytest.mark.parametrize(
    ("description", "url", "sentence"),
    [
        ("Anvils.", "https://acme.example/", "It is: Acme, Anvils, https://acme.example/. Submit"),
        ("Anvils.", "", "It is: Acme, Anvils. Submit"),
        ("Nos. 1 to 9", "", "It is: Acme, Nos. 1 to 9. Submit"),
        ("", "", "It is: Acme. Submit"),
    ],
)
def test_description_that_has_changed_is_one_sentence(
    alice: User, acme: Namespace, description: str, url: str, sentence: str
) -> None:
    texts = {"title": "Acme", "description": description, "url": url}
    namespaces.update_description(acme, actor=Actor.operator(alice), **texts)
    with pytest.raises(Refused, match="meanwhile") as error:
        namespaces.update_description(acme, actor=Actor.operator(alice), **texts, seen="other")
    assert sentence in error.value.detail


def test_granted_role_replaces_the_current_one(alice: User, acme: Namespace) -> None:
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.MEMBER, actor=Actor.operator(alice))
    detail = {"user": "bob", "role": "member", "before": None}
    assert last_event() == ("member.granted", "acme", detail)
    members.grant_role(acme, bob, Role.CURATOR, actor=Actor.operator(alice))
    detail = {"user": "bob", "role": "curator", "before": "member"}
    assert last_event() == ("member.granted", "acme", detail)
    before = Event.objects.count()
    members.grant_role(acme, bob, Role.CURATOR, actor=Actor.operator(alice))
    assert Event.objects.count() == before
    assert Membership.objects.get(user=bob).role == Role.CURATOR


def test_membership_is_revoked(alice: User, acme: Namespace) -> None:
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.OWNER, actor=Actor.operator(alice))
    members.revoke_membership(acme, alice, actor=Actor.operator(bob))
    assert last_event() == ("member.revoked", "acme", {"user": "alice", "before": "owner"})
    assert list(acme.memberships.values_list("user__username", flat=True)) == ["bob"]
    with pytest.raises(Refused, match="not a member") as refused:
        members.revoke_membership(acme, alice, actor=Actor.operator(bob))
    assert refused.value.code == Code.CONFLICT


def test_closed_account_gets_no_role_but_can_lose_one(alice: User, acme: Namespace) -> None:
    closed = User.objects.create_user("closed", is_active=False)
    actor = Actor.operator(alice)
    for role in Role:
        with pytest.raises(Refused, match="The account closed is closed") as refused:
            members.grant_role(acme, closed, role, actor=actor)
        assert refused.value.code == Code.CONFLICT
    Membership.objects.create(namespace=acme, user=closed, role=Role.CURATOR)
    with pytest.raises(Refused, match="is closed"):
        members.grant_role(acme, closed, Role.OWNER, actor=actor)
    members.grant_role(acme, closed, Role.MEMBER, actor=actor)
    members.revoke_membership(acme, closed, actor=actor)


def test_last_owner_cannot_be_removed(alice: User, acme: Namespace) -> None:
    members.grant_role(
        acme, User.objects.create_user("carl"), Role.CURATOR, actor=Actor.operator(alice)
    )
    closed = User.objects.create_user("closed")
    members.grant_role(acme, closed, Role.OWNER, actor=Actor.operator(alice))
    User.objects.filter(pk=closed.pk).update(is_active=False)
    before = Event.objects.count()
    for call in (
        lambda: members.revoke_membership(acme, alice, actor=Actor.operator(alice)),
        lambda: members.grant_role(acme, alice, Role.MEMBER, actor=Actor.operator(alice)),
    ):
        with pytest.raises(Refused, match="last owner") as refused:
            call()
        assert refused.value.code == Code.CONFLICT
    assert Event.objects.count() == before
    members.revoke_membership(acme, closed, actor=Actor.operator(alice))
    assert acme.memberships.get(user=alice).role == Role.OWNER
