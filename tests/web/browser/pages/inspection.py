"""One look at a page, which notes everything that has to hold for every page."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import ConsoleMessage, Page, Response

from tests.web.browser.accessibility import colour_violations, quick_violations, violations

WIDTHS = (1280, 768, 320, 360)  # in the order in which the window is resized
HEIGHT = 800
SEES_VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""
WEIGHS = """
() => [
  ...performance.getEntriesByType("navigation"),
  ...performance.getEntriesByType("resource"),
].reduce((sum, entry) => sum + entry.encodedBodySize + 600, 0) // some 600 bytes of headers
"""
SCROLLS = "document.documentElement.scrollWidth"


class Sight(NamedTuple):
    """A theme and a width in which axe looks at a page, and for what."""

    scheme: Literal["light", "dark"]
    width: int
    find: Callable[[Page], list[str]]


# Colours differ by theme; all other rules are run in one.
SIGHTS = (Sight("light", 360, quick_violations), Sight("dark", 1280, colour_violations))
ALL_SIGHTS = tuple(
    Sight(scheme, width, violations) for scheme in ("light", "dark") for width in WIDTHS
)


def sights(config: pytest.Config) -> tuple[Sight, ...]:
    """Return the sights of this run: with `--thorough`, every theme in every width."""
    return ALL_SIGHTS if config.getoption("--thorough", default=False) else SIGHTS


@dataclass(frozen=True)
class Visit:
    """What one look at a page has noted."""

    status: int
    policy: str  # the header Content-Security-Policy
    violations: list[str]  # of that policy
    messages: list[str]  # on the console, and errors of scripts
    hosts: set[str]  # which the page asked for something
    weight: int  # bytes that are transferred, the page itself and all that it brings
    scroll_widths: dict[int, int]  # by the width of the window, in CSS pixels
    accessibility: list[str]  # what axe found wrong, after the sight


class Inspector:
    """Looks at the pages that a browser's page goes to, one after the other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.messages: list[str] = []
        self.hosts: set[str] = set()
        self.answer: Response | None = None
        page.add_init_script(SEES_VIOLATIONS)
        page.on("console", self.note_message)
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))
        page.on("response", self.note_answer)
        self.reset()

    def note_message(self, message: ConsoleMessage) -> None:
        """Keep what stands on the console, but for Chromium's own line about the page's status."""
        if message.location["url"] != self.page.url or "status of" not in message.text:
            self.messages.append(message.text)

    def note_answer(self, answer: Response) -> None:
        """Keep the answer that made the page."""
        if answer.request.is_navigation_request():
            self.answer = answer

    def reset(self) -> None:
        """Make the window what it is before every page."""
        self.page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
        self.page.emulate_media(color_scheme="light")

    def look(self, sights: Iterable[Sight]) -> Visit:
        """Note what there is to note about the loaded page; axe looks at these sights."""
        self.page.wait_for_load_state()  # a click returns when the navigation is committed
        assert self.answer is not None
        noted: dict[str, Any] = {
            "status": self.answer.status,
            "policy": self.answer.headers["content-security-policy"],
            "violations": self.page.evaluate("window.violations"),
            "weight": self.page.evaluate(WEIGHS),
            "scroll_widths": {width: self.scroll_width(width) for width in WIDTHS},
            "messages": list(self.messages),
            "hosts": set(self.hosts),
        }
        accessibility = [message for sight in sights for message in self.run_axe(sight)]
        self.reset()
        self.messages.clear()
        self.hosts.clear()
        return Visit(accessibility=accessibility, **noted)

    def scroll_width(self, width: int) -> int:
        """Return how wide the page is in a window of some width."""
        self.page.set_viewport_size({"width": width, "height": HEIGHT})
        found: int = self.page.evaluate(SCROLLS)
        return found

    def run_axe(self, sight: Sight) -> list[str]:
        """Return what axe finds wrong in a sight."""
        self.page.set_viewport_size({"width": sight.width, "height": HEIGHT})
        self.page.emulate_media(color_scheme=sight.scheme)
        return [f"{sight.scheme}, {sight.width} px: {message}" for message in sight.find(self.page)]
