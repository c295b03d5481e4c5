"""The JSON editor over a textarea: on a separate page, with the registry's policy and API."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import goto
from tests.web.browser.pages.inspection import (
    RECORD_VIOLATIONS,
    WIDTHS,
    Viewport,
    viewports,
)

STYLES = ("tokens", "base", "components", "forms", "editor")
SHEETS = "".join(
    f'<link rel="stylesheet" href="/static/registry/css/{name}.css">' for name in STYLES
)
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Submit</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/static/registry/mark.svg">{sheets}
<script src="/static/registry/js/editor.js" defer></script></head>
<body><main><h1>Submit</h1>
<p><a href="#target" data-pointer="/arch">arch</a></p>
<form action="/sent" method="get">
<div class="field"><label for="tag">Tag</label><input id="tag" name="tag" value="stage/new"></div>
<div class="field"><label for="target">Target</label>
<p class="helptext" id="target-help">One JSON object.</p>
<textarea id="target" name="target" rows="12" required spellcheck="false"
 aria-describedby="target-help" data-editor data-check="/api/v1/check"
 data-schema="/api/v1/kinds/body" data-tags="/api/v1/tags" data-tag="#tag">{body}</textarea></div>
<div class="acts"><button>Submit</button><button type="reset">Reset</button></div>
</form></main></body></html>"""
CUDA = '{\n  "kind": "cuda",\n  "arch": "sm_53"\n}'


@pytest.fixture
def policy(page: Page) -> Iterator[str]:
    """Return the content security policy; violations and script errors fail the test."""
    errors: list[str] = []
    page.add_init_script(RECORD_VIOLATIONS)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield goto(page, "/").headers["content-security-policy"]
    assert page.evaluate("window.violations") == []
    assert errors == []


def prepare(page: Page, policy: str, body: str) -> None:
    """Serve the page at /editor."""
    headers = {"Content-Security-Policy": policy}
    html = PAGE.format(sheets=SHEETS, body=body)
    page.route(
        re.compile(r"/editor$"),
        lambda route: route.fulfill(content_type="text/html", headers=headers, body=html),
    )


def open_editor(page: Page, policy: str, body: str = "") -> Locator:
    """Open the editor with a body."""
    prepare(page, policy, body)
    goto(page, "/editor")
    editor = page.get_by_role("textbox", name="Target")
    expect(editor).to_have_attribute("contenteditable", "true")
    return editor


def status(page: Page) -> Locator:
    return page.locator(".editor-status")


def marked_lines(page: Page) -> dict[int, str]:
    """Return the numbers of marked lines with their severities."""
    severities: dict[int, str] = page.evaluate(
        """() => Object.fromEntries(
          [...document.querySelectorAll(".cm-lint-marker")].map((mark) => {
            const top = mark.closest(".cm-gutterElement").getBoundingClientRect().top;
            const lines = [...document.querySelectorAll(".cm-lineNumbers .cm-gutterElement")];
            const line = lines.findLast((element) => element.getBoundingClientRect().top === top);
            return [line.textContent, mark.className.split("-").at(-1)];
          }))"""
    )
    return {int(line): severity for line, severity in severities.items()}


def options(page: Page) -> list[str]:
    """Return the offered completions."""
    labels = page.locator(".cm-completionLabel")
    expect(labels.first).to_be_visible()
    return labels.all_text_contents()


def test_textarea_has_the_text_of_the_editor(page: Page, policy: str) -> None:
    editor = open_editor(page, policy)
    page.get_by_text("Target", exact=True).click()  # the label
    expect(editor).to_be_focused()
    page.keyboard.type('{"kind": "llvm"')
    expect(page.locator("#target")).to_have_value(
        '{"kind": "llvm"}'
    )  # the bracket is closed automatically
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/sent?*")
    assert "llvm" in page.url


def test_body_is_restored_by_history_and_reset(page: Page, policy: str) -> None:
    editor = open_editor(page, policy, CUDA)
    editor.press("Control+End")
    page.keyboard.type(" ")
    goto(page, "/kinds/")
    page.go_back()
    expect(page.locator("#target")).to_have_value(f"{CUDA} ")
    expect(page.locator(".cm-line")).to_have_count(4)
    page.get_by_role("button", name="Reset").click()
    expect(page.locator("#target")).to_have_value(CUDA)
    expect(page.locator(".cm-line").last).to_have_text("}")


def test_editor_has_the_label_and_description_of_the_textarea(page: Page, policy: str) -> None:
    editor = open_editor(page, policy, CUDA)
    expect(editor).to_have_accessible_description("One JSON object.")
    expect(editor).to_have_attribute("aria-required", "true")
    expect(editor).to_have_attribute("spellcheck", "false")
    expect(page.locator("#target")).to_be_hidden()


