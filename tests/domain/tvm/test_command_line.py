# ruff: noqa: E501 - tables read best in rows
"""Words, quotes and lists of the command line."""

from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from registry.domain.errors import Fault
from registry.domain.tvm.command_line import (
    COMMA,
    SPACE,
    Text,
    Unreadable,
    parse_options,
    quote_list,
    quote_word,
    split_targets,
)

# Much of what the grammar looks at, and a little of what it does not.
texts = st.one_of(st.text("ab' ,\\=-\n", max_size=12), st.text(max_size=6))


def parts(line: str, separator: str) -> list[str]:
    return [part.characters for part in Text.of(line).split(separator)]


def unquoted(text: str) -> str:
    return Text.of(text).unquoted().characters


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", []),
        ("  llvm   -a=1 ", ["llvm", "-a=1"]),
        ("llvm -a='b c'", ["llvm", "-a='b c'"]),
        ("llvm -a=b' 'c d", ["llvm", "-a=b' 'c", "d"]),
        (r"a\ b c", [r"a\ b", "c"]),
        (r"a\' b", [r"a\'", "b"]),
        (r"'a\' b' c", [r"'a\' b'", "c"]),
        (r"'a\\' b", [r"'a\\'", "b"]),
        ("'' a", ["''", "a"]),
        ("a,b\tc\nd", ["a,b\tc\nd"]),
    ],
)
def test_words_end_at_blanks_outside_quotes(line: str, words: list[str]) -> None:
    assert parts(line, SPACE) == words


@pytest.mark.parametrize(
    ("line", "items"),
    [
        (",", []),
        ("a,,b,", ["a", "b"]),
        ("'a,b',c", ["'a,b'", "c"]),
        (r"a\,b,c", [r"a\,b", "c"]),
        ("a b", ["a b"]),
    ],
)
def test_items_end_at_commas_and_empty_ones_are_dropped(line: str, items: list[str]) -> None:
    assert parts(line, COMMA) == items


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("", ""),
        ("blah", "blah"),
        ("'blah'", "blah"),
        ("'bl'ah", "'bl'ah"),
        ("'a' 'b'", "'a' 'b'"),
        ("''", ""),
        ("'", "'"),
        (r"\'a\'", "'a'"),
        (r"'\'a\''", "'a'"),
        (r"'a\'", r"'a\'"),
        (r"x'\''", r"x'\''"),
        (r"a\bc\\", "abc\\"),
        ("'a\nb'", "a\nb"),
        (r"'\'\\\'a b\\\'\''", r"'\'a b\''"),
    ],
)
def test_unquoting_removes_one_level(text: str, without: str) -> None:
    assert unquoted(text) == without


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("llvm -a='b", "the quote at character 8 is not closed"),
        (r"a 'b\'", "the quote at character 2 is not closed"),
        ("'a' '", "the quote at character 4 is not closed"),
    ],
)
def test_an_open_quote_is_reported_with_its_offset(line: str, message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        Text.of(line).split(SPACE)


@pytest.mark.parametrize("text", ["a\\", "\\", "'a'\\", r"\\" + "\\"])
def test_a_backslash_at_the_end_escapes_nothing(text: str) -> None:
    with pytest.raises(Unreadable, match=rf"the \\ at character {len(text) - 1} escapes nothing"):
        Text.of(text).unquoted()


def parse(line: str) -> tuple[list[tuple[str, int, str]], list[Fault]]:
    faults: list[Fault] = []
    result = list(parse_options(Text.of(line).split(SPACE), faults.append))
    return [(option.name, option.place, option.value.characters) for option in result], faults


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("-a=b", [("a", 0, "b")]),
        ("--a=b", [("a", 0, "b")]),
        ("-a b", [("a", 0, "b")]),
        ("-a -b", [("a", 0, "1"), ("b", 3, "1")]),
        ("-a -3", [("a", 0, "1"), ("3", 3, "1")]),
        ("-a=-3", [("a", 0, "-3")]),
        ("-a=", [("a", 0, "")]),
        ("-a=b=c", [("a", 0, "b=c")]),
        ("-a=b -c d", [("a", 0, "b"), ("c", 5, "d")]),
        ("-a 'b c'", [("a", 0, "'b c'")]),
    ],
)
def test_the_value_follows_an_equals_sign_or_is_the_next_word(
    line: str, expected: list[tuple[str, int, str]]
) -> None:
    assert parse(line) == (expected, [])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "a=b",
            "a=b at character 0 does not begin with a dash and is not an option's value",
        ),
        (
            "-a=b c",
            "c at character 5 does not begin with a dash and is not an option's value",
        ),
        ("'-a=b'", "'-a=b' at character 0 does not begin with a dash"),
        ("-", "- at character 0 has no option name"),
        ("---", "--- at character 0 has no option name"),
        ("-=b", "-=b at character 0 has no option name"),
        ("-a= b", "b at character 4 does not begin with a dash"),
    ],
)
def test_words_that_are_not_options_are_reported(line: str, message: str) -> None:
    _, faults = parse(line)
    assert faults[0].code == "OPTION_INVALID"
    assert faults[0].message.startswith(message)


