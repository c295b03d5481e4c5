"""Text that users may not enter."""

import pytest
from hypothesis import given, strategies as st

from registry.domain import user_text
from registry.domain.errors import Fault


def fault(text: str, *, is_required: bool = True, is_multiline: bool = False) -> Fault | None:
    faults = list(
        user_text.text_faults(
            text, "/reason", max_length=20, is_required=is_required, is_multiline=is_multiline
        )
    )
    assert len(faults) <= 1
    return faults[0] if faults else None


@pytest.mark.parametrize(
    "text",
    [
        "wrong figures",
        "x" * 20,
        "日" * 20,
        "مرحبا",
        "e\u0301",
        "a\u200db",
        "\u200fשל",
        "👩\u200d💻",
    ],
)
def test_text_in_any_script_is_accepted(text: str) -> None:
    assert fault(text) is None
    assert fault(text, is_multiline=True) is None


@pytest.mark.parametrize("text", ["", " ", "\u200b", "\u00a0\u2003"])
def test_required_text_without_visible_characters_is_rejected(text: str) -> None:
    text_fault = fault(text)
    assert text_fault
    assert text_fault.expected.startswith("1 to 20 characters")
    assert fault(text, is_required=False) is None


def test_text_that_is_too_long_is_rejected() -> None:
    text_fault = fault("x" * 21)
    assert text_fault
    assert "21 characters" in text_fault.message
    assert text_fault.pointer == "/reason"


@pytest.mark.parametrize(
    "character",
    [
        *("\x00", "\x07", "\x08", "\x0b", "\x0c", "\r", "\x1b", "\x1f", "\x7f", "\x80", "\x85"),
        *("\x9f", "\u2028", "\u2029", "\u202a", "\u202e", "\u2066", "\u2069"),
    ],
)
@pytest.mark.parametrize("lines", [False, True])
def test_invisible_and_control_characters_are_rejected(character: str, *, lines: bool) -> None:
    text_fault = fault(f"a{character}b", is_multiline=lines)
    assert text_fault
    assert f"U+{ord(character):04X}" in text_fault.message
    assert text_fault.found.isprintable()


@pytest.mark.parametrize(
    ("character", "message"),
    [("\n", "a line break is not allowed here"), ("\t", "U+0009 is not allowed here")],
)
def test_line_breaks_and_tabs_need_multi_line_text(character: str, message: str) -> None:
    text_fault = fault(f"a{character}b")
    assert text_fault
    assert text_fault.message == message
    assert "in one line" in text_fault.expected
    assert fault(f"a{character}b", is_multiline=True) is None


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        (" \n a  b\t", "a  b"),
        ("a\r\nb", "a\nb"),
        ("a\rb", "a\nb"),
        ("a\n\rb", "a\n\nb"),
        ("a\r\r\nb", "a\n\nb"),
        ("\r\na\r\n\r\nb\r", "a\n\nb"),
        ("a\x0bb\x0cc\x85d\u2028e", "a\x0bb\x0cc\x85d\u2028e"),
    ],
)
def test_line_ends_become_lf_and_surrounding_white_space_is_stripped(
    text: str, normalized: str
) -> None:
    assert user_text.normalize_text(text) == normalized


@given(st.lists(st.text("ab\t "), max_size=5), st.data())
def test_a_text_is_the_same_whatever_ends_its_lines(lines: list[str], data: st.DataObject) -> None:
    ends = data.draw(st.lists(st.sampled_from(["\n", "\r\n"]), min_size=len(lines)))
    text = "".join(line + end for line, end in zip(lines, ends, strict=False))
    normalized = user_text.normalize_text(text)
    assert normalized == "\n".join(lines).strip()
    assert user_text.normalize_text(normalized) == normalized
    assert fault(normalized[:20], is_required=False, is_multiline=True) is None


def test_a_line_end_is_one_character_of_the_limit() -> None:
    text = user_text.normalize_text("x" * 10 + "\r\n" + "x" * 9)
    assert fault(text, is_multiline=True) is None


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.com", "javascript:alert(1)", "https://", "https://a b", "https://a\n"),
        *("https://a/\u202e", "//example.com", "https://user@example.com/", ""),
        "https://example.com/" + "x" * 2048,
    ],
)
def test_a_link_that_is_not_an_https_url_is_rejected(url: str) -> None:
    (text_fault,) = user_text.link_faults(url, "/url")
    assert text_fault.pointer == "/url"


def test_an_https_url_is_accepted() -> None:
    assert not list(user_text.link_faults("https://example.com:8443/a?b=c#d", "/url"))
    assert list(user_text.link_faults("https://example.com/", "/url", max_length=10))
