"""Nobody may do this in the admin: write a row other than by an action."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.test import Client

from registry.admin import formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.domain.reference import Reference
from registry.models import Token, User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from tests.admin.conftest import AdminClient, Page
from tests.admin.test_pages import BOARD, TABLES, newest_row, row_adder
from tests.publishing import publish

pytestmark = pytest.mark.any_database

CREATED_BY_ACTIONS = {"namespace", "name", "kind", "user", "token"}  # all other rows come by pages
VIEWS = ("change", "delete", "history")
SECRET = "0123456789abcdef" * 4


@pytest.fixture(scope="module")
def rows(module_superuser: AdminClient) -> dict[str, Model]:
    """One row of each table."""
    row_adder(module_superuser.user)()
    return {table: newest_row(table) for table in TABLES}


def stored(rows: Iterable[Model]) -> list[Any]:
    """Return all columns of the stored rows of all tables."""
    return [list(type(row)._default_manager.order_by("pk").values()) for row in rows]


def model_admins() -> dict[str, ReadOnlyModelAdmin]:
    """Return the admin of each table."""
    tables = {table: apps.get_model("registry", table) for table in TABLES}
    return {table: site.get_model_admin(model) for table, model in tables.items()}  # type: ignore[misc]


@pytest.mark.parametrize("view", ["change", "delete"])
@pytest.mark.parametrize("table", TABLES)
def test_nobody_writes_a_row_by_a_view_of_django(
    superuser: AdminClient, rows: dict[str, Model], table: str, view: str
) -> None:
    before = stored(rows.values())
    row = rows[table]
    fields = {field.name: "1" for field in row._meta.fields}
    data = {**fields, "_save": "Save", "post": "yes", "role": ""}
    page = superuser.post(f"registry/{table}/{row.pk}/{view}/", **data)
    assert page.status == 403
    assert stored(rows.values()) == before


@pytest.mark.parametrize("table", TABLES)
def test_no_action_takes_the_path_of_a_view_of_django(table: str) -> None:
    assert {action.slug for action in model_admins()[table].row_actions}.isdisjoint(VIEWS)


@pytest.mark.parametrize("table", sorted(set(TABLES) - CREATED_BY_ACTIONS))
def test_nobody_adds_a_row_that_no_action_creates(
    superuser: AdminClient, rows: dict[str, Model], table: str
) -> None:
    before = stored(rows.values())
    fields = {field.name: "1" for field in rows[table]._meta.fields}
    assert superuser.post(f"registry/{table}/add/", **fields, _save="Save").status == 403
    assert superuser.get(f"registry/{table}/add/").status == 403
    assert stored(rows.values()) == before


@pytest.mark.parametrize("table", TABLES)
def test_pages_of_rows_have_no_form_but_for_signing_out(
    superuser: AdminClient, rows: dict[str, Model], table: str
) -> None:
    page = superuser.get(f"registry/{table}/{rows[table].pk}/change/")
    main = page.html.partition("<main ")[2].partition("</main>")[0]
    assert page.status == 200
    assert "<form" not in main
    assert "<input" not in main
    assert "<script" not in main


@pytest.mark.parametrize("table", TABLES)
def test_whoever_is_not_staff_sees_no_row_and_performs_no_action(
    rows: dict[str, Model], alice: User, table: str
) -> None:
    signed_out, signed_in = Client(), Client()
    signed_in.force_login(alice)
    before = stored(rows.values())
    actions = [action.slug for action in model_admins()[table].row_actions]
    paths = [f"{rows[table].pk}/{view}/" for view in (*VIEWS, *actions)]
    for client, path in product((signed_out, signed_in), ("", "add/", *paths)):
        url = f"/admin/registry/{table}/{path}"
        read, sent = client.get(url), client.post(url, {"post": "yes", "reason": "x"})
        for response in (read,) if client is signed_out else (read, sent):
            assert response.headers["Location"].startswith("/admin/login/"), path
            assert not response.content
        if client is signed_out:  # the page shows what was typed, and nothing of the row
            assert sent.status_code == 403, path
            assert b"your sign-in has ended" in sent.content
            assert str(rows[table]).encode() not in sent.content
    assert stored(rows.values()) == before


def test_fields_of_pages_are_not_hidden_by_columns_of_their_models() -> None:
    """Django prefers a column over a method of the same name, which then has no effect."""
    hidden = []
    for table, model_admin in model_admins().items():
        for name, attribute in vars(type(model_admin)).items():
            try:
                model_admin.model._meta.get_field(name)
            except FieldDoesNotExist:
                continue
            if callable(attribute):
                hidden.append(f"{table}.{name}")
    assert set(hidden) <= {"namespace.tags", "name.aliases", "tag.names", "tag.versions"} | {
        "tag.deprecations",
        "version.withdrawals",
        "user.tokens",
    }  # many rows, for which Django uses the method


def test_no_page_shows_the_digest_of_a_token(
    superuser: AdminClient, rows: dict[str, Model]
) -> None:
    token = rows["token"]
    Token.objects.filter(pk=token.pk).update(digest=SECRET)
    paths = [f"{table}/{row.pk}/change/" for table, row in rows.items()]
    for path in (*paths, *(f"{table}/" for table in TABLES)):
        assert SECRET not in superuser.get(f"registry/{path}").html, path


def test_table_on_a_page_has_a_bounded_number_of_rows(
    superuser: AdminClient, rows: dict[str, Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formatting, "MAX_ROWS", 1)
    tag: Any = rows["tag"]
    path = f"registry/tag/{tag.pk}/change/"
    assert "The first 1 are shown." not in section(superuser.get(path), "Names")
    target, actor = Reference.parse(tag.text), Actor.operator(superuser.user)
    publish(tag.text, BOARD | {"num-cores": 9}, actor=superuser.user)
    for text in ("second", "third"):
        aliases.point_alias(f"{tag.namespace}/{text}", target, actor=actor)
    names = section(superuser.get(path), "Names")
    assert "The first 1 are shown." in names
    assert "third" not in names


@pytest.mark.parametrize(("value", "status"), [("\0", 400), ("members", 200)])
def test_choice_that_postgresql_cannot_compare_is_refused(
    superuser: AdminClient, value: str, status: int
) -> None:
    assert superuser.get("registry/namespace/", policy__exact=value).status == status


def section(page: Page, heading: str) -> str:
    """Return the text of a section of a page."""
    return page.html.partition(f"<h2>{heading}</h2>")[2].partition("</section>")[0]
