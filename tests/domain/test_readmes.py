"""READMEs: which texts are refused, and what of Markdown counts."""

import itertools
import sys

import pytest
from hypothesis import given, strategies as st

from registry.domain import readmes
from registry.domain.errors import Code
from registry.domain.readmes import MAX_TEXT


def problems(text: str) -> list[str]:
    return [fault.message for fault in readmes.faults(text, "/text")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Boards of **Acme**.",
        "x" * MAX_TEXT,
        "# Boards\n\n1. one\n2. two\n\n> quoted\n\n```c\nint x;\n```",
        "- 1\n  - 2\n    - 3\n      - 4\n        - 5\n          - 6",
        "> > > > > > six",
        "[a]: /b\n\n[a] <b>bold</b> ![c](/d) | e | f |",
        "&copy; &nbsp; &amp; &#0; &#7; &#x85; &bogus;",  # no entity stands for a control character
        "\N{HEBREW LETTER SHIN}\N{HEBREW LETTER LAMED} \N{RIGHT-TO-LEFT MARK}!",
        "\t- tabs and\u200djoiners",
        "```&#x202E;\nthe language of a code block is not shown\n```",
        "`&#x202E;`",  # code shows entities as they are typed
    ],
)
def test_text_is_accepted(text: str) -> None:
    assert problems(text) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x" * (MAX_TEXT + 1), "8001 characters are too many"),
        ("[" * 300_000, "300000 characters are too many"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe", "U+202E is not allowed here"),
        ("\N{RIGHT-TO-LEFT ISOLATE}a", "U+2067 is not allowed here"),
        ("a\x00b", "U+0000 is not allowed here"),
        ("a\x1b[31m", "U+001B is not allowed here"),
        ("a\u2028b", "U+2028 is not allowed here"),
        ("ok\n\n&#x202E;gnp.exe", "an entity from line 3 on: U+202E"),
        ("&#8238;", "an entity from line 1 on: U+202E"),
        ('[a](/b "&#x2066;")', "an entity from line 1 on: U+2066"),
        ("# &#x2028;", "an entity from line 1 on: U+2028"),
        ("> > > > > > > seven", "line 1 is nested too deeply"),
        (">" * MAX_TEXT, "line 1 is nested too deeply"),
        ("- a\n- 1. > - 1. > - 1. b", "line 2 is nested too deeply"),
    ],
)
def test_text_is_refused(text: str, problem: str) -> None:
    (fault,) = readmes.faults(text, "/text")
    assert fault.message.startswith(problem)
    assert (fault.code, fault.pointer) == (Code.REQUEST_INVALID, "/text")


@pytest.mark.parametrize("url", ["https://a", "http://a.b/c?d=e#f", "HTTPS://a", "/", "/tags/a/b"])
def test_url_is_a_link(url: str) -> None:
    assert readmes.PARSER.validateLink(url)


@pytest.mark.parametrize(
    "url",
    [
        *("javascript:alert(1)", "JavaScript:x", " javascript:x", "data:text/html,x", "vbscript:x"),
        *("mailto:a@b.c", "file:///etc/passwd", "ftp://a", "tel:1", "x", "a/b", "../a", "?a", "#a"),
        *("//evil.example", "/\\evil.example", "\\\\evil", "https:", "https:///x", ""),
    ],
)
def test_url_is_no_link(url: str) -> None:
    assert not readmes.PARSER.validateLink(url)


HOSTILE = {
    "brackets": "[",
    "images": "![",
    "links": "[a](",
    "links in links": "[a](/b",
    "emphasis": "*a _b",
    "strong": "**a",
    "backticks": "`a ``b",
    "entities": "&#x41;&",
    "tags": "<a ",
    "autolinks": "<http://",
    "lists": "- a\n",
    "lazy quotes": ">a\nb\n",
    "headings": "a\n=\n",
    "definitions": "[a]: /x\n",
    "backslashes": "\\",
}


@pytest.mark.parametrize("part", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_costs_as_much_as_it_is_long(part: str) -> None:
    """A quadratic parser would take sixteen times as many steps."""
    long = (part * MAX_TEXT)[:MAX_TEXT]
    assert steps(long) < 6 * steps(long[: MAX_TEXT // 4])


def steps(text: str) -> int:
    """Return how many calls begin and end while a text is parsed."""
    events = itertools.count()
    sys.setprofile(lambda *_: next(events) and None)
    try:
        list(readmes.faults(text, ""))
    finally:
        sys.setprofile(None)
    return next(events)


@given(st.text(alphabet="*_[]()<>`!&#-> \n\\a1.:~\t/", max_size=300))
def test_normalizing_twice_changes_nothing(text: str) -> None:
    once = readmes.normalize(text)
    assert readmes.normalize(once) == once
