"""What holds for every page of the admin: for staff only, in words, without scripts, cheap."""

import json
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from django.apps import apps
from django.test import Client

from registry.domain.reference import Reference, Tag as TagName
from registry.models import Event, Kind, KindRevision, Role, User
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor, Scope
from registry.services.events import audit
from registry.services.namespaces import members, namespaces
from registry.services.proposals import submission
from registry.services.tags import aliases, deprecation
from registry.services.versions import yanking
from tests.admin.conftest import Answer, Desk
from tests.publishing import publish

TABLES = (
    "proposal",
    *("namespace", "tag", "name", "version", "kind"),
    *("withdrawal", "deprecation"),
    *("user", "membership", "token"),
    "event",
)
INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)")
RECORDED = re.compile(r'"([a-z]+\.(?:[a-z_]+ed|made|withdrawn|[a-z]+_set))"')
QUERIES = {"proposal": 17}  # eleven to judge the rows, one to count by state
BOARD = {"kind": "llvm", "mcpu": "haswell"}


def rows_of(actor: User) -> Callable[[], None]:
    """A function that adds one row to every table."""
    numbers = count()

    def add() -> None:
        at = next(numbers)
        user = User.objects.create_user(f"user-{at}")
        namespace = namespaces.create_namespace(f"ns{at}", actor=Actor.operator(actor))
        members.grant_role(namespace, user, Role.OWNER, actor=Actor.operator(actor))
        tag = TagName.parse(f"ns{at}/board")
        publish(str(tag), BOARD, actor=actor)
        deprecation.deprecate(tag, reason="old", actor=Actor.operator(actor))
        aliases.point_alias(f"ns{at}/plank", Reference.parse(str(tag)), actor=Actor.operator(actor))
        tokens.issue_token(
            user, label="CI", scopes={Scope.YANK}, pattern=f"ns{at}", actor=Actor.operator(actor)
        )
        reference = Reference.parse(f"{tag}@1.0.0")
        yanking.yank(reference, reason="wrong", actor=Actor.operator(actor))
        plan, body = TagName.parse(f"ns{at}/plan"), json.dumps(BOARD | {"num-cores": at + 1})
        submission.propose(plan, body, message="", base=None, actor=Actor.operator(actor))
        kind = Kind.objects.create(name=f"executor/e{at}")
        KindRevision.objects.create(kind=kind, number=1, source="{}", digest=f"{at}", author=actor)

    return add


def seen_twice(desk: Desk, path: str) -> Answer:
    """A page once new kinds are compiled, which is done once a process."""
    desk.see(path)
    return desk.see(path)


def first_rows(desk: Desk) -> list[Answer]:
    """The page of a row of every table."""
    rows_of(desk.user)()
    found = []
    for table in TABLES:
        model = apps.get_model("registry", table)
        row = model.objects.filter(is_alias=True) if table == "name" else model.objects.all()
        newest = row.order_by("-pk").first() if table != "kind" else Kind.objects.get(name="llvm")
        assert newest is not None
        found.append(desk.see(f"registry/{table}/{newest.pk}/change/"))
    return found


@pytest.mark.parametrize("path", ["", *(f"registry/{table}/" for table in TABLES)])
def test_pages_are_for_staff(client: Client, alice: User, path: str) -> None:
    assert client.get(f"/admin/{path}").headers["Location"].startswith("/admin/login/")
    client.force_login(alice)
    assert client.get(f"/admin/{path}").headers["Location"].startswith("/admin/login/")


@pytest.mark.parametrize("table", TABLES)
def test_staff_sees_every_table(clerk: Desk, table: str) -> None:
    page = clerk.see(f"registry/{table}/")
    assert page.status == 200
    assert not INLINE.search(page.html)


def test_every_row_has_a_page_without_inline_code(desk: Desk) -> None:
    for page in first_rows(desk):
        assert page.status == 200, page.text
        assert not INLINE.search(page.html)


def test_index_groups_tables_in_a_curators_words(clerk: Desk) -> None:
    text = clerk.see("").text
    words = (
        *("Review", "Proposals"),
        *("Catalogue", "Namespaces", "Tags", "Aliases", "Versions", "Kinds"),
        *("Second thoughts", "Withdrawals", "Deprecations"),
        *("People", "Users", "Members", "Tokens", "Log", "Events"),
    )
    at = 0
    for word in words:
        at = text.index(word, at)
    assert clerk.see("registry/").text == text


