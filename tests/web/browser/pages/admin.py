"""The pages of the admin."""

import json
import re
from collections.abc import Iterator

from playwright.sync_api import Page, expect

from tests.web.browser.admin_seed import PASSWORD, USERNAME
from tests.web.browser.conftest import goto

LISTS = (
    *("proposal", "namespacerequest"),
    *("namespace", "tag", "name", "version", "kind", "withdrawal", "deprecation"),
    *("user", "membership", "token", "event"),
)
QUEUE = "/admin/registry/proposal/"
FILTERED = "registry/tag/?q=jetson&status=active&namespace=nvidia"
ROWS = {  # list: (the text of a row, the actions on that row)
    "proposal": ("stage/soc", ("accept", "ask", "reject")),
    "namespacerequest": ("arm", ("accept", "reject", "comment")),
    "namespace": ("stage", ("describe", "readme", "policy", "grant")),
    "tag": ("stage/board", ("deprecate", "mark-family")),
    "name": ("stage/plank", ("repoint",)),
    "version": ("stage/board@1.0.0", ("unyank",)),
    "kind": ("cuda", ("revise",)),
    "user": ("boss", ("edit", "password", "remove")),
    "membership": ("ci-bot", ("role", "revoke")),
    "token": ("nightly", ("revoke",)),
    "event": ("stage/plank", ()),
    "withdrawal": ("", ()),
    "deprecation": ("", ()),
}


def log_in(page: Page) -> None:
    goto(page, "/admin/")
    page.get_by_label("Username or email address").fill(USERNAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Administration")


def first_row_path(page: Page, table: str) -> str:
    """Return the path of the first matching row of a list."""
    query = ROWS[table][0].partition("@")[0]
    goto(page, f"/admin/registry/{table}/?q={query}" if query else f"/admin/registry/{table}/")
    rows = page.locator("tbody tr", has_text=ROWS[table][0])
    href = rows.first.locator("th a").get_attribute("href")
    assert href is not None
    return re.sub(r"\?.*", "", href)


def accept_form_path(page: Page) -> str:
    """Return the path of the form that accepts all proposals that can be selected."""
    goto(page, QUEUE)
    checkboxes = page.locator("input[name=selected]").all()
    pairs = [checkbox.get_attribute("value") for checkbox in checkboxes]
    assert pairs
    return f"{QUEUE}accept/?{'&'.join(f'selected={pair}' for pair in pairs)}&selected=999999:1"


def visit_every_page(page: Page) -> Iterator[str]:
    """Visit every list, form and row, yielding its path."""
    paths = ["/admin/", f"/admin/{FILTERED}", "/admin/password_change/"]
    paths += [f"/admin/registry/{table}/" for table in LISTS]
    paths += [
        f"{QUEUE}?state=all",
        accept_form_path(page),
        "/admin/registry/event/?since=yesterday",
    ]
    paths += [f"{QUEUE}{number}/change/" for number in range(1, 11)]
    paths += [
        f"/admin/registry/{table}/add/" for table in ("namespace", "name", "kind", "user", "token")
    ]
    for table, (_, actions) in ROWS.items():
        row = first_row_path(page, table)
        paths += [row, *(row.replace("/change/", f"/{action}/") for action in actions)]
    for path in paths:
        response = goto(page, path)
        assert response.status == 200, path
        yield path


def open_revision_form(page: Page) -> str:
    """Open the form that revises a kind; return a schema with one option added and one removed."""
    goto(page, first_row_path(page, "kind"))
    page.get_by_role("link", name="Revise").click()
    schema = json.loads(page.get_by_label("Schema").input_value())
    schema["properties"].pop("arch")
    schema["properties"]["warp-sum"] = {
        "type": "integer",
        "x-consumers": ["codegen"],
        "x-affects-tuning": True,
    }
    return json.dumps(schema, indent=2)


def walk(page: Page) -> Iterator[str]:
    """Log in, visit each page and some invalid forms, and log out, yielding the names."""
    goto(page, "/admin/")
    yield "login"
    page.get_by_role("button", name="Sign in", exact=True).click()
    yield "invalid login"
    log_in(page)
    yield from visit_every_page(page)
    schema = open_revision_form(page)
    page.get_by_label("Schema").fill(schema)
    page.get_by_role("button", name="Preview").click()
    page.locator("summary", has_text="Line by line").click()
    yield "preview"
    page.get_by_label("Schema").fill("{,}")
    page.get_by_role("button", name="Preview again").click()
    yield "invalid JSON"
    goto(page, "/admin/registry/namespace/add/")
    page.get_by_role("button", name="Add a namespace").click()
    yield "invalid form"
    page.get_by_role("button", name="Sign out").click()
    yield "logged out"
