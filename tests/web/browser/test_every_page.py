"""What holds for every page, light and dark, on a phone and on a laptop."""

from collections.abc import Iterable
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.web.browser.conftest import goto
from tests.web.browser.stage import LONG

PATHS = {
    "/": 200,
    "/?q=jetson": 200,
    "/?q=geforce-rtx-4091": 200,
    "/?namespace=stage": 200,
    "/?q=jetson&kind=cuda&where=num-cores%3E%3D2&sort=published": 200,
    "/?q=jetson&where=num-cores%3E%3Dmany": 400,
    "/?namespace=nvidai": 404,
    "/tags/nvidia/jetson-nano:cuda": 200,
    "/tags/example/two-machines": 200,
    "/tags/micro/aot": 200,
    "/tags/stage/large": 200,
    "/tags/stage/board@1.0.0": 200,
    f"/tags/{LONG}": 200,
    "/tags/stage/gone": 404,
    "/tags/nvidia/jetson-nanoo": 404,
    "/tags/XX": 400,
    "/tags/NVIDIA/Jetson Nano": 400,
    "/tags/example/two-machines?take=clang": 200,
    "/tags/arm/soc?take=nothing": 400,
    "/resolved/nvidia/jetson-nano:cuda": 200,
    "/resolved/stage/large?page=3": 200,
    "/resolved/example/two-machines?node=/nowhere": 404,
    "/source/example/two-machines": 200,
    "/source/stage/large": 200,
    f"/source/{LONG}": 200,
    "/hardware/nvidia/jetson-nano:cuda": 200,
    f"/hardware/{LONG}": 200,
    "/formats/nvidia/jetson-nano:cuda": 200,
    "/formats/micro/aot": 200,
    "/formats/stage/large?node=/devices/device0": 200,
    "/diff/": 200,
    "/diff/nvidia/jetson-nano@1.0.0...nvidia/jetson-nano:cuda": 200,
    f"/diff/{LONG}...stage/large": 200,
    "/diff/arm/socc...arm/soc@9": 404,
    "/compare": 200,
    "/compare?tag=nvidia/jetson-nano:cuda&tag=arm/soc&tag=stage/board@1.0.0": 200,
    f"/compare?tag={LONG}&tag=stage/large&tag=micro/aot&tag=arm/soc&tag=stage/board": 200,
    "/compare?tag=a/a&tag=a/b&tag=a/c&tag=a/d&tag=a/e&tag=a/f": 400,
    "/lineage/example/two-machines": 200,
    "/lineage/arm/soc": 200,
    "/composition/example/two-machines": 200,
    "/composition/stage/large": 200,
    "/composition/example/two-machines?node=/nowhere": 404,
    "/used-by/aws/c4.8xlarge": 200,
    "/versions/stage/board": 200,
    "/versions/stage/gone": 200,
    "/kinds/": 200,
    "/kinds/vulkan": 200,
    "/kinds/llvm?option=mcpuu": 400,
    "/namespaces/": 200,
    "/namespaces/stage": 200,
    "/namespaces/nvidia": 200,
    "/namespaces/nvidai": 404,
    "/proposals/": 200,
    "/proposals/?state=all&namespace=stage&submitter=paula": 200,
    "/proposals/?state=lost": 400,
    "/proposals/1": 200,
    "/proposals/6": 200,
    "/proposals/1/changes/1...1": 200,
    "/proposals/99999": 404,
    "/submit": 200,
    "/submit?tag=nvidia/nvidia-a100": 200,
    "/submit?tag=XX": 400,
    "/update/stage/follower": 200,
    "/update/arm/soc": 200,
    "/tags/stage/follower": 200,
    "/events": 200,
    "/accounts/login/": 200,
    "/accounts/signup/": 200,
    "/accounts/password/reset/": 200,
    "/problems": 200,
    "/api/v1/docs": 200,
    "/nowhere": 404,
}
SLOW_FOR_AXE = {  # more of what shorter pages have too
    "/composition/stage/large",
    "/?q=geforce-rtx-4091",
    "/tags/example/two-machines",
    "/tags/micro/aot",
    "/tags/stage/large",
    "/kinds/vulkan",
    "/resolved/stage/large?page=3",
    "/source/stage/large",
    "/formats/stage/large?node=/devices/device0",
    f"/diff/{LONG}...stage/large",
    f"/compare?tag={LONG}&tag=stage/large&tag=micro/aot&tag=arm/soc&tag=stage/board",
}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
MOST_BYTES = 100_000
WEIGHS = """
() => [
  ...performance.getEntriesByType("navigation"),
  ...performance.getEntriesByType("resource"),
].reduce((sum, entry) => sum + entry.encodedBodySize + 600, 0) // some 600 bytes of headers
"""
SEES_VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""