def test_tab_leaves_the_editor(page: Page, policy: str) -> None:
    editor = open_editor(page, policy, CUDA)
    page.get_by_label("Tag").press("Tab")
    expect(editor).to_be_focused()
    editor.press("Tab")
    expect(page.get_by_role("button", name="Submit")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_label("Tag")).to_be_focused()


def test_options_of_the_kind_are_offered(page: Page, policy: str) -> None:
    editor = open_editor(page, policy, CUDA)
    editor.press("Control+End")
    editor.press("ArrowUp")
    editor.press("End")
    page.keyboard.type(',\n"max_')
    assert "max_threads_per_block" in options(page)
    assert "max_shared_memory_per_block" in options(page)
    page.keyboard.type("threads_p")
    expect(page.locator(".cm-completionLabel")).to_have_count(1)
    expect(page.locator(".cm-completionDetail")).to_have_text("integer, threads")
    page.wait_for_timeout(100)  # CodeMirror ignores Enter directly after typing
    editor.press("Enter")
    page.keyboard.type("1024")
    body = json.loads(page.locator("#target").input_value())
    assert body == {"kind": "cuda", "arch": "sm_53", "max_threads_per_block": 1024}


def test_completions_of_kind_insert_valid_json(page: Page, policy: str) -> None:
    editor = open_editor(page, policy)
    editor.press("{")
    editor.press("Control+Space")
    assert options(page)[:2] == ["kind", "tag"]
    page.wait_for_timeout(100)
    editor.press("Enter")
    assert "vulkan" in options(page)
    page.keyboard.type("vulk")
    expect(page.locator(".cm-completionLabel")).to_have_text(["vulkan"])
    page.wait_for_timeout(100)
    editor.press("Enter")
    expect(page.locator("#target")).to_have_value('{"kind": "vulkan"}')


def test_options_of_the_parent_come_first(page: Page, policy: str) -> None:
    editor = open_editor(page, policy, '{"tag": "nvidia/jetson-nano:cuda"}')
    expect(status(page)).to_contain_text("Valid")
    editor.press("Control+End")
    editor.press("ArrowLeft")
    page.keyboard.type(', "')
    editor.press("Control+Space")
    labels = options(page)
    assert "arch" in labels[:3]
    assert "mattr" not in labels[:20]  # of llvm


def test_references_are_completed_by_search(page: Page, policy: str) -> None:
    editor = open_editor(page, policy, '{"tag": "", "host": ""}')
    for _ in range(len('{"tag": "')):
        editor.press("ArrowRight")
    with page.expect_request("**/api/v1/tags?q=jetson-n&typing=true"):
        page.keyboard.type("jetson-n", delay=20)
    assert "nvidia/jetson-nano" in options(page)
    page.keyboard.press("Escape")
    editor.press("Control+End")
    editor.press("ArrowLeft")
    editor.press("ArrowLeft")
    page.keyboard.type("c4.8x", delay=20)
    expect(page.locator(".cm-completionLabel").first).to_have_text("aws/c4.8xlarge")
    page.wait_for_timeout(100)
    editor.press("Enter")
    body = json.loads(page.locator("#target").input_value())
    assert body == {"tag": "jetson-n", "host": "aws/c4.8xlarge"}


@pytest.mark.parametrize(
    ("body", "marks", "message"),
    [
        (
            '{\n  "kind": "cuda",\n  "nope": 1,\n  "max_num_threads": "many"\n}',
            {3: "error", 4: "error"},
            "2 errors; first on line 3: cuda has no option nope",
        ),
        (
            '{\n  "kind": "composite",\n  "devices": [\n    "llvm",\n    "no/where"\n  ]\n}',
            {5: "error"},
            "1 error; first on line 5: There is no tag no/where",
        ),
        (
            '{\n  "tag": "nvidia/jetson-nanoo"\n}',
            {2: "error"},
            "1 error; first on line 2: There is no tag nvidia/jetson-nanoo",
        ),
        (
            '{\n  "num-cores": 4,\n  "kind": "llvm"\n}',
            {3: "warning"},
            "Valid: next version 1.0.0 (FIRST). 2 warnings; first on line 3: without mtriple a",
        ),
        (CUDA, {}, "Valid: next version 1.0.0 (FIRST)."),
        ('{\n  "kind": "cuda",\n}', {2: "error"}, "Not JSON: line 2: a comma before }, where"),
        ('{\n  // mine\n  "kind": "c"}', {2: "error"}, "Not JSON: line 2: a comment (//), which"),
        ('{\n  "kind": "c"\n  "keys": []}', {3: "error"}, "Not JSON: line 3: a comma is missing"),
        ("{'kind': 'c'}", {1: "error"}, "Not JSON: line 1: names and strings need double quotes"),
        ('{"kind": ', {1: "error"}, "Not JSON: line 1: a value is missing here."),
        ('{"kind": "c"', {1: "error"}, "Not JSON: line 1: the text ends too early."),
    ],
)
def test_errors_are_marked_at_their_lines(
    page: Page, policy: str, body: str, marks: dict[int, str], message: str
) -> None:
    open_editor(page, policy, body)
    expect(status(page)).to_contain_text(message)
    assert marked_lines(page) == marks


