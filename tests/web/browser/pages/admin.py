"""The pages of the admin."""

import json
import re
from collections.abc import Iterator

from playwright.sync_api import Page, expect

from tests.web.browser.admin_seed import PASSWORD, USERNAME
from tests.web.browser.conftest import goto

LISTS = (
    "proposal",
    *("namespace", "tag", "name", "version", "kind", "withdrawal", "deprecation"),
    *("user", "membership", "token", "event"),
)
QUEUE = "/admin/registry/proposal/"
SEARCHED = "registry/tag/?q=jetson&status=active&namespace=nvidia"
ROWS = {  # by list: what to look for, and the acts on what is found
    "proposal": ("stage/soc", ("accept", "ask", "reject")),
    "namespace": ("stage", ("describe", "policy", "grant")),
    "tag": ("stage/board", ("deprecate",)),
    "name": ("stage/plank", ("repoint",)),
    "version": ("stage/board@1.0.0", ("unyank",)),
    "kind": ("cuda", ("revise",)),
    "user": ("boss", ("edit", "password", "remove")),
    "membership": ("ci-bot", ("change", "revoke")),
    "token": ("nightly", ("revoke",)),
    "event": ("stage/plank", ()),
    "withdrawal": ("", ()),
    "deprecation": ("", ()),
}


def log_in(page: Page) -> None:
    goto(page, "/admin/")
    page.get_by_label("User name or e-mail address").fill(USERNAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Administration")


def first_row(page: Page, table: str) -> str:
    """The path of the first row that a list finds."""
    query = ROWS[table][0].partition("@")[0]
    goto(page, f"/admin/registry/{table}/?q={query}" if query else f"/admin/registry/{table}/")
    rows = page.locator("tbody tr", has_text=ROWS[table][0])
    href = rows.first.locator("th a").get_attribute("href")
    assert href is not None
    return re.sub(r"\?.*", "", href)


def ticked(page: Page) -> str:
    """The path of the page that asks about all that can be ticked."""
    goto(page, QUEUE)
    boxes = page.locator("input[name=ticked]").all()
    pairs = [box.get_attribute("value") for box in boxes]
    assert pairs
    return f"{QUEUE}accept/?{'&'.join(f'ticked={pair}' for pair in pairs)}&ticked=999999:1"


def every_page(page: Page) -> Iterator[str]:
    """Go to every list, form and row, one after the other; where the browser is."""
    paths = ["/admin/", f"/admin/{SEARCHED}", "/admin/password_change/"]
    paths += [f"/admin/registry/{table}/" for table in LISTS]
    paths += [f"{QUEUE}?state=all", ticked(page), "/admin/registry/event/?since=yesterday"]
    paths += [f"{QUEUE}{at}/change/" for at in range(1, 11)]  # whatever stands against them
    paths += [f"/admin/registry/{table}/add/" for table in ("namespace", "name", "user", "token")]
    for table, (_, acts) in ROWS.items():
        row = first_row(page, table)
        paths += [row, *(row.replace("/change/", f"/{act}/") for act in acts)]
    for path in paths:
        response = goto(page, path)
        assert response.status == 200, path
        yield path


def revised(page: Page) -> str:
    """The form for a revision of a kind with a schema that adds an option, and drops another."""
    goto(page, first_row(page, "kind"))
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
    """Log in and go to each page, to answers that refuse a form, and out again."""
    goto(page, "/admin/")
    yield "login"
    page.get_by_role("button", name="Sign in").click()
    yield "login refused"
    log_in(page)
    yield from every_page(page)
    schema = revised(page)
    page.get_by_label("Schema").fill(schema)
    page.get_by_role("button", name="Preview").click()
    page.locator("summary", has_text="Line by line").click()
    yield "preview"
    page.get_by_label("Schema").fill("{,}")
    page.get_by_role("button", name="Preview again").click()
    yield "no JSON"
    goto(page, "/admin/registry/namespace/add/")
    page.get_by_role("button", name="Add a namespace").click()
    yield "refused form"
    page.get_by_role("button", name="Sign out").click()
    yield "logged out"
