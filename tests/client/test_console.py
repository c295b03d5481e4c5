"""The output of the console on different kinds of terminals."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.databases import ROOT
from ttag.cli.console import BOLD, PLAIN, RED, Console


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def console(**environment: str) -> Console:
    return Console(Terminal(), Terminal(), environment)


def written(stream: object) -> str:
    assert isinstance(stream, io.StringIO)
    return stream.getvalue()


def test_terminal_gets_styles() -> None:
    assert console().styled(BOLD, "title") == f"{BOLD}title{PLAIN}"


@pytest.mark.parametrize("variable", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_styles_can_be_turned_off(variable: dict[str, str]) -> None:
    assert console(**variable).styled(BOLD, "title") == "title"


def test_line_keeps_styles_and_loses_controls() -> None:
    terminal = console()
    terminal.line(terminal.styled(RED, "a\x1b[2Jb") + "\x9bc\td")
    assert written(terminal.out) == f"{RED}a\\u001b[2Jb{PLAIN}\\u009bc d\n"


@pytest.mark.parametrize(
    "character",
    [
        *("\x00", "\x1b", "\x7f", "\x9b", "\xad", "\u061c", "\u200b", "\u200e", "\u200f", "\u2028"),
        *("\u202e", "\u2060", "\u2066", "\ufeff", "\ud800", "\U000e0041"),
    ],
)
def test_characters_that_show_nothing_are_escaped(character: str) -> None:
    terminal = console()
    terminal.line(f"a{character}b")
    line = written(terminal.out)
    assert line.isascii()
    assert json.loads(f'"{line.strip()}"') == f"a{character}b"
    terminal.value(character)
    assert json.loads(written(terminal.out).removeprefix(line)) == character
    assert written(terminal.out).isascii()


@pytest.mark.parametrize("character", ["é", "漢", "\u05d0", "\U0001f600", "~", "\xa0"])
def test_other_characters_stay(character: str) -> None:
    terminal = console()
    terminal.line(character)
    terminal.value(character)
    assert written(terminal.out) == f'{character}\n"{character}"\n'


def test_messages_lose_controls() -> None:
    terminal = console()
    terminal.error("a\x1b[2Jb")
    terminal.note("c\x07d")
    assert written(terminal.err) == f"{RED}error: {PLAIN}a\\u001b[2Jb\nc\\u0007d\n"
    assert "\x1b[2J" not in written(terminal.err)


def test_warning_is_written_once() -> None:
    terminal = console(NO_COLOR="1")
    for sentence in ("a is away.", "a is away.", "b is away."):
        terminal.warn(sentence)
    assert written(terminal.err) == "warning: a is away.\nwarning: b is away.\n"


def test_progress_is_removed_before_a_result() -> None:
    terminal = console()
    terminal.progress("Searching")
    terminal.line("found")
    assert written(terminal.err).endswith("\r\x1b[K")


def test_progress_is_shown_on_terminals_only() -> None:
    stream = io.StringIO()
    Console(stream, stream, {}).progress("Searching")
    assert stream.getvalue() == ""


def test_width_is_that_of_the_terminal() -> None:
    assert console(COLUMNS="50").width == 50
    assert Console(io.StringIO(), io.StringIO(), {"COLUMNS": "50"}).width is None


def test_ascii_terminal_gets_escapes_in_lines_and_exact_bytes_in_results(tmp_path: Path) -> None:
    code = (
        "from ttag.cli.console import Console\n"
        "console = Console.standard({})\n"
        "console.line('Böard')\n"
        "console.text('é')\n"
        "console.line('end')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT / "client"), "PYTHONIOENCODING": "ascii"},
    )
    assert done.stdout == b"B\\xf6ard\n\xc3\xa9end\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_a_disk_takes_a_part_of_is_an_error(tmp_path: Path, unbuffered: str) -> None:
    code = (
        "from resource import RLIMIT_FSIZE, setrlimit\n"
        "from ttag.cli.console import Console\n"
        "setrlimit(RLIMIT_FSIZE, (4, 4))\n"
        "console = Console.standard({})\n"
        "console.text('a text of more')\n"
        "console.flush()\n"
    )
    environment = {"PYTHONPATH": str(ROOT / "client"), "PYTHONUNBUFFERED": unbuffered}
    with (tmp_path / "file").open("wb") as file:
        done = subprocess.run(
            [sys.executable, "-c", code],
            check=False,
            cwd=tmp_path,
            env=environment,
            stdout=file,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 1
    assert b"FileError: Standard output cannot be written: File too large." in done.stderr