# Contrast differs by theme, what is shown by width: each once is enough.
@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 1280)])
def test_axe_finds_nothing(
    browser: Browser, served: str, scheme: Literal["light", "dark"], width: int
) -> None:
    options = {"runOnly": RULES, "resultTypes": ["violations"]}
    context = browser.new_context(
        base_url=served, viewport={"width": width, "height": 800}, color_scheme=scheme
    )
    page = context.new_page()
    found = {}
    for path in PATHS.keys() - SLOW_FOR_AXE:
        goto(page, path)
        results = Axe().run(page, options=options)
        if results.violations_count:
            found[path] = results.generate_report()
    context.close()
    assert not found, "\n".join(f"{path}\n{report}" for path, report in found.items())


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_nothing_scrolls_sideways(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for path in PATHS:
        goto(page, path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_policy_is_kept_and_nothing_comes_from_elsewhere(page: Page, served: str) -> None:
    messages: list[str] = []
    requests: list[str] = []
    page.add_init_script(SEES_VIOLATIONS)
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    for path, status in PATHS.items():
        messages.clear()
        response = goto(page, path)
        assert response.status == status, path
        assert "unsafe" not in response.headers["content-security-policy"]
        assert page.evaluate("window.violations") == [], path
        if status == 200:  # Chromium reports another one of the page itself
            assert messages == [], path
    assert {url.startswith(f"{served}/") for url in requests} == {True}


def weights(page: Page, paths: Iterable[str]) -> dict[str, int]:
    """What each path weighs with all that it brings, in bytes as they are transferred."""
    found = {}
    for path in paths:
        goto(page, path)
        found[path] = page.evaluate(WEIGHS)
    return found


def test_pages_are_light(page: Page) -> None:
    found = weights(page, PATHS)
    assert min(found.values()) > 5000
    assert max(found.values()) < MOST_BYTES, found


def test_pages_work_without_javascript(browser: Browser, served: str) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    goto(page, "/")
    page.get_by_label("Find a tag by name").fill("jetson nano")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="nvidia/jetson-nano:cuda").click()
    assert page.url == f"{served}/tags/nvidia/jetson-nano:cuda"
    page.get_by_role("link", name="Values", exact=True).click()
    assert page.get_by_text("48 KiB").is_visible()
    assert page.get_by_role("button", name="Copy").count() == 0
    assert not page.get_by_label("Theme").is_visible()
    context.close()


@pytest.mark.parametrize("path", ["/", "/tags/nvidia/jetson-nano:cuda", "/kinds/cuda"])
def test_first_stop_of_the_keyboard_skips_to_the_content(page: Page, path: str) -> None:
    goto(page, path)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    box = skip.bounding_box()
    assert box is not None
    assert box["y"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_print_shows_what_matters(page: Page) -> None:
    goto(page, "/tags/nvidia/jetson-nano:cuda")
    page.emulate_media(media="print")
    assert page.locator(".command").first.is_visible()
    assert page.locator(".digest").is_visible()
    assert not page.locator(".masthead").is_visible()
    assert not page.get_by_role("button", name="Copy").first.is_visible()
