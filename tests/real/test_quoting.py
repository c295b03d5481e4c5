"""Words that would do something, did a shell or CMake expand them, arrive as they are.

No schema lets most of them into a target: this is what stands behind the schemas.
"""

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from registry.domain.exporting import Subject
from registry.domain.formats import clang, cmake
from registry.domain.toolchains.clang_flags import clang_flags
from registry.domain.toolchains.flags import shell_line
from tests.domain.builders import KINDS
from tests.real import tools

WORDS = [
    "a@b:c=d,e.f+g/h",  # all that schemas let in
    "two words",
    " ",
    "tab\there",
    "line\nbreak",
    "carriage\rreturn",
    "\r\n",
    "'",
    '"',
    "''",
    'a"b\'c"d',
    "back\\slash",
    "ends with \\",
    "\\\n",
    "\\n",
    "$(touch broken)",
    "`touch broken`",
    "; touch broken",
    "&& touch broken",
    "| tee broken",
    "> broken",
    "$HOME",
    "${HOME}",
    "$ENV{HOME}",
    "${ENV}",
    "@HOME@",
    "@file",
    "*",
    "~",
    "!x",
    "#x",
    "a;b",
    ";;",
    "]]",
    "]=]",
    "[[x]]",
    '")\nfile(TOUCH broken)\nset(x "',
    "]==])\nfile(TOUCH broken)\n#",
    "\n#[[",
    "{a,b}",
    "%PATH%",
    "ü€𝄞",
]
SET = ("CMAKE_C_COMPILER_TARGET", "CMAKE_C_FLAGS_INIT", "CMAKE_CUDA_ARCHITECTURES")
SCRIPT = "include(toolchain.cmake)\n" + "".join(
    f'file(WRITE {name} "${{{name}}}")\n' for name in SET
)
MADE = {"flags", "script.cmake", "toolchain.cmake", *SET}

any_word = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=20
) | st.text("'\"\\$(){}[]=;@#\n` ab", min_size=1, max_size=20)
in_few = settings(max_examples=25, deadline=None)  # every example starts a program


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where programs run; whatever else they make there was made by a word."""
    place = tmp_path_factory.mktemp("words")
    yield place
    assert {path.name for path in place.iterdir()} <= MADE


def of_words(word: str, others: list[str]) -> Subject:
    """A target that no schema accepts: a word stands wherever text can stand."""
    host = {
        "kind": "llvm",
        "mtriple": f"x86_64-linux-gnu{word}",
        "mcpu": word,
        "mabi": word,
        "mattr": [word, *others],
    }
    target = {"kind": "cuda", "arch": f"sm_{word}", "host": host}
    return Subject(f"acme/board@1.0.0{word}", target, KINDS)


def test_a_shell_takes_the_words_as_they_are(folder: Path) -> None:
    assert shelled(shell_line(WORDS), folder) == WORDS


@in_few
@given(words=st.lists(any_word, min_size=1))  # printf prints one empty word of none
def test_a_shell_takes_any_words_as_they_are(words: list[str], folder: Path) -> None:
    assert shelled(shell_line(words), folder) == words


@pytest.mark.parametrize("word", WORDS)
def test_flags_for_clang_can_be_pasted(word: str, folder: Path) -> None:
    subject = of_words(word, WORDS)
    flags = clang_flags(subject)
    words = [f"--target={flags.triple}", *flags.words]
    assert shelled(clang.FORMAT.write(subject).text.removesuffix("\n"), folder) == words


def shelled(text: str, folder: Path) -> list[str]:
    """The words that a shell makes of a line."""
    done = subprocess.run(
        ["sh", "-c", f"printf '%s\\0' {text}"], cwd=folder, capture_output=True, check=True
    )
    return done.stdout.decode().split("\0")[:-1]


def test_a_response_file_holds_the_words_as_they_are(folder: Path) -> None:
    assert responded(WORDS, folder) == WORDS


@in_few
@given(words=st.lists(any_word))
def test_a_response_file_holds_any_words_as_they_are(words: list[str], folder: Path) -> None:
    assert responded(words, folder) == words


def responded(words: list[str], folder: Path) -> list[str]:
    """The words that clang reads in a response file, as macros that it is to define."""
    (folder / "flags").write_text(shell_line(f"-DX={word}" for word in words) + "\n", newline="")
    done = subprocess.run(
        [tools.clang(), "@flags", "-###", "-x", "c", "-E", "/dev/null"],
        cwd=folder,
        capture_output=True,
        check=True,
    )
    printed = re.findall(r'"-D" "X=((?:[^"\\]|\\.)*)"', done.stderr.decode(), re.DOTALL)
    return [re.sub(r"\\(.)", r"\1", word, flags=re.DOTALL) for word in printed]


@pytest.mark.parametrize("word", WORDS)
def test_cmake_takes_the_words_as_they_are(word: str, folder: Path) -> None:
    in_cmake(word, WORDS, folder)


@in_few
@given(word=any_word, words=st.lists(any_word))
def test_cmake_takes_any_words_as_they_are(word: str, words: list[str], folder: Path) -> None:
    in_cmake(word, words, folder)


def in_cmake(word: str, words: list[str], folder: Path) -> None:
    """Read a toolchain file and look at what it sets."""
    subject = of_words(word, words)
    flags = clang_flags(subject)
    (folder / "script.cmake").write_text(SCRIPT, newline="")
    (folder / "toolchain.cmake").write_text(cmake.FORMAT.write(subject).text, newline="")
    tools.run(tools.tool("cmake"), "-P", "script.cmake", cwd=folder)
    found = {name: (folder / name).read_bytes().decode() for name in SET}
    assert found["CMAKE_C_COMPILER_TARGET"] == flags.triple
    assert found["CMAKE_CUDA_ARCHITECTURES"] == word
    assert found["CMAKE_C_FLAGS_INIT"] == shell_line(flags.words)
    assert shlex.split(found["CMAKE_C_FLAGS_INIT"]) == list(flags.words)
