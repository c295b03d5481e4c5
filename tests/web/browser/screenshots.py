"""Take the screenshots of the README: `make screenshots`.

They show the registry with its catalogue, in the light theme, in a laptop's window width.
"""

from __future__ import annotations

import base64
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.serving import ROOT, environment_of, run_server
from tests.web.browser.conftest import CHROMIUM, FLAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

HOST = "targets.example"  # shown in commands, in place of a local port
FOLDER = ROOT / "docs" / "screenshots"
SIZE: ViewportSize = {"width": 1200, "height": 760}
MAX_BYTES = 60_000
QUALITIES = (90, 80, 70, 60, 50)  # of WebP; the first that is small enough is used
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
        host_rule = f"--host-resolver-rules=MAP {HOST}:80 127.0.0.1:{port}"
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, host_rule])
        page = browser.new_page(base_url=f"http://{HOST}", viewport=SIZE, color_scheme="light")
        for name, path in PAGES.items():
            response = page.goto(path)
            if response is None or response.status != 200:
                sys.exit(f"{path} responded with an error")
            (FOLDER / f"{name}.webp").write_bytes(screenshot(page))
        browser.close()


@contextmanager
def registry() -> Iterator[int]:
    """Serve a registry with the whole catalogue, which takes a minute to load; yield its port."""
    with TemporaryDirectory() as folder:
        for command in ("migrate", "load_catalogue"):
            arguments = [sys.executable, "manage.py", command, "--verbosity", "0"]
            subprocess.run(arguments, cwd=ROOT, env=environment_of(Path(folder)), check=True)
        hosts = {"ALLOWED_HOSTS": f"{HOST}, 127.0.0.1"}
        with run_server(Path(folder), hosts) as server:
            yield server.port


def screenshot(page: Page) -> bytes:
    """Return a WebP screenshot of the window; Playwright cannot write WebP itself."""
    devtools = page.context.new_cdp_session(page)
    for quality in QUALITIES:
        result = devtools.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
        image = base64.b64decode(result["data"])
        if len(image) <= MAX_BYTES:
            return image
    sys.exit(f"{page.url} needs more than {MAX_BYTES} bytes as a screenshot")


if __name__ == "__main__":
    main()
