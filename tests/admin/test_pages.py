"""Tests of every admin page: staff only, no inline code, a constant number of queries."""

import json
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import Model
from django.test import Client

from registry.admin.site import site
from registry.domain.identity_claims import GITHUB
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Event, Kind, KindRevision, Role, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.events import audit
from registry.services.namespaces import members, namespaces, trusted_publishers
from registry.services.proposals import submission
from registry.services.tags import aliases, deprecation
from registry.services.versions import yanking
from tests.admin.conftest import AdminClient, Page
from tests.publishing import publish
from tests.requests import request_namespace

TABLES = (
    *("proposal", "namespacerequest"),
    *("namespace", "tag", "name", "version", "kind"),
    *("withdrawal", "deprecation"),
    *("user", "membership", "token", "trustedpublisher"),
    "event",
)
INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)")
EVENT_ACTION = re.compile(r'"([a-z]+\.(?:[a-z_]+(?:ed|_written)|made|withdrawn|[a-z]+_set))"')
QUERIES = {"proposal": 17}  # eleven for the verdicts, one to count by state
PAGE_QUERIES = dict.fromkeys(TABLES, 3) | {  # session, account and row, and what belongs to it
    "event": 4,
    "kind": 4,
    "name": 4,
    "namespace": 4,
    "user": 8,  # an account without a password: whether it has an identity
    "version": 7,
    "tag": 8,
    "namespacerequest": 9,
    # PostgreSQL limits the time of one query, which takes four more.
    "proposal": 18 if connection.vendor == "sqlite" else 22,
}
BOARD = {"kind": "llvm", "mcpu": "haswell"}


def row_adder(actor: User) -> Callable[[], None]:
    """Return a function that adds one row to every table."""
    numbers = count()

    def add() -> None:
        number = next(numbers)
        name = f"ns{number}"
        user = User.objects.create_user(f"user-{number}")
        namespace = namespaces.create_namespace(name, actor=Actor.operator(actor))
        members.grant_role(namespace, user, Role.OWNER, actor=Actor.operator(actor))
        tag = TagName.parse(f"{name}/board")
        publish(str(tag), BOARD, actor=actor)
        deprecation.deprecate(tag, reason="old", actor=Actor.operator(actor))
        aliases.point_alias(f"{name}/plank", Reference.parse(str(tag)), actor=Actor.operator(actor))
        tokens.issue_token(
            user, label="CI", scopes={Scope.YANK}, pattern=name, actor=Actor.operator(actor)
        )
        trusted_publishers.register_publisher(
            namespace,
            issuer=GITHUB,
            claims={"repository": name, "repository_owner_id": "1"},
            scopes={Scope.PUBLISH},
            pattern=name,
            actor=Actor.operator(user),
        )
        reference = Reference.parse(f"{tag}@1.0.0")
        yanking.yank(reference, reason="wrong", actor=Actor.operator(actor))
        plan, body = TagName.parse(f"{name}/plan"), json.dumps(BOARD | {"num-cores": number + 1})
        submission.propose(plan, body, message="", base=None, actor=Actor.operator(actor))
        request_namespace(f"initech-{number}", user)
        kind = Kind.objects.create(name=f"executor/e{number}")
        KindRevision.objects.create(
            kind=kind, number=1, source="{}", digest=str(number), author=actor
        )

    return add


def get_twice(superuser: AdminClient, path: str) -> Page:
    """Return a page after new kinds are compiled, which is done once per process."""
    superuser.get(path)
    return superuser.get(path)


def newest_row(table: str) -> Model:
    """Return the newest row of a table; of names, the newest alias."""
    rows = apps.get_model("registry", table)._default_manager.order_by("-pk")
    row = rows.filter(is_alias=True).first() if table == "name" else rows.first()
    assert row is not None
    return row


