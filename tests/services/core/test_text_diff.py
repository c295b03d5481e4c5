"""Differences between two texts, line by line."""

from registry.services.core.text_diff import DiffLine, diff_lines


def test_lines_keep_everything_but_their_sign() -> None:
    assert list(diff_lines("same @\n@ old @", "same @\n @new @")) == [
        DiffLine("@", "-1,2 +1,2"),
        DiffLine(" ", "same @"),
        DiffLine("-", "@ old @"),
        DiffLine("+", " @new @"),
    ]


def test_equal_texts_have_no_lines() -> None:
    assert list(diff_lines("a\nb", "a\nb\n")) == []
