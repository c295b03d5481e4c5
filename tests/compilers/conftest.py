"""LLVM's own function that normalizes triples."""

import ctypes
from collections.abc import Callable
from pathlib import Path

import pytest

NAMES = ("libLLVM.so.22.1", "libLLVM-22.so.1", "libLLVM-22.so")
FOLDERS = (Path("/usr/lib/llvm-22/lib"), Path("/usr/lib/x86_64-linux-gnu"), Path("/usr/lib64"))

Normalizer = Callable[[str], str]


@pytest.fixture(scope="session")
def llvm() -> Normalizer:
    """LLVM's own function. Skips the test if LLVM 22 is not installed."""
    library = load_library()
    function, dispose = library.LLVMNormalizeTargetTriple, library.LLVMDisposeMessage
    function.argtypes, function.restype = [ctypes.c_char_p], ctypes.c_void_p
    dispose.argtypes, dispose.restype = [ctypes.c_void_p], None

    def call(text: str) -> str:
        pointer = function(text.encode())
        try:
            return ctypes.string_at(pointer).decode()
        finally:
            dispose(pointer)

    return call


def load_library() -> ctypes.CDLL:
    """Return the library of LLVM 22, or skip the test."""
    for path in (*NAMES, *(str(folder / name) for folder in FOLDERS for name in NAMES)):
        try:
            return ctypes.CDLL(path)
        except OSError:
            continue
    pytest.skip("not installed: libLLVM of LLVM 22")
