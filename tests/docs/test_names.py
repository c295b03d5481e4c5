"""Functions and files mentioned in the documents exist."""

import re
from pathlib import Path

import pytest

from tests.docs import code, markdown
from tests.docs.markdown import DOCUMENTS, ROOT

DOTTED = re.compile(r"[a-z_]+(\.[A-Za-z_]+)+")
DOTALL = re.MULTILINE | re.DOTALL
ENDINGS = {".py", ".md", ".json", ".lock", ".toml", ".txt"}
FILE = re.compile(r"(registry|tests|docs|templates|static|\.ci)/[\w./-]*")
TVM_PREFIXES = {"tir", "tirx", "tvm"}  # settings and functions of the compiler
CHECKED = [
    path for path in DOCUMENTS if {ROOT / "docs", ROOT / "CONTRIBUTING.md"} & {path, *path.parents}
]


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


def test_walk_throughs_mention_functions_where_they_are_defined() -> None:
    """Whoever searches for the name finds the file."""
    names = dotted(ROOT / "docs/architecture.md")
    assert len(names) > 30
    for word in names:
        stem, *attributes = word.split(".")
        owners = [m for m in code.find_modules(stem) if code.has_attributes(m, attributes)]
        assert any(code.defines(module, attributes[0]) for module in owners), word


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_mentioned_files_exist(path: Path) -> None:
    for word in markdown.code_spans(path.read_text(encoding="utf-8")):
        if FILE.fullmatch(word):
            assert (ROOT / word).exists(), word


def test_files_of_the_catalogue_are_listed() -> None:
    text = (ROOT / "registry/catalogue/README.md").read_text().partition("\n## ")[0]
    listed = {line.split()[0].partition("/")[0] for line in text.splitlines() if line[:4] == "    "}
    assert listed == {path.name for path in (ROOT / "registry/catalogue").iterdir()} - {"README.md"}


def test_packages_that_tests_need_are_listed() -> None:
    packages = re.search(r"^declare -A packages=\((.*?)^\)", (ROOT / ".ci/run").read_text(), DOTALL)
    assert packages
    needed = set(re.findall(r"\]=([\w-]+)", packages[1]))
    setup = markdown.section("CONTRIBUTING.md", "Set up").text
    assert needed <= set(markdown.code_spans(setup))