def test_offsets_survive_unquoting() -> None:
    r"""The x of x=\'y\' two levels down keeps its offset in the line."""
    line = r"a -b='c -x=\'d e\''"
    _, outer = Text.of(line).split(SPACE)
    _, inner = outer.cut(len("-b=")).unquoted().split(SPACE)
    assert inner.characters == "-x='d e'"
    assert line[inner.place :].startswith("-x=")
    value = inner.cut(len("-x=")).unquoted()
    assert [line[place] for place in value.places] == list("d e")


@given(texts)
def test_quoted_words_round_trip(text: str) -> None:
    written = quote_word(text)
    assert parts(f"a {written} b", SPACE) == ["a", written, "b"]
    assert unquoted(written) == text


@given(st.lists(texts, max_size=4))
def test_quoted_lists_round_trip(items: list[str]) -> None:
    written = quote_word(quote_list(items))
    (result,) = Text.of(written).split(SPACE)
    assert [item.unquoted().characters for item in result.unquoted().split(COMMA)] == items


@given(texts, st.integers(1, 5))
def test_nested_quotes_round_trip(text: str, levels: int) -> None:
    written = text
    for _ in range(levels):
        written = quote_word(f"c -host={quote_word(written)}")
    for _ in range(levels):
        (result,) = parts(written, SPACE)
        _, option = parts(unquoted(result), SPACE)
        written = unquoted(option.removeprefix("-host="))
    assert written == text


@given(texts)
def test_any_text_is_parsed_or_unreadable(text: str) -> None:
    with suppress(Unreadable):
        result = Text.of(text).split(SPACE)
        for part in (*result, *(item.unquoted() for item in result)):
            assert "".join(text[place] for place in part.places) == part.characters


@pytest.mark.parametrize("bare", ["a", "-a=b", "+neon", "a/b:c@1", "{}"])
def test_a_word_without_special_characters_is_bare(bare: str) -> None:
    assert quote_word(bare) == bare
    assert quote_list([bare, bare]) == f"{bare},{bare}"


def test_lists_without_items_and_with_commas_round_trip() -> None:
    assert quote_list([]) == ","
    assert quote_word(quote_list(["a,b"])) == r"'\'a,b\''"


NAMES = {"llvm", "cuda", "c", "cmsis-nn"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("llvm", ["llvm"]),
        ("cuda, llvm", ["cuda", " llvm"]),
        ("cuda,llvm,c", ["cuda", "llvm", "c"]),
        ("cmsis-nn,c", ["cmsis-nn", "c"]),
        # The examples of TVM's own driver for command lines.
        ("foo -opt1=value1 --flag, bar -opt2=value2", ["foo -opt1=value1 --flag", " bar -opt2=value2"]),
        ("foo -opt1=+value1 --flag, bar -opt2=test,+v", ["foo -opt1=+value1 --flag", " bar -opt2=test,+v"]),
        ("foo -opt1=v,a,l,u,e,1 --flag", ["foo -opt1=v,a,l,u,e,1 --flag"]),
        ("foo -opt1='v, a, l, u, e', bar", ["foo -opt1='v, a, l, u, e'", " bar"]),
        ('foo -opt1="v, a, l, u, e", bar', ["foo -opt1='v, a, l, u, e'", " bar"]),
        ("foo-bar1 -opt-1=t-e-s-t, baz", ["foo-bar1 -opt-1=t-e-s-t", " baz"]),
        ("foo -option1=+v1.0x,+value,+bar", ["foo -option1=+v1.0x,+value,+bar"]),
        # A comma before an option or at the end belongs to the value.
        ("llvm -keys=, -mcpu=x", ["llvm -keys=, -mcpu=x"]),
        ("llvm -mattr=+a,", ["llvm -mattr=+a,"]),
        ("llvm -mattr +a,+b", ["llvm -mattr +a,+b"]),
        ("llvm -mattr +a,+b, c", ["llvm -mattr +a,+b", " c"]),
        ("cuda -system-lib,llvm", ["cuda -system-lib", "llvm"]),
        (r"llvm -mcpu=a\,b", [r"llvm -mcpu=a\,b"]),
        ('cuda -host={"kind":"c","tag":""}', ['cuda -host={"kind":"c","tag":""}']),
        # A tag can hold a comma.
        ("nvidia/ddr3,128bit", ["nvidia/ddr3,128bit"]),
        ("nvidia/ddr3,128bit, llvm", ["nvidia/ddr3,128bit", " llvm"]),
        ("nvidia/a,llvm", ["nvidia/a", "llvm"]),
    ],
)  # fmt: skip
def test_a_line_splits_at_the_commas_between_targets(line: str, expected: list[str]) -> None:
    parts = split_targets(Text.of_shell_line(line), NAMES.__contains__)
    assert [part.characters for part in parts] == expected
    assert all(part.line == line for part in parts)


@given(st.text("ab' ,\\=-/", max_size=20))
def test_splitting_into_targets_only_removes_commas(line: str) -> None:
    parts = split_targets(Text.of(line), NAMES.__contains__)
    assert ",".join(part.characters for part in parts) == line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a\tb\n c", "a b  c"),
        ('llvm -mcpu="x"', "llvm -mcpu='x'"),
        ('llvm -model="a b", c', "llvm -model='a b', c"),
        ('cuda -host={"kind":"c"}', 'cuda -host={"kind":"c"}'),
        ("llvm -model='a \"b\"'", "llvm -model='a \"b\"'"),
    ],
)
def test_white_space_and_double_quotes_of_a_shell_are_read(line: str, expected: str) -> None:
    assert Text.of_shell_line(line).characters == expected
