"""Pictures of the main pages for the README: `make screenshots`.

Each is of the registry as it ships, in the light theme, at a laptop's width.
"""

from __future__ import annotations

import base64
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.serving import ROOT, served
from tests.web.browser.conftest import CHROMIUM, FLAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

HOST = "targets.example"  # commands on the pictures name it, not today's port
FOLDER = ROOT / "docs" / "screenshots"
SIZE: ViewportSize = {"width": 1200, "height": 760}
MOST_BYTES = 60_000
QUALITIES = (90, 80, 70, 60, 50)  # of WebP: the best at which a picture is small enough
COMPARED = ("jetson-nano", "jetson-orin-nano", "jetson-agx-orin-64gb")
PAGES = {
    "home": "/",
    "search": "/?q=rtx&kind=cuda",
    "tag": "/tags/nvidia/jetson-nano:cuda",
    "composition": "/composition/example/two-machines",
    "lineage": "/lineage/example/two-machines",
    "diff": "/diff/nvidia/jetson-orin-nano@1.0.0...nvidia/jetson-orin-nano",
    "compare": f"/compare?{'&'.join(f'tag=nvidia/{name}' for name in COMPARED)}",
    "kind": "/kinds/cuda",
    "submit": "/submit?tag=nvidia/jetson-nano",
}


def main() -> None:
    """Take all screenshots again."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with registry() as port, sync_playwright() as playwright:
        there = f"--host-resolver-rules=MAP {HOST}:80 127.0.0.1:{port}"
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, there])
        page = browser.new_page(base_url=f"http://{HOST}", viewport=SIZE, color_scheme="light")
        for name, path in PAGES.items():
            response = page.goto(path)
            if response is None or response.status != 200:
                sys.exit(f"{path} is no page to show")
            (FOLDER / f"{name}.webp").write_bytes(taken(page))
        browser.close()


@contextmanager
def registry() -> Iterator[int]:
    """The port of a registry with the catalogue, and nothing else."""
    with TemporaryDirectory() as folder:
        hosts = {"ALLOWED_HOSTS": f"{HOST}, 127.0.0.1"}
        with served(Path(folder), hosts, loaded=True) as server:
            yield server.port


def taken(page: Page) -> bytes:
    """Return a WebP screenshot of the window; Playwright cannot write WebP itself."""
    devtools = page.context.new_cdp_session(page)
    for quality in QUALITIES:
        said = devtools.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
        picture = base64.b64decode(said["data"])
        if len(picture) <= MOST_BYTES:
            return picture
    sys.exit(f"{page.url} has more than {MOST_BYTES} bytes as a picture")


if __name__ == "__main__":
    main()
