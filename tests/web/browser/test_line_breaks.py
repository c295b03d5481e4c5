"""Enter in every text area of the site: browsers send CRLF, the registry stores LF."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request

from tests.databases import FILE
from tests.web.browser.conftest import goto, serve
from tests.web.browser.pages import account
from tests.web.browser.pages.text_areas import FORMS, PROSE, Form, lines_of

OPEN = '() => document.querySelectorAll("details").forEach((part) => part.open = true)'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a registry of its own, because the forms change it."""
    return tmp_path_factory.mktemp("line_breaks")


@pytest.fixture(scope="module")
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    """Return a page without scripts of a signed-in administrator."""
    with serve(folder) as url:
        context = browser.new_context(base_url=url, java_script_enabled=False)
        context.route("**/static/**", lambda route: route.abort())
        page = context.new_page()
        account.sign_in(page)
        yield page
        context.close()


@pytest.fixture(scope="module")
def requests(page: Page) -> list[Request]:
    """Collect the requests of the page."""
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))  # noqa: PLW0108 - playwright marks it
    return requests


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.path)
def test_enter_is_accepted(form: Form, page: Page, requests: list[Request]) -> None:
    assert goto(page, form.path).status == 200
    if form.first:
        page.get_by_role("button", name=form.first).click()
    page.evaluate(OPEN)
    for name, text in form.fields.items():
        page.locator(f'[name="{name}"]').fill(text)
    for name in form.areas:
        areas = page.locator(f'textarea[name^="{name}"]:visible').all()
        assert areas
        for area in areas:
            first, *others = lines_of(form, name) or (area.input_value(), "")
            area.fill(first)
            area.press("Control+End")
            for line in others:
                area.press("Enter")
                area.press_sequentially(line)
    requests.clear()
    with page.expect_navigation() as navigation:
        page.get_by_role("button", name=form.button, exact=True).last.click()
    assert "%0D%0A" in (requests[0].post_data or "")
    error = page.locator("main, body").first.inner_text()
    assert navigation.value.status == 200, error


def test_lines_are_stored_with_lf(page: Page, folder: Path) -> None:
    """All that the forms above have stored is read from the database."""
    texts = list(stored_texts(folder / FILE))
    prose = [
        "\n".join(lines_of(form, name))
        for form in FORMS
        for name, lines in form.areas.items()
        if lines == PROSE
    ]
    assert [text for text in prose if not any(text in stored for stored in texts)] == []
    assert [text for text in texts if "\r" in text] == []


def stored_texts(path: Path) -> Iterator[str]:
    """Yield the text of every column of every row that the registry stores."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        tables = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        for (table,) in tables:
            if re.match(
                "registry_(version|turn|proposal|namespace|readme|request|trusted|saved|kind)",
                table,
            ):
                for row in database.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 - its own
                    yield from (value for value in row if isinstance(value, str))
