"""Walks by keyboard alone: Tab until a control has the focus, which each stop shows."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

MAX_STOPS = 100  # from a control to the next one that a walk needs
IS_FOCUSED = "(control) => control === document.activeElement"
ACTIVE_STOP = """() => {
  const stop = document.activeElement;
  if (stop === document.body || !stop) return null;
  const box = stop.getBoundingClientRect();
  const style = getComputedStyle(stop);
  return {
    name: stop.dataset.stop ?? stop.outerHTML,
    in_window: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    outline: style.outlineStyle,
    width: parseFloat(style.outlineWidth),
  };
}"""


def next_stop(page: Page) -> str | None:
    """Press Tab; return the name of the stop, which is visible, or None behind the last one."""
    page.keyboard.press("Tab")
    stop: Any = page.evaluate(ACTIVE_STOP)
    if stop is None:
        return None
    assert stop["in_window"], stop
    assert stop["outline"] != "none", stop
    assert stop["width"] >= 1, stop
    return str(stop["name"])


class Keyboard:
    """A person who uses a page without a mouse."""

    def __init__(self, page: Page) -> None:
        page.emulate_media(reduced_motion="reduce")  # no smooth scrolling
        self.page = page

    def tab_to(self, control: Locator) -> None:
        """Press Tab until a control has the focus."""
        expect(control).to_be_visible()
        for _ in range(MAX_STOPS):
            if control.evaluate(IS_FOCUSED):
                return
            assert next_stop(self.page) is not None, f"Tab does not reach {control}"
        raise AssertionError(f"Tab does not reach {control} within {MAX_STOPS} stops")

    def type(self, control: Locator, text: str) -> None:
        """Replace the text of a field."""
        self.tab_to(control)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def press(self, control: Locator, key: str = "Enter") -> None:
        """Press a key on a control that opens no other page."""
        self.tab_to(control)
        self.page.keyboard.press(key)

    def follow(self, control: Locator) -> None:
        """Press Enter on a link, a button or a field, and wait for the page that it opens."""
        self.tab_to(control)
        with self.page.expect_event("domcontentloaded"):
            self.page.keyboard.press("Enter")

    def sign_up(self, name: str, password: str) -> None:
        """Fill in the page for signing up, and return to the page that asked."""
        self.type(self.page.get_by_label("Username", exact=True), name)
        self.type(self.page.get_by_label("Password", exact=True), password)
        self.type(self.page.get_by_label("Confirm password"), password)
        self.follow(self.button("Sign up"))
        self.follow(self.link("Continue without a key"))

    def button(self, name: str) -> Locator:
        """Return the last button of a name in the main part of the page."""
        return self.page.get_by_role("main").get_by_role("button", name=name, exact=True).last

    def link(self, name: str) -> Locator:
        """Return the first link of a name in the main part of the page."""
        return self.page.get_by_role("main").get_by_role("link", name=name, exact=True).first
