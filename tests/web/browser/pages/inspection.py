"""Inspect a page once and record everything that must hold for every page."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import ConsoleMessage, Page, Response

from tests.web.browser.accessibility import (
    AXE_SCRIPT,
    colour_violations,
    quick_violations,
    violations,
)
from tests.web.browser.pages import text_areas

WIDTHS = (1280, 768, 320, 360)  # in the order in which the window is resized
HEIGHT = 800
RECORD_VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""
TRANSFER_SIZE = """
() => [
  ...performance.getEntriesByType("navigation"),
  ...performance.getEntriesByType("resource"),
].reduce((sum, entry) => sum + entry.encodedBodySize + 600, 0) // some 600 bytes of headers
"""
SIZES = """
() => [
  document.documentElement.scrollWidth,
  document.querySelector(".masthead:has(.menu)")?.offsetHeight ?? 0,
]
"""


class Viewport(NamedTuple):
    """A theme and a window width in which axe checks a page."""

    scheme: Literal["light", "dark"]
    width: int
    check: Callable[[Page], list[str]]


# Only colours depend on the theme; all other rules run in one theme.
VIEWPORTS = (Viewport("light", 360, quick_violations), Viewport("dark", 1280, colour_violations))
ALL_VIEWPORTS = tuple(
    Viewport(scheme, width, violations) for scheme in ("light", "dark") for width in WIDTHS
)


def viewports(config: pytest.Config) -> tuple[Viewport, ...]:
    """Return the viewports to check: with `--thorough`, every theme in every width."""
    return ALL_VIEWPORTS if config.getoption("--thorough", default=False) else VIEWPORTS


@dataclass(frozen=True)
class PageReport:
    """The results of inspecting a page."""

    status: int
    policy: str  # the Content-Security-Policy header
    violations: list[str]  # of that policy
    messages: list[str]  # on the console, including script errors
    hosts: set[str]  # that the page sent requests to
    size: int  # transferred bytes, of the page and its resources
    scroll_widths: dict[int, int]  # by window width, in CSS pixels
    header_heights: dict[int, int]  # by window width, in CSS pixels; 0 in the admin
    accessibility: list[str]  # violations found by axe, with their viewports
    text_areas: set[text_areas.TextArea]  # that people can write into


class Inspector:
    """Inspects the pages that a browser page navigates to, one after the other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.messages: list[str] = []
        self.hosts: set[str] = set()
        self.response: Response | None = None
        page.add_init_script(RECORD_VIOLATIONS)
        page.add_init_script(AXE_SCRIPT)  # cheaper than loading it into each page
        page.on("console", self.record_message)
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))
        page.on("response", self.record_response)
        self.reset()

    def record_message(self, message: ConsoleMessage) -> None:
        """Record a console message, except Chromium's own about the status of the page."""
        if message.location["url"] != self.page.url or "status of" not in message.text:
            self.messages.append(message.text)

    def record_response(self, response: Response) -> None:
        """Record the response of a navigation."""
        if response.request.is_navigation_request():
            self.response = response

    def reset(self) -> None:
        """Restore the initial window size and theme."""
        self.page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
        self.page.emulate_media(color_scheme="light")

    def inspect(self, viewports: Iterable[Viewport]) -> PageReport:
        """Inspect the page once it is loaded; axe checks it in these viewports."""
        self.page.wait_for_load_state()  # a click returns when the navigation is committed
        assert self.response is not None
        sizes = {width: self.measure(width) for width in WIDTHS}
        results: dict[str, Any] = {
            "status": self.response.status,
            "policy": self.response.headers["content-security-policy"],
            "violations": self.page.evaluate("window.violations"),
            "size": self.page.evaluate(TRANSFER_SIZE),
            "scroll_widths": {width: scroll_width for width, (scroll_width, _) in sizes.items()},
            "header_heights": {width: height for width, (_, height) in sizes.items()},
            "text_areas": {
                text_areas.key_of(*area) for area in self.page.evaluate(text_areas.FIND)
            },
            "messages": list(self.messages),
            "hosts": set(self.hosts),
        }
        accessibility = [message for viewport in viewports for message in self.run_axe(viewport)]
        self.reset()
        self.messages.clear()
        self.hosts.clear()
        return PageReport(accessibility=accessibility, **results)

    def measure(self, width: int) -> tuple[int, int]:
        """Return the scroll width and the height of the header in a window of this width."""
        self.page.set_viewport_size({"width": width, "height": HEIGHT})
        scroll_width, header_height = self.page.evaluate(SIZES)
        return scroll_width, header_height

    def run_axe(self, viewport: Viewport) -> list[str]:
        """Return the violations that axe finds in a viewport."""
        self.page.set_viewport_size({"width": viewport.width, "height": HEIGHT})
        self.page.emulate_media(color_scheme=viewport.scheme)
        return [
            f"{viewport.scheme}, {viewport.width} px: {message}"
            for message in viewport.check(self.page)
        ]