def row_pages(superuser: AdminClient) -> list[Page]:
    """Return the page of a row of every table."""
    row_adder(superuser.user)()
    rows = {table: newest_row(table) for table in TABLES}
    rows["kind"] = Kind.objects.get(name="llvm")
    return [superuser.get(f"registry/{table}/{row.pk}/change/") for table, row in rows.items()]


@pytest.mark.any_database
@pytest.mark.parametrize("path", ["", *(f"registry/{table}/" for table in TABLES)])
def test_pages_are_only_for_staff(client: Client, alice: User, path: str) -> None:
    assert client.get(f"/admin/{path}").headers["Location"].startswith("/admin/login/")
    client.force_login(alice)
    assert client.get(f"/admin/{path}").headers["Location"].startswith("/admin/login/")


@pytest.mark.any_database
@pytest.mark.parametrize("table", TABLES)
def test_staff_sees_every_table(staff: AdminClient, table: str) -> None:
    page = staff.get(f"registry/{table}/")
    assert page.status == 200
    assert not INLINE.search(page.html)


@pytest.mark.any_database
def test_every_row_has_a_page_without_inline_code(superuser: AdminClient) -> None:
    for page in row_pages(superuser):
        assert page.status == 200, page.text
        assert not INLINE.search(page.html)


@pytest.mark.any_database
def test_index_groups_tables(staff: AdminClient) -> None:
    text = staff.get("").text
    names = (
        *("Review", "Proposals", "Requests for namespaces"),
        *("Catalogue", "Namespaces", "Tags", "Aliases", "Versions", "Kinds"),
        *("Withdrawals", "Withdrawals", "Deprecations"),
        *("People", "Users", "Members", "Tokens", "Trusted publishers", "Log", "Events"),
    )
    start = 0
    for name in names:
        start = text.index(name, start) + len(name)
    assert staff.get("registry/").text == text


@pytest.mark.any_database
def test_tables_of_other_applications_are_not_registered(superuser: AdminClient) -> None:
    assert superuser.get("auth/group/").status == 404


def test_number_of_queries_of_lists_is_constant(superuser: AdminClient) -> None:
    add = row_adder(superuser.user)
    add()
    few = {table: get_twice(superuser, f"registry/{table}/") for table in TABLES}
    for _ in range(12):
        add()
    many = {table: get_twice(superuser, f"registry/{table}/") for table in TABLES}
    queries = {table: page.queries for table, page in many.items()}
    assert queries == {table: page.queries for table, page in few.items()}
    for table in TABLES:
        assert len(many[table].rows) >= len(few[table].rows)
        # Session, account, count, rows, and the kinds in force.
        assert queries[table] <= QUERIES.get(table, 5), table


def test_number_of_queries_of_pages_is_bounded(superuser: AdminClient) -> None:
    row_adder(superuser.user)()
    for table in TABLES:
        page = get_twice(superuser, f"registry/{table}/{newest_row(table).pk}/change/")
        assert page.queries <= PAGE_QUERIES[table], table


def test_number_of_queries_of_a_tag_page_is_constant(superuser: AdminClient) -> None:
    tag = publish("acme/board", BOARD, actor=make_acme(superuser)).tag
    few = superuser.get(f"registry/tag/{tag.pk}/change/").queries
    for cores in range(1, 8):
        publish("acme/board", BOARD | {"num-cores": cores}, actor=superuser.user)
        aliases.point_alias(
            f"acme/a{cores}", Reference.parse("acme/board"), actor=Actor.operator(superuser.user)
        )
    assert superuser.get(f"registry/tag/{tag.pk}/change/").queries == few


def make_acme(superuser: AdminClient) -> User:
    namespaces.create_namespace("acme", actor=Actor.operator(superuser.user))
    return superuser.user


@pytest.mark.any_database
def test_reading_pages_writes_nothing(superuser: AdminClient) -> None:
    row_pages(superuser)
    before = Event.objects.count()
    for table in TABLES:
        newest = newest_row(table)
        for action in ("yank", "unyank", "deprecate", "revoke", "remove", "grant", "repoint"):
            superuser.get(f"registry/{table}/{newest.pk}/{action}/")
        superuser.get(f"registry/{table}/add/")
    assert Event.objects.count() == before
    assert User.objects.filter(pk=superuser.user.pk).exists()


