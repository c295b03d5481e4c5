"""Functions and files mentioned in the documents exist."""

import re
from pathlib import Path

import pytest

from tests.docs import code, markdown
from tests.docs.markdown import DOCUMENTS, ROOT

DOTTED = re.compile(r"[a-z_]+(\.[A-Za-z_]+)+")
ENDINGS = {".py", ".md", ".json", ".lock", ".toml", ".txt"}
FILE = re.compile(r"(registry|tests|docs|templates|static|\.ci)/[\w./-]*")
TVM_PREFIXES = {"tir", "tirx", "tvm"}  # settings and functions of the compiler
CHECKED = [path for path in DOCUMENTS if ROOT / "docs" in path.parents]


def dotted(path: Path) -> set[str]:
    """Return the code spans of the form `module.name` that are not files."""
    spans = markdown.code_spans(path.read_text(encoding="utf-8"))
    names = {word for word in spans if DOTTED.fullmatch(word) and Path(word).suffix not in ENDINGS}
    return {word for word in names if word.partition(".")[0] not in TVM_PREFIXES}


@pytest.mark.parametrize("path", CHECKED, ids=lambda path: str(path.relative_to(ROOT)))
def test_mentioned_symbols_exist(path: Path) -> None:
    for word in dotted(path):
        stem, *names = word.split(".")
        assert any(code.has_attributes(module, names) for module in code.find_modules(stem)), word


def test_walk_throughs_mention_functions() -> None:
    assert len(dotted(ROOT / "docs/architecture.md")) > 30


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_mentioned_files_exist(path: Path) -> None:
    for word in markdown.code_spans(path.read_text(encoding="utf-8")):
        if FILE.fullmatch(word):
            assert (ROOT / word).exists(), word
