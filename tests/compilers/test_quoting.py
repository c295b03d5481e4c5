"""Words with a special meaning for shells or CMake are passed on unchanged.

Schemas reject most of them; quoting is the second line of defence.
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
from tests.compilers import tools
from tests.domain.builders import KINDS

WORDS = [
    "a@b:c=d,e.f+g/h",  # everything that schemas allow
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
EXPECTED_FILES = {"flags", "script.cmake", "toolchain.cmake", *SET}

any_word = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=20
) | st.text("'\"\\$(){}[]=;@#\n` ab", min_size=1, max_size=20)
few_examples = settings(max_examples=25, deadline=None)  # each example starts a program


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield the working folder; an unexpected file in it means that a word was executed."""
    path = tmp_path_factory.mktemp("words")
    yield path
    assert {file.name for file in path.iterdir()} <= EXPECTED_FILES


def hostile_target(word: str, others: list[str]) -> Subject:
    """Return a target that no schema accepts, with the word wherever text is possible."""
    host = {
        "kind": "llvm",
        "mtriple": f"x86_64-linux-gnu{word}",
        "mcpu": word,
        "mabi": word,
        "mattr": [word, *others],
    }
    target = {"kind": "cuda", "arch": f"sm_{word}", "host": host}
    return Subject(f"acme/board@1.0.0{word}", target, KINDS)


def test_shell_passes_words_unchanged(folder: Path) -> None:
    assert shell_words(shell_line(WORDS), folder) == WORDS


@few_examples
@given(words=st.lists(any_word, min_size=1))  # printf without words prints an empty one
def test_shell_passes_any_words_unchanged(words: list[str], folder: Path) -> None:
    assert shell_words(shell_line(words), folder) == words


@pytest.mark.parametrize("word", WORDS)
def test_flags_for_clang_can_be_pasted(word: str, folder: Path) -> None:
    subject = hostile_target(word, WORDS)
    flags = clang_flags(subject)
    words = [f"--target={flags.triple}", *flags.words]
    assert shell_words(clang.FORMAT.write(subject).text.removesuffix("\n"), folder) == words


def shell_words(text: str, folder: Path) -> list[str]:
    """Return the words into which a shell splits a line."""
    result = subprocess.run(
        ["sh", "-c", f"printf '%s\\0' {text}"], cwd=folder, capture_output=True, check=True
    )
    return result.stdout.decode().split("\0")[:-1]


def test_response_file_keeps_words_unchanged(folder: Path) -> None:
    assert response_file_words(WORDS, folder) == WORDS


@few_examples
@given(words=st.lists(any_word))
def test_response_file_keeps_any_words_unchanged(words: list[str], folder: Path) -> None:
    assert response_file_words(words, folder) == words


def response_file_words(words: list[str], folder: Path) -> list[str]:
    """Return the words that clang reads from a response file, passed as macro definitions."""
    (folder / "flags").write_text(shell_line(f"-DX={word}" for word in words) + "\n", newline="")
    result = subprocess.run(
        [tools.clang(), "@flags", "-###", "-x", "c", "-E", "/dev/null"],
        cwd=folder,
        capture_output=True,
        check=True,
    )
    printed = re.findall(r'"-D" "X=((?:[^"\\]|\\.)*)"', result.stderr.decode(), re.DOTALL)
    return [re.sub(r"\\(.)", r"\1", word, flags=re.DOTALL) for word in printed]


@pytest.mark.parametrize("word", WORDS)
def test_cmake_keeps_words_unchanged(word: str, folder: Path) -> None:
    assert_unchanged_in_cmake(word, WORDS, folder)


@few_examples
@given(word=any_word, words=st.lists(any_word))
def test_cmake_keeps_any_words_unchanged(word: str, words: list[str], folder: Path) -> None:
    assert_unchanged_in_cmake(word, words, folder)


def assert_unchanged_in_cmake(word: str, words: list[str], folder: Path) -> None:
    """Read a toolchain file with CMake and check the variables that it sets."""
    subject = hostile_target(word, words)
    flags = clang_flags(subject)
    (folder / "script.cmake").write_text(SCRIPT, newline="")
    (folder / "toolchain.cmake").write_text(cmake.FORMAT.write(subject).text, newline="")
    tools.run(tools.tool("cmake"), "-P", "script.cmake", cwd=folder)
    variables = {name: (folder / name).read_bytes().decode() for name in SET}
    assert variables["CMAKE_C_COMPILER_TARGET"] == flags.triple
    assert variables["CMAKE_CUDA_ARCHITECTURES"] == word
    assert variables["CMAKE_C_FLAGS_INIT"] == shell_line(flags.words)
    assert shlex.split(variables["CMAKE_C_FLAGS_INIT"]) == list(flags.words)