def test_writing_needs_a_csrf_token(superuser: AdminClient) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(superuser.user)
    response = client.post("/admin/registry/namespace/add/", {"name": "acme"})
    assert response.status_code == 403


@pytest.mark.django_db
def test_a_form_sent_after_the_sign_in_ended_shows_what_was_typed() -> None:
    before = Event.objects.count()
    typed = {"name": "acme", "title": "<Acme>", "password": "correct-horse"}
    response = Client().post("/admin/registry/namespace/add/", typed)
    page = response.content.decode()
    assert (response.status_code, response["Cache-Control"]) == (403, "no-store")
    assert "your sign-in has ended" in page
    assert ">\nacme</textarea>" in page
    assert "&lt;Acme&gt;</textarea>" in page
    assert "correct-horse" not in page
    assert 'href="/accounts/login/?next=/admin/registry/namespace/add/"' in page
    assert Event.objects.count() == before


def test_djangos_action_that_deletes_rows_is_disabled(superuser: AdminClient) -> None:
    """As are its forms, see test_read_only.py."""
    row_adder(superuser.user)()
    rows = {table: newest_row(table) for table in TABLES}
    before = Event.objects.count()
    for table, row in rows.items():
        page = superuser.post(
            f"registry/{table}/", action="delete_selected", _selected_action=row.pk, post="yes"
        )
        assert page.status in {200, 302}, table
        assert newest_row(table) == row
    assert Event.objects.count() == before


def test_every_table_passes_djangos_checks() -> None:
    """`manage.py check` makes them only if something has imported the URLs before."""
    assert site.check(None) == []


@pytest.mark.parametrize("path", ["registry/tag/999999/change/", "registry/tag/x/change/"])
def test_unknown_row_redirects_to_the_index(superuser: AdminClient, path: str) -> None:
    page = Page(superuser.client.get(f"/admin/{path}", follow=True), 0)
    assert page.response.redirect_chain == [("/admin/", 302)]
    assert re.search("tag with ID “(999999|x)” doesn.t exist", page.text)


@pytest.mark.parametrize(
    ("table", "title"),
    [
        ("proposal/?state=all", "proposal for "),
        ("namespacerequest/", "request for "),
        ("event/", "requested the namespace "),
    ],
)
def test_link_of_a_numbered_row_names_it(superuser: AdminClient, table: str, title: str) -> None:
    row_adder(superuser.user)()
    page = superuser.get(f"registry/{table}")
    assert re.search(rf'<th[^>]*><a [^>]*>\d+<span class="visually-hidden">, {title}', page.html)
    assert not re.search(r"<th[^>]*><a [^>]*>\d+</a>", page.html)


def test_history_redirects_to_the_events(superuser: AdminClient) -> None:
    make_acme(superuser)
    tag = publish("acme/board", BOARD, actor=superuser.user).tag
    page = Page(superuser.client.get(f"/admin/registry/tag/{tag.pk}/history/", follow=True), 0)
    assert "published acme/board@1.0.0" in page.rows[0]


def test_list_counts_rows_up_to_a_bound(
    superuser: AdminClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.admin.read_only.MAX_COUNTED", 60)
    page = superuser.get("registry/tag/")
    assert "More than 101 rows" in page.text.replace("100 rows", "101 rows")
    assert len(page.rows) == 50
    assert len(superuser.get("registry/tag/", p="3").rows) == 50


def test_every_action_in_the_log_has_a_filter_choice() -> None:
    audit_path = Path(audit.__file__)
    paths = set(audit_path.parent.parent.rglob("*.py")) - {audit_path}
    actions = {action for path in paths for action in EVENT_ACTION.findall(path.read_text())}
    assert actions == set(audit.ACTIONS)
