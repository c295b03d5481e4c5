"""What an attacker would write: dangerous values, and every option that the compilers have."""

import re
import subprocess
from collections.abc import Sequence
from functools import cache
from typing import Any

from tests.compilers import tools
from tests.sandbox.compilers import iree_compile

# Values for any place: paths, response files, spaces, quoting of shells, of CMake and of LLVM.
VALUES = (
    "x86_64-a/evil-linux-gnu",
    "../evil-linux-gnu",
    "/evil",
    "evil.cfg",
    "./evil.so",
    "@evil.txt",
    "-",
    "-fplugin=./evil.so",
    "haswell -fplugin=./evil.so",
    "haswell\n-fplugin=./evil.so",
    "haswell\t--config=evil.cfg",
    "haswell\r\n@evil.txt",
    "native",
    "help",
    "host",
    "$(touch evil)",
    "`touch evil`",
    "$HOME",
    "${CMAKE_COMMAND}",
    "$ENV{HOME}",
    "$<TARGET_FILE:evil>",
    "a;b",
    "a,b",
    "a:b",
    "a=b",
    'a"b',
    "a'b",
    "a\\b",
    "[[evil]]",
    "#[[evil]]",
    'a")\nfile(WRITE evil.out "")\n#',
    "\x1b[2J",
    "a\0b",
    "a\x7fb",
    "\u202eevil",
    "é",
    "x" * 300,
    "",
)
ARGUMENTS = ("evil.txt", "./evil.so", "evil.mlir", "evil.out", "-", "evil", "1", "true", "")
CMAKE_ARGUMENTS = (
    'WRITE evil.out "x"',
    "COMMAND touch evil",
    "evil.cmake",
    "evil",
    'evil "${CMAKE_COMMAND}"',
    "EVIL 1 CACHE INTERNAL evil FORCE",
    "CODE [[file(WRITE evil.out x)]]",
    "",
)
CMAKE_VARIABLES = (
    *("CMAKE_PROJECT_INCLUDE", "CMAKE_C_COMPILER", "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_LINKER"),
    *("CMAKE_MODULE_PATH", "CMAKE_PREFIX_PATH", "CMAKE_SYSROOT", "CMAKE_MAKE_PROGRAM"),
    *("CMAKE_RULE_LAUNCH_COMPILE", "CMAKE_C_FLAGS_INIT", "CMAKE_EXE_LINKER_FLAGS_INIT"),
)
TYPED = ("bool=true", "int=1", "uint=1", "string=evil")
OPTION = re.compile(r"^ {2,6}(-{1,2}[A-Za-z][\w.+-]*)(=?)", re.MULTILINE)
# Of LLVM, as `cl-opt` of TVM writes them; among its own options, these act for certain.
ACTING = (
    ("-print-after-all:bool=true", "-ir-dump-directory:string=evil"),
    ("-print-before-all:bool=true", "-filter-print-funcs:string=evil"),
    ("-info-output-file:string=evil.out", "-stats:bool=true"),
    ("-load:string=./evil.so",),
    ("-time-passes:bool=true",),
    ("-pass-remarks-output:string=evil.out",),
    ("-opt-bisect-limit:int=1",),
    ("-debug-counter:string=evil",),
)


@cache
def clang_options() -> tuple[str, ...]:
    """Return all options of clang, with `=` where a value follows it."""
    return _options(tools.run(tools.clang(), "--help-hidden"))


@cache
def llvm_options() -> tuple[str, ...]:
    """Return all options of LLVM's own command line."""
    arguments = ("-mllvm", "-help-list-hidden", "-c", "-x", "c", "/dev/null", "-o", "/dev/null")
    return _options(tools.run(tools.clang(), *arguments))


@cache
def iree_options() -> tuple[str, ...]:
    """Return all options of iree-compile."""
    command = [iree_compile(), "--help-list-hidden"]
    return _options(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@cache
def cmake_commands() -> tuple[str, ...]:
    """Return all commands of CMake."""
    return tuple(tools.run(tools.tool("cmake"), "--help-command-list").split())


@cache
def cl_options() -> tuple[tuple[str, ...], ...]:
    """Return values of `cl-opt`: LLVM's options with values of each type; a third acts."""
    names = [name.rstrip("=") for name in llvm_options()]
    listed = [(f"{name}:{value}",) for name in names for value in TYPED]
    return (*listed, *ACTING * (len(listed) // 2 // len(ACTING)))


def _options(text: str) -> tuple[str, ...]:
    options = tuple(dict.fromkeys(name + equals for name, equals in OPTION.findall(text)))
    assert len(options) > 100, "the help has another form"
    return options


def strings_in(value: Any, pointer: Sequence[str | int] = ()) -> list[tuple[str | int, ...]]:
    """Return the paths of all strings in JSON that a compiler might read."""
    if isinstance(value, str):
        return [tuple(pointer)]
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    return [
        path
        for key, item in items
        if key != "hardware"
        for path in strings_in(item, (*pointer, key))
    ]


def get(value: Any, path: Sequence[str | int]) -> Any:
    """Return the value at a path."""
    for key in path:
        value = value[key]
    return value


def put(value: Any, path: Sequence[str | int], item: Any) -> None:
    """Replace the value at a path."""
    get(value, path[:-1])[path[-1]] = item
