"""Docstrings of the product are sentences or nouns that a search finds, and so are its comments."""

import ast
import re
import tokenize
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest

from tests.databases import ROOT

pytestmark = pytest.mark.any_database

MIN_WORDS = 4
INDIRECT = {"What", "Who", "Whom", "Whose", "Where", "How"}  # begin a clause, not a sentence
INDIRECT_COMMENT = re.compile(rf"#[#:\s]*(?:{'|'.join(sorted(INDIRECT))})\b")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
FILES = [
    *(ROOT / name for name in ("manage.py", "sbom.py")),
    *(
        path
        for folder in ("registry", "client/ttag", "client/ttag_rules", "catalogue_tools")
        for path in (ROOT / folder).rglob("*.py")
    ),
]


def docstring_faults(source: str) -> Iterator[str]:
    """Yield the docstrings that begin indirectly or with too few words, with their lines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
            words = text.partition("\n\n")[0].split()
            if len(words) < MIN_WORDS or words[0] in INDIRECT:
                yield f"{getattr(node, 'lineno', 1)}: {text}"


def comment_faults(source: str) -> Iterator[str]:
    """Yield the comments that begin indirectly, with their lines; a block is one comment."""
    if not INDIRECT_COMMENT.search(source):
        return  # reading its tokens takes much longer
    last = -1
    for token in tokenize.tokenize(BytesIO(source.encode()).readline):
        if token.type != tokenize.COMMENT:
            continue
        line, is_alone = token.start[0], token.line.lstrip().startswith("#")
        words = token.string.lstrip("#: ").split()
        goes_on = is_alone and last == line - 1
        if words and words[0] in INDIRECT and not goes_on:
            yield f"{line}: {token.string}"
        last = line if is_alone else -1


@pytest.mark.parametrize("faults", [docstring_faults, comment_faults])
def test_texts_of_the_product_say_what_they_are_about(
    faults: Callable[[str], Iterator[str]],
) -> None:
    texts = [
        f"{path.relative_to(ROOT)}:{fault}" for path in FILES for fault in faults(path.read_text())
    ]
    assert texts == []


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ('"""What a client sees first."""', 1),
        ('def f():\n    """Too short."""', 1),
        ('class C:\n    """\n    Who may review proposals.\n\n    More of it."""', 1),
        ('"""Return the newest version."""', 0),
        ("def f(): pass", 0),
        ('"""Whatever a client sends first."""', 0),
    ],
)
def test_docstring_faults(source: str, count: int) -> None:
    assert len([*docstring_faults(source)]) == count


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("# How long it takes.\nx = 1", 1),
        ("x = 1  # Where it is", 1),
        ("# It knows\n# How long it takes.", 0),
        ("x = 1  # seconds\n# What it is.", 1),
        ("x = '# What it is.'", 0),
    ],
)
def test_comment_faults(source: str, count: int) -> None:
    assert len([*comment_faults(source)]) == count
