"""Fixtures that serve a registry and start one browser for all tests."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Response,
    expect,
    sync_playwright,
)

from tests import serving
from tests.built_once import built_once, digest_of
from tests.databases import FILE, copy_sqlite
from tests.patience import PATIENCE
from tests.serving import ROOT
from tests.web.browser.admin_seed import ISSUER
from tests.web.browser.walking import PageFactory

FOLDER = Path(__file__).parent
# The headless shell has the same engine and opens pages three times as fast.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or ""
# All tests of a process are one address to the server.
UNLIMITED = {f"REGISTRY_RATE_{name}": "none" for name in ("ANONYMOUS", "PREVIEW", "ACCOUNT")}
WEAK = {"DJANGO_SETTINGS_MODULE": "tests.weak_passwords"}
# So that its pages are there. Nobody signs in by it: no request goes to another host.
PROVIDER = {
    "REGISTRY_OIDC_ISSUER": ISSUER,
    "REGISTRY_OIDC_CLIENT_ID": "registry",
    "REGISTRY_OIDC_CLIENT_SECRET": "unused",
    "REGISTRY_OIDC_NAME": "Example",
}
VARIABLES = UNLIMITED | WEAK | PROVIDER
WAIT = 1000 * PATIENCE  # milliseconds
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]

expect.set_options(timeout=WAIT)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that use the browser, and skip them if there is none."""
    for item in items:
        if item.path.is_relative_to(FOLDER):
            item.add_marker("browser")
            if not CHROMIUM:
                item.add_marker(pytest.mark.skip(reason="no chromium on the path"))


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the URL of a registry that all tests share."""
    with serve(tmp_path_factory.mktemp("served")) as url:
        yield url


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Yield the URL of a registry with the catalogue and a database in this folder.

    It is a process, not pytest-django's live server, which would flush tables after each test; the
    database refuses to delete their rows.
    """
    shutil.copytree(seeded(), folder, dirs_exist_ok=True)
    with serving.run_server(folder, VARIABLES) as server:
        yield f"http://127.0.0.1:{server.port}"


def seeded() -> Path:
    """Return a folder with the database, which all processes of a run share.

    It is made anew each day, since pages say how long ago something happened.
    """
    folders = (ROOT / "registry", FOLDER)
    paths = (path for folder in folders for path in folder.rglob("*"))
    sources = [path for path in paths if path.suffix in {".py", ".json"}]
    key = digest_of([ROOT / "requirements.txt", ROOT / "tests/databases.py", *sources])
    return built_once("browser", f"{key}-{datetime.now(UTC).date()}", _seed)


def _seed(folder: Path) -> None:
    copy_sqlite(folder / FILE, loaded=True)
    command = [sys.executable, "-m", "tests.web.browser.seed"]
    subprocess.run(command, cwd=ROOT, env=serving.environment_of(folder) | WEAK, check=True)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start one browser. Until it is closed, Django refuses to run queries in this process."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser, served: str) -> Iterator[BrowserContext]:
    """Return a new browser context with a laptop's window size."""
    context = browser.new_context(
        base_url=served,
        viewport={"width": 1280, "height": 800},
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(WAIT)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """Return an empty page."""
    return context.new_page()


@pytest.fixture(params=[True, False], ids=["with-javascript", "without"])
def javascript(request: pytest.FixtureRequest) -> bool:
    """Whether scripts run in the pages of `new_page`."""
    return bool(request.param)


@pytest.fixture
def new_page(browser: Browser, served: str, javascript: bool) -> Iterator[PageFactory]:
    """Return a function that opens a page in a new browser context, as another person's."""
    with opening_pages(browser, served, javascript=javascript) as new_page:
        yield new_page


@contextmanager
def opening_pages(browser: Browser, url: str, *, javascript: bool) -> Iterator[PageFactory]:
    """Yield a function that opens a page of a registry in a new browser context."""
    contexts: list[BrowserContext] = []

    def page() -> Page:
        context = browser.new_context(base_url=url, java_script_enabled=javascript)
        context.set_default_timeout(WAIT)
        contexts.append(context)
        return context.new_page()

    try:
        yield page
    finally:
        for context in contexts:
            context.close()


def goto(page: Page, path: str) -> Response:
    """Open a path and return the server's response."""
    response = page.goto(path)
    assert response is not None
    return response
