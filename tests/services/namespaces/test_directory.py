"""Lists of namespaces and members."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.models import Namespace, Role, User
from registry.services.core import paging
from registry.services.core.permissions import Actor
from registry.services.namespaces import directory, members, namespaces
from registry.services.namespaces.lookup import require_namespace
from tests.publishing import publish

pytestmark = pytest.mark.django_db


def test_namespaces_are_listed_by_name_with_tag_counts(acme: Namespace) -> None:
    publish("acme/a", {"kind": "c"})
    publish("acme/b", {"kind": "c", "mcpu": "cortex-m7"})
    rows = directory.list_namespaces().rows
    names = [row.namespace.name for row in rows]
    assert names == sorted(names)
    assert {row.namespace.name: row.tags for row in rows}["acme"] == 2
    assert directory.namespace_summary("acme").tags == 2


def test_namespace_without_tags_has_count_0(acme: Namespace) -> None:
    assert directory.namespace_summary("acme").tags == 0


def test_namespace_without_active_members_is_kept_by_the_registry(
    acme: Namespace, alice: User
) -> None:
    assert directory.namespace_summary("acme").kept_by == "members"
    rows = {row.namespace.name: row.kept_by for row in directory.list_namespaces().rows}
    assert (rows["acme"], rows["nvidia"]) == ("members", "registry")
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert directory.namespace_summary("acme").kept_by == "registry"


def test_members_are_listed_owners_first_then_by_name(acme: Namespace, alice: User) -> None:
    for name, role in (("zoe", Role.OWNER), ("bob", Role.MEMBER), ("eve", Role.CURATOR)):
        members.grant_role(acme, User.objects.create_user(name), role, actor=Actor.operator(alice))
    rows = directory.list_members(acme).rows
    assert [(member.user.username, member.role) for member in rows] == [
        ("alice", "owner"),
        ("zoe", "owner"),
        ("eve", "curator"),
        ("bob", "member"),
    ]


def test_closed_accounts_are_omitted(acme: Namespace, alice: User) -> None:
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.MEMBER, actor=Actor.operator(alice))
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert [member.user.username for member in directory.list_members(acme).rows] == ["alice"]


@pytest.mark.parametrize("name", ["acmee", "ACME", "acme/x", "", "a\0b", "acme\n", "x" * 5000])
def test_unrequire_namespace_has_suggestions(acme: Namespace, name: str) -> None:
    with pytest.raises(Refused) as refused:
        require_namespace(name)
    assert refused.value.code == Code.NAMESPACE_UNKNOWN
    assert refused.value.detail.isprintable()
    assert ("acme" in refused.value.suggestions) == (name in ("acmee", "ACME", "acme/x", "acme\n"))


def test_pages_contain_every_row_once(
    acme: Namespace, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bob", "eve", "zoe"):
        members.grant_role(
            acme, User.objects.create_user(name), Role.CURATOR, actor=Actor.operator(alice)
        )
    all_names = [row.namespace.name for row in directory.list_namespaces().rows]
    usernames = [member.user.username for member in directory.list_members(acme).rows]
    monkeypatch.setattr(paging, "PAGE", 2)
    names, after = [], None
    while True:
        page = directory.list_namespaces(after=after)
        names += [row.namespace.name for row in page.rows]
        after = page.next_key
        if after is None:
            break
    first = directory.list_members(acme)
    second = directory.list_members(acme, after=first.next_key)
    assert names == all_names
    assert [member.user.username for member in (*first.rows, *second.rows)] == usernames
    assert second.next_key is None


def test_number_of_queries_is_constant(acme: Namespace, alice: User) -> None:
    for count in (0, 5):
        for number in range(count):
            namespaces.create_namespace(f"more-{number}", actor=Actor.operator(alice))
            members.grant_role(
                acme,
                User.objects.create_user(f"u{number}"),
                Role.MEMBER,
                actor=Actor.operator(alice),
            )
        with CaptureQueriesContext(connection) as captured:
            directory.list_namespaces(order=directory.NamespaceOrder.TAGS)
        assert len(captured) == 3
        with CaptureQueriesContext(connection) as captured:
            directory.list_members(directory.namespace_summary("acme").namespace)
        assert len(captured) == 4


@pytest.mark.parametrize("key", ["", "0", "-1", "alice", "9" * 30])
def test_member_is_found_by_key_in_the_own_namespace_only(acme: Namespace, key: str) -> None:
    membership = directory.list_members(acme).rows[0]
    assert directory.find_member(acme, str(membership.pk)) == membership
    for namespace, wrong in ((acme, key), (require_namespace("arm"), str(membership.pk))):
        with pytest.raises(Refused) as refused:
            directory.find_member(namespace, wrong)
        assert refused.value.code == Code.CONFLICT
