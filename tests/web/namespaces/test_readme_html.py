"""READMEs as HTML: what becomes markup, and what stays as it was typed."""

from html.parser import HTMLParser

import pytest
from hypothesis import given, strategies as st

from registry.web.namespaces.readme_html import SHOWN_LINES, render, render_folded

pytestmark = pytest.mark.any_database

REL = 'rel="nofollow ugc"'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a **b** *c* `d`", "<p>a <strong>b</strong> <em>c</em> <code>d</code></p>"),
        ("# a\n## b\n### c\n#### d\n##### e", "<h3>a</h3><h4>b</h4><h5>c</h5><h6>d</h6><h6>e</h6>"),
        ("### a\n# b\n### c", "<h3>a</h3><h3>b</h3><h4>c</h4>"),  # no level is left out
        ("a\n==", "<h3>a</h3>"),
        ("[a](http://b.c/?d=1&e=2)", f'<p><a href="http://b.c/?d=1&amp;e=2" {REL}>a</a></p>'),
        ("[a](/kinds/)", f'<p><a href="/kinds/" {REL}>a</a></p>'),
        ('[a](/b "c\'d")', f'<p><a href="/b" {REL} title="c&#x27;d">a</a></p>'),
        ("<https://a.example>", f'<p><a href="https://a.example" {REL}>https://a.example</a></p>'),
        ("[](/a)", f'<p><a href="/a" {REL}>/a</a></p>'),  # a link needs a name
        ("[&#8203;](/a)", f'<p><a href="/a" {REL}>/a\u200b</a></p>'),
        ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
        ("3. a", '<ol start="3"><li>a</li></ol>'),
        ("> a", "<blockquote><p>a</p></blockquote>"),
        ("```c\n<b>\n```", "<pre><code>&lt;b&gt;\n</code></pre>"),
        ("    a", "<pre><code>a</code></pre>"),
        ("a\n\n---", "<p>a</p><hr />"),
        ("#", "<p></p>"),  # an empty heading would be one for screen readers
        ("", ""),
    ],
)  # fmt: skip
def test_markup(text: str, html: str) -> None:
    assert render(text).shown.replace("\n<", "<").strip() == html.replace("\n<", "<")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<a href='javascript:x'>",
        "a <b>b</b>",
        "<!-- a -->",
        "&lt;script&gt;",
        "![a](https://b.example/c.png)",
        "[a](javascript:alert(1))",
        "[a](&#106;avascript:alert(1))",
        "[a](java\\script:alert(1))",
        "<javascript:alert(1)>",
        "[a](data:text/html;base64,AAAA)",
        "<data:text/html,x>",
        "[a](vbscript:x)",
        "[a](mailto:b@c.example)",
        "<b@c.example>",
        "[a](//b.example)",
        "[a](/\\b.example)",
        "[a](b)",
        "[a](#b)",
        "[a]: https://b.example\n\n[a]",
        "[a]: javascript:x\n\n[a][]",
        "a | b\n--|--\nc | d",
        "~~a~~",
        "https://bare.example",
        "```\" onmouseover=\"alert(1)\na\n```",
        "```js onclick=x\na\n```",
        "[a](/b '\" onmouseover=\"x')",
        "[a](/\"onmouseover=x)",
        "# a {#members .sheet}",
        "<details open ontoggle=alert(1)>",
    ],
)  # fmt: skip
def test_nothing_else_becomes_markup(text: str) -> None:
    for tag, attributes in elements(render(text).shown):
        assert tag in {"p", "a", "pre", "code", "h3"}
        if tag != "a":
            assert attributes == {}
            continue
        assert set(attributes) <= {"href", "rel", "title"}
        assert attributes["rel"] == "nofollow ugc"
        assert attributes["href"].startswith(("https://b.example", "/b", "/%22", "/%5C"))


def test_few_characters_do_not_become_many() -> None:
    """A definition would put its URL into the page a thousand times."""
    text = f"[a]: https://b.example/{'x' * 2000}\n\n{'[a] ' * 1400}"
    assert render(text).shown.count("https://") == 1
    assert "<a" not in render(text).shown
    longest = max(
        len(render((part * 8000)[:8000]).shown) for part in ("\N{ROCKET}", "&", '"', "#\n")
    )
    assert longest < 100_000


@given(st.text(alphabet="*_[]()<>`!&#-> \n\\ahjsx:/1.\"'=", max_size=400))
def test_any_text_has_only_known_elements_and_attributes(text: str) -> None:
    for tag, attributes in elements(render(text).shown):
        assert tag in KNOWN
        assert set(attributes) <= ({"href", "rel", "title"} if tag == "a" else {"start"})
        if tag == "a":
            assert attributes["href"].lower().startswith(("https://", "http://", "/"))
            assert not attributes["href"].startswith(("//", "/\\"))


KNOWN = {
    *("p", "a", "pre", "code", "em", "strong", "h3", "h4", "h5", "h6", "ul", "ol", "li"),
    *("blockquote", "br", "hr"),
}


def test_long_readme_is_folded_between_blocks() -> None:
    text = "\n\n".join(f"paragraph {number}" for number in range(60))
    html = render_folded(text)
    assert html.shown.count("<p>") == SHOWN_LINES
    assert html.folded.startswith(f"<p>paragraph {SHOWN_LINES}</p>")
    assert html.shown + html.folded == render(text).shown


@pytest.mark.parametrize(
    "text", ["", "short", "\n\n".join("a" * (SHOWN_LINES + 2)), "- a\n" * (SHOWN_LINES - 1) + "\nb"]
)
def test_what_is_hardly_too_long_is_shown_whole(text: str) -> None:
    assert render_folded(text) == render(text)


def test_heading_is_folded_with_its_text() -> None:
    text = "\n\n".join(["a"] * (SHOWN_LINES - 1) + ["# Next", "b\n" * 9])
    html = render_folded(text)
    assert html.shown.endswith("<p>a</p>\n")
    assert html.folded.startswith("<h3>Next</h3>\n<p>b\nb")


def test_one_long_block_is_folded_whole() -> None:
    html = render_folded("- a\n" * 100)
    assert (html.shown, html.folded.count("<li>")) == ("", 100)


def elements(html: str) -> list[tuple[str, dict[str, str]]]:
    """Return the elements of HTML, each with its attributes."""
    found: list[tuple[str, dict[str, str]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, {name: value or "" for name, value in attrs}))

        def handle_comment(self, data: str) -> None:
            raise AssertionError(f"a comment: {data}")

    Reader().feed(html)
    return found
