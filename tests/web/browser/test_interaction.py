"""Scripts, keyboard navigation, forced colours, reduced motion and print."""

from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.web.browser.accessibility import quick_violations
from tests.web.browser.conftest import goto
from tests.web.browser.keyboard import next_stop

TAG = "/tags/nvidia/jetson-nano:cuda"
NO_CLIPBOARD = """
navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
document.execCommand = () => false;
"""
NO_STORAGE = """
Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("The operation is insecure.", "SecurityError"); },
});
"""
PATHS = ("/?q=jetson", TAG, "/diff/stage/board@1.0.0...stage/board", "/kinds/cuda", "/tags/a/none")

# Numbers the elements that Tab reaches.
NUMBER_TAB_STOPS = """() => {
  const focusable = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const stops = [...document.querySelectorAll(focusable)].filter(
    (element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled,
  );
  stops.forEach((stop, index) => { stop.dataset.stop = index; });
  window.stops = stops.length;
}"""
ANIMATIONS = """() => [
  ...document.getAnimations().map(
    (animation) => animation.animationName ?? animation.transitionProperty,
  ),
  ...[...document.querySelectorAll("*")].filter((element) => {
    const style = getComputedStyle(element);
    const hasDuration = (text) => text.split(",").some((part) => parseFloat(part) > 0);
    return hasDuration(style.transitionDuration) || hasDuration(style.animationDuration);
  }).map((element) => element.outerHTML.slice(0, 80)),
]"""
IS_MARKED = """(element) => {
  const style = getComputedStyle(element);
  return parseFloat(style.borderBottomWidth) > 0 || style.textDecorationLine !== "none"
    || parseInt(style.fontWeight) >= 600;
}"""


def background_colour(page: Page) -> str:
    colour: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return colour


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/?q=jetson", "/tags/", TAG])
def test_open_menu_of_a_phone_is_accessible(
    page: Page, path: str, scheme: Literal["light", "dark"]
) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.emulate_media(color_scheme=scheme)
    goto(page, path)
    page.get_by_role("button", name="Menu").click()
    assert page.get_by_role("navigation", name="Main").is_visible()
    assert quick_violations(page) == []


def test_copy_button_copies_the_command_and_confirms(page: Page) -> None:
    goto(page, TAG)
    page.get_by_text("Floating").click()
    button = page.get_by_role("button", name="Copy the floating command")
    button.click()
    expect(button).to_have_text("Copied")
    expect(page.get_by_role("status").nth(1)).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator(".command").nth(1).text_content()
    assert copied.startswith("curl -fsS 'http://127.0.0.1")


def test_copy_button_reports_failure(page: Page) -> None:
    page.add_init_script(NO_CLIPBOARD)
    goto(page, TAG)
    button = page.get_by_role("button", name="Copy the pinned command")
    button.click()
    expect(button).to_have_text("Press Ctrl+C")
    selected = page.evaluate("getSelection().toString()")
    assert selected == page.locator(".command").first.text_content()


def test_theme_follows_the_system_until_one_is_chosen(page: Page, context: BrowserContext) -> None:
    page.emulate_media(color_scheme="light")
    goto(page, TAG)
    light = background_colour(page)
    page.emulate_media(color_scheme="dark")
    dark = background_colour(page)
    assert light != dark
    page.get_by_label("Theme").select_option("light")
    assert background_colour(page) == light
    response = goto(page, "/kinds/")
    assert 'data-theme="light"' in response.text()
    assert background_colour(page) == light
    expect(page.get_by_label("Theme")).to_have_value("light")
    page.get_by_label("Theme").select_option("same as system")
    assert background_colour(page) == dark
    assert context.cookies() == []


def test_slash_focuses_the_search_field(page: Page) -> None:
    goto(page, TAG)
    page.keyboard.press("/")
    search = page.get_by_role("combobox", name="Search tags")
    expect(search).to_be_focused()
    page.keyboard.type("a/b")
    expect(search).to_have_value("a/b")


def test_slash_shortcut_can_be_disabled(page: Page) -> None:
    goto(page, TAG)
    page.get_by_role("checkbox", name="to search").uncheck()
    goto(page, "/")
    page.keyboard.press("/")
    expect(page.get_by_role("textbox", name="Find a machine")).not_to_be_focused()
    page.get_by_role("checkbox", name="to search").check()
    page.keyboard.press("/")
    expect(page.get_by_role("textbox", name="Find a machine")).to_be_focused()


