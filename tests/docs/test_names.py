"""Functions and files that the documents name are there."""

import re
from pathlib import Path

import pytest

from tests.docs import code, markdown
from tests.docs.markdown import DOCUMENTS, ROOT

DOTTED = re.compile(r"[a-z_]+(\.[A-Za-z_]+)+")
ENDINGS = {".py", ".md", ".json", ".toml", ".txt"}
FILE = re.compile(r"(registry|tests|docs|templates|static|\.ci)/[\w./-]*")
OF_TVM = {"tir", "tirx", "tvm"}  # settings and functions of the compiler's own
OURS = [path for path in DOCUMENTS if ROOT / "docs" in path.parents]


def dotted(path: Path) -> set[str]:
    """What looks like `module.name` and is no file."""
    words = markdown.words(path.read_text(encoding="utf-8"))
    names = {word for word in words if DOTTED.fullmatch(word) and Path(word).suffix not in ENDINGS}
    return {word for word in names if word.partition(".")[0] not in OF_TVM}


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(ROOT)))
def test_functions_are_where_they_are_said_to_be(path: Path) -> None:
    for word in dotted(path):
        stem, *names = word.split(".")
        assert any(code.reaches(module, names) for module in code.modules(stem)), word


def test_the_walk_throughs_name_functions() -> None:
    assert len(dotted(ROOT / "docs/architecture.md")) > 30


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_exist(path: Path) -> None:
    for word in markdown.words(path.read_text(encoding="utf-8")):
        if FILE.fullmatch(word):
            assert (ROOT / word).exists(), word
