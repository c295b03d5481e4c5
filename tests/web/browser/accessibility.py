"""Accessibility checks with axe-core."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
COLOUR_RULES = ("color-contrast", "link-in-text-block")

RUN = """async ([runOnly, disabled]) => {
  const rules = Object.fromEntries(disabled.map((rule) => [rule, { enabled: false }]));
  const options = { runOnly, rules, resultTypes: ["violations"] };
  const { violations } = await axe.run(options);
  return violations.flatMap(({ id, nodes }) => nodes.map(
    ({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`,
  ));
}"""
# axe spends most of its time on the contrast of each element, and a list has hundreds that are
# styled the same. Equal styles of the text and of everything behind it give equal contrast, so one
# element of each style is enough.
SAMPLE = """() => {
  const backgrounds = new Map([[null, ""]]);
  const background = (element) => {
    if (!backgrounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity, position].join();
      backgrounds.set(element, `${background(element.parentElement)}|${own}`);
    }
    return backgrounds.get(element);
  };
  const hasText = (element) => element.matches("input, select, textarea")
    || [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const elements = new Map();
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.checkVisibility() || !hasText(element)) continue;
    const style = getComputedStyle(element);
    const { color, fontSize, fontWeight, textShadow, textDecorationLine } = style;
    const text = [element.localName, color, fontSize, fontWeight, textShadow, textDecorationLine];
    elements.set(`${text.join()} ${background(element)}`, element);
  }
  for (const element of elements.values()) element.dataset.sample = "";
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-sample]" }] });
}"""
RESET = """() => {
  for (const element of document.querySelectorAll("[data-sample]")) delete element.dataset.sample;
  axe.reset();
}"""


def violations(page: Page, *, disabled: Collection[str] = ()) -> list[str]:
    """Return the violations that axe finds on a page: the rule, the element, and how to fix it."""
    load_axe(page)
    return run_axe(page, {"type": "tag", "values": TAGS}, disabled)


def colour_violations(page: Page) -> list[str]:
    """Return violations of colour rules, which depend on the theme.

    Checks the contrast of one element of each style.
    """
    with sampled(page):
        return run_axe(page, {"type": "rule", "values": COLOUR_RULES})


def quick_violations(page: Page, *, disabled: Collection[str] = ()) -> list[str]:
    """Return all violations, but check the contrast of only one element of each style."""
    with sampled(page):
        return violations(page, disabled=disabled)


@contextmanager
def sampled(page: Page) -> Iterator[None]:
    """Let axe check the contrast of one element of each style."""
    load_axe(page)
    page.evaluate(SAMPLE)
    yield
    page.evaluate(RESET)


def load_axe(page: Page) -> None:
    """Load axe into the page, once."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)


def run_axe(page: Page, rules: object, disabled: Collection[str] = ()) -> list[str]:
    """Run axe rules on the page."""
    messages: list[str] = page.evaluate(RUN, [rules, list(disabled)])
    return messages
