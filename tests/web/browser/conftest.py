"""A registry as it is served, and one browser for all tests of its pages."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, sync_playwright

ROOT = Path(__file__).parent.parent.parent.parent
CHROMIUM = shutil.which("chromium") or ""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
PATIENCE = 30  # seconds for the server to answer first


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What drives the browser is marked so, and skipped where there is none."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
            if not CHROMIUM:
                item.add_marker(pytest.mark.skip(reason="no chromium on the path"))


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a registry with the catalogue, on a database of its own.

    A process, not pytest-django's live server: what that would flush after each test, the database
    refuses to delete.
    """
    folder = tmp_path_factory.mktemp("served")
    environment = {name: text for name, text in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"REGISTRY_VAR": str(folder), "DJANGO_SETTINGS_MODULE": "registry.settings"}
    subprocess.run(
        [sys.executable, "-m", "tests.web.browser.stage"], cwd=ROOT, env=environment, check=True
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    granian = [sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws"]
    address = ["--host", "127.0.0.1", "--port", str(port), "--workers", "1"]
    command = [*granian, *address, "--no-log", "registry.wsgi:application"]
    server = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_for(f"{url}/healthz")
        yield url
    finally:
        server.terminate()
        server.wait()


def wait_for(url: str) -> None:
    """Return once a server answers."""
    for _ in range(PATIENCE * 10):
        try:
            urllib.request.urlopen(url).close()  # noqa: S310 - our own server
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(f"{url} does not answer")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser. It ends with this folder's tests: while it runs, Django refuses to query."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser, served: str) -> Iterator[BrowserContext]:
    """A browser without history, at a laptop's size."""
    context = browser.new_context(
        base_url=served,
        viewport={"width": 1280, "height": 800},
        permissions=["clipboard-read", "clipboard-write"],
    )
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """An empty page."""
    return context.new_page()


def goto(page: Page, path: str) -> Response:
    """Go to a path; what the server answered."""
    response = page.goto(path)
    assert response is not None
    return response