def test_tables_of_other_applications_are_not_there(desk: Desk) -> None:
    assert desk.see("auth/group/").status == 404


@pytest.mark.parametrize("table", TABLES)
def test_lists_ask_as_often_for_fifty_rows_as_for_one(desk: Desk, table: str) -> None:
    add = rows_of(desk.user)
    add()
    few = seen_twice(desk, f"registry/{table}/")
    for _ in range(12):
        add()
    many = seen_twice(desk, f"registry/{table}/")
    assert len(many.rows) >= len(few.rows)
    assert many.queries == few.queries
    assert many.queries <= QUERIES.get(
        table, 5
    )  # session, account, count, rows; the kinds in force


def test_pages_of_rows_ask_as_often_for_many_versions_as_for_one(desk: Desk) -> None:
    tag = publish("acme/board", BOARD, actor=make_acme(desk)).tag
    few = desk.see(f"registry/tag/{tag.pk}/change/").queries
    for cores in range(1, 8):
        publish("acme/board", BOARD | {"num-cores": cores}, actor=desk.user)
        aliases.point_alias(
            f"acme/a{cores}", Reference.parse("acme/board"), actor=Actor.operator(desk.user)
        )
    assert desk.see(f"registry/tag/{tag.pk}/change/").queries == few


def make_acme(desk: Desk) -> User:
    namespaces.create_namespace("acme", actor=Actor.operator(desk.user))
    return desk.user


def test_looking_writes_nothing(desk: Desk) -> None:
    first_rows(desk)
    before = Event.objects.count()
    for table in TABLES:
        model = apps.get_model("registry", table)
        newest = model.objects.order_by("-pk").first()
        assert newest is not None
        for act in ("yank", "unyank", "deprecate", "revoke", "remove", "grant", "repoint"):
            desk.see(f"registry/{table}/{newest.pk}/{act}/")
        desk.see(f"registry/{table}/add/")
    assert Event.objects.count() == before
    assert User.objects.filter(pk=desk.user.pk).exists()


def test_writing_needs_a_csrf_token(desk: Desk) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(desk.user)
    response = strict.post("/admin/registry/namespace/add/", {"name": "acme"})
    assert response.status_code == 403


@pytest.mark.parametrize("table", TABLES)
def test_djangos_own_ways_to_write_are_shut(desk: Desk, table: str) -> None:
    first_rows(desk)
    before = Event.objects.count()
    newest = apps.get_model("registry", table).objects.order_by("-pk").first()
    assert newest is not None
    typed = {"text": "changed", "name": "changed", "_save": "Save"}
    refused = 422 if table == "membership" else 405  # a member's page is the form for a role
    assert desk.send(f"registry/{table}/{newest.pk}/change/", **typed).status == refused
    assert desk.send(f"registry/{table}/{newest.pk}/delete/", post="yes").status == 403
    gone = desk.send(
        f"registry/{table}/", action="delete_selected", _selected_action=newest.pk, post="yes"
    )
    assert gone.status in {200, 302}
    assert type(newest)._default_manager.get(pk=newest.pk) == newest
    assert Event.objects.count() == before


@pytest.mark.parametrize("path", ["registry/tag/999999/change/", "registry/tag/x/change/"])
def test_a_row_there_is_not_leads_to_the_index(desk: Desk, path: str) -> None:
    assert "Tags have no row" in Answer(desk.client.get(f"/admin/{path}", follow=True), 0).text


def test_history_is_the_log(desk: Desk) -> None:
    make_acme(desk)
    tag = publish("acme/board", BOARD, actor=desk.user).tag
    page = Answer(desk.client.get(f"/admin/registry/tag/{tag.pk}/history/", follow=True), 0)
    assert "version.published" in page.rows[0]


def test_a_list_counts_no_further_than_anybody_pages(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.admin.paging.MAX_COUNTED", 60)
    page = desk.see("registry/tag/")
    assert "More than 101 rows" in page.text.replace("100 rows", "101 rows")
    assert len(page.rows) == 50
    beyond = desk.see("registry/tag/", p="3")
    assert len(beyond.rows) == 50


def test_every_action_of_the_log_can_be_filtered_by() -> None:
    own = Path(audit.__file__)
    paths = set(own.parent.parent.rglob("*.py")) - {own}
    recorded = {action for path in paths for action in RECORDED.findall(path.read_text())}
    assert recorded == set(audit.ACTIONS)