def test_f8_shows_the_next_error_and_its_suggestion_is_applied(page: Page, policy: str) -> None:
    editor = open_editor(page, policy, '{"kind": "cuda", "arhc": "sm_53"}')
    expect(status(page)).to_contain_text("1 error")
    editor.press("F8")
    expect(status(page)).to_have_text(re.compile("^Error, line 1: cuda has no option arhc"))
    page.get_by_role("button", name="Use arch").click()
    expect(status(page)).to_have_text("Valid: next version 1.0.0 (FIRST).")
    expect(page.locator("#target")).to_have_value('{"kind": "cuda", "arch": "sm_53"}')


def test_error_message_is_closed_with_escape(page: Page, policy: str) -> None:
    editor = open_editor(page, policy, '{"kind": "cuda", "arhc": "sm_53"}')
    expect(status(page)).to_contain_text("1 error")
    editor.press("F8")
    expect(page.locator(".cm-diagnostic")).to_be_visible()
    editor.press("Escape")
    expect(page.locator(".cm-diagnostic")).to_have_count(0)


def test_changing_the_tag_checks_again(page: Page, policy: str) -> None:
    open_editor(page, policy, CUDA)
    tag = page.get_by_label("Tag")
    tag.fill("")
    expect(status(page)).to_contain_text("Enter a tag")
    tag.fill("noslash")
    expect(status(page)).to_contain_text("Not checked: noslash is not a tag")
    tag.fill("stage/board")
    expect(status(page)).to_contain_text("Valid: next version 3.0.0 (MAJOR)")


def test_check_is_retried_after_a_rate_limit(page: Page, policy: str) -> None:
    requests: list[Any] = []

    def respond(route: Route) -> None:
        requests.append(route.request.post_data_json)
        if len(requests) == 1:
            route.fulfill(status=429, headers={"Retry-After": "1"}, json={"detail": "too many"})
        else:
            route.continue_()

    page.route("**/api/v1/check", respond)
    open_editor(page, policy, CUDA)
    expect(status(page)).to_have_text("Valid: next version 1.0.0 (FIRST).")
    assert requests == [{"tag": "stage/new", "target": json.loads(CUDA)}] * 2


def test_missing_response_is_reported(page: Page, policy: str) -> None:
    page.route("**/api/v1/check", lambda route: route.abort())
    open_editor(page, policy, CUDA)
    expect(status(page)).to_have_text("Not checked: no response from the registry.")


def test_link_moves_the_cursor_to_a_pointer(page: Page, policy: str) -> None:
    editor = open_editor(page, policy, CUDA)
    page.get_by_role("link", name="arch").click()
    expect(editor).to_be_focused()
    page.keyboard.type("X")
    expect(page.locator(".cm-line").nth(2)).to_have_text('X"arch": "sm_53"')


def set_viewport(page: Page, viewport: Viewport) -> None:
    page.emulate_media(color_scheme=viewport.scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": viewport.width, "height": 800})


def test_axe_finds_no_violations(page: Page, policy: str, request: pytest.FixtureRequest) -> None:
    editor = open_editor(page, policy, CUDA.replace("arch", "arhc"))
    expect(status(page)).to_contain_text("1 error")
    for viewport in viewports(request.config):
        set_viewport(page, viewport)
        assert viewport.check(page) == []
        editor.press("Control+End")
        editor.press("ArrowLeft")
        editor.press("Control+Space")
        assert options(page)
        # Arrow keys scroll the list of completions.
        disabled = ["scrollable-region-focusable"]
        assert violations(page, disabled=disabled) == []
        editor.press("Escape")


@pytest.mark.parametrize("width", WIDTHS)
def test_editor_does_not_scroll_the_page_horizontally(page: Page, policy: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    open_editor(page, policy, CUDA.replace("arch", "arhc"))
    expect(status(page)).to_contain_text("1 error")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_long_body_scrolls_inside_the_editor(page: Page, policy: str) -> None:
    open_editor(page, policy, "[" + "\n" * 200 + "]")
    box = page.locator(".cm-editor").bounding_box()
    assert box is not None
    assert box["height"] < 600


def test_textarea_works_without_javascript(browser: Browser, served: str) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    prepare(page, "default-src 'none'; style-src 'self'", CUDA)
    goto(page, "/editor")
    field = page.get_by_label("Target")
    expect(field).to_be_visible()
    expect(field).to_have_value(CUDA)
    field.fill('{"kind": "llvm"}')
    expect(field).to_have_value('{"kind": "llvm"}')
    context.close()