def test_slash_shortcut_ignores_text_fields_and_modifier_keys(page: Page) -> None:
    goto(page, "/compare")
    field = page.get_by_label("Tag 1")
    field.focus()
    page.keyboard.type("a/b")
    expect(field).to_have_value("a/b")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("Control+/")
    expect(page.get_by_role("combobox", name="Search tags")).not_to_be_focused()


def test_scripts_work_without_local_storage(page: Page) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script(NO_STORAGE)
    goto(page, TAG)
    page.get_by_role("checkbox", name="to search").uncheck()
    page.keyboard.press("/")
    expect(page.get_by_role("combobox", name="Search tags")).not_to_be_focused()
    assert errors == []


@pytest.mark.parametrize(("path", "forced"), [*((path, "none") for path in PATHS), (TAG, "active")])
def test_every_tab_stop_is_visible(
    page: Page, path: str, forced: Literal["none", "active"]
) -> None:
    """Every tab stop is in the window and has an outline, and there is no keyboard trap."""
    page.emulate_media(forced_colors=forced, reduced_motion="reduce")  # no smooth scrolling
    goto(page, path)
    page.evaluate(NUMBER_TAB_STOPS)
    seen: list[str] = []
    while (stop := next_stop(page)) is not None:
        assert stop not in seen, "keyboard trap"
        seen.append(stop)
    assert len(seen) == page.evaluate("window.stops")


@pytest.mark.parametrize("path", PATHS)
def test_reduced_motion_disables_animations(page: Page, path: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    goto(page, path)
    assert page.evaluate(ANIMATIONS) == []
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


@pytest.mark.parametrize("path", ["/tags/stage/board@1.0.0", "/diff/stage/board@1...stage/board"])
def test_forced_colours_keep_states_and_borders(page: Page, path: str) -> None:
    """Without colours, text and borders still show what is current and what is yanked."""
    page.emulate_media(forced_colors="active")
    goto(page, path)
    for status in page.locator(".status").all():
        assert (status.text_content() or "").strip()
    for current in page.locator("nav [aria-current]:visible").all():
        assert current.evaluate(IS_MARKED), current.text_content()


def test_a_long_word_does_not_widen_a_phones_page(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    goto(page, "/proposals/1")
    texts = page.locator("main .message")
    texts.evaluate_all(
        "(texts) => texts.forEach((text) => { text.textContent = 'x'.repeat(3000) })"
    )
    assert texts.first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("path", PATHS)
def test_controls_are_large_enough(page: Page, path: str) -> None:
    """Controls outside of sentences are 24 px high (WCAG 2.5.8); checkboxes have enough spacing."""
    page.set_viewport_size({"width": 360, "height": 800})
    goto(page, path)
    controls = "button:visible, select:visible, input:not([type=checkbox]):visible"
    for control in page.locator(controls).all():
        box = control.bounding_box()
        assert box is not None
        assert box["height"] >= 24, control.evaluate("(element) => element.outerHTML")


def test_print_has_commands_target_and_digest(page: Page, served: str) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    goto(page, TAG)
    main = page.get_by_role("main")
    for text in (f"{served}/api/v1/resolve/nvidia/jetson-nano:cuda@sha256:", '"arch"', "sha256:"):
        expect(main.get_by_text(text).first).to_be_visible()
    expect(main.get_by_text(f"{served}{TAG}").last).to_be_visible()
    expect(main.locator("time").first).to_be_visible()
    screen = (".masthead", ".colophon", ".sections", ".copy", "form", ".downloads", "#change")
    for part in (*screen, 'a[href^="/watch/"]'):
        assert not page.locator(part).first.is_visible(), part
    expect(main.get_by_text("Status").first).to_be_visible()
    assert (
        page.evaluate("getComputedStyle(document.body).color") == "rgb(29, 28, 25)"
    )  # the light theme


@pytest.mark.parametrize("path", ["/", "/tags/nvidia/jetson-nano:cuda", "/kinds/cuda"])
def test_first_tab_stop_skips_to_the_content(page: Page, path: str) -> None:
    goto(page, path)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    box = skip.bounding_box()
    assert box is not None
    assert box["y"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_print_hides_navigation_and_buttons(page: Page) -> None:
    goto(page, "/tags/nvidia/jetson-nano:cuda")
    page.emulate_media(media="print")
    assert page.locator(".command").first.is_visible()
    assert page.locator(".digest").is_visible()
    assert not page.locator(".masthead").is_visible()
    assert not page.get_by_role("button", name="Copy").first.is_visible()
