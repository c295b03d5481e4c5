from pathlib import Path

import pytest

from tests.mutation.mutants import ROOMS, Mutant, apply, read_mutants, scope_of

SOURCE = """\
LIMIT = 1


class Reader:
    @property
    def size(self):
        if self.text:
            return 1
        return 0


def size(text):
    if text:
        return 1
    return 0
"""


def mutant(scope: str, before: str, after: str, *, line: int = 1) -> Mutant:
    return Mutant("registry/domain/a.py", line, scope, "NumberReplacer", before, after)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a checkout with one module."""
    for room in ROOMS:
        (tmp_path / room).mkdir(parents=True)
    (tmp_path / "registry/domain/a.py").write_text(SOURCE)
    return tmp_path


def mutated(mutant: Mutant, root: Path) -> str | None:
    result = apply(mutant, root)
    return result[1] if result else None


def test_line_is_changed_in_its_function(root: Path) -> None:
    expected = SOURCE[: SOURCE.index("def size(text)")] + SOURCE[
        SOURCE.index("def size(text)") :
    ].replace("return 1", "return 2")
    change = mutant("size", "        return 1", "        return 2", line=14)
    assert mutated(change, root) == expected


def test_line_is_changed_in_its_method(root: Path) -> None:
    change = mutant("Reader.size", "            return 1", "            return 2", line=8)
    assert mutated(change, root) == SOURCE.replace("return 1", "return 2", 1)


def test_closest_of_equal_lines_is_changed(root: Path) -> None:
    path = root / "registry/domain/a.py"
    path.write_text("def f():\n    g(0)\n    h()\n    g(0)\n")
    assert mutated(mutant("f", "    g(0)", "    g(1)", line=4), root) == (
        "def f():\n    g(0)\n    h()\n    g(1)\n"
    )


def test_line_of_a_module_is_changed(root: Path) -> None:
    assert mutated(mutant("", "LIMIT = 1", "LIMIT = 2"), root) == SOURCE.replace("T = 1", "T = 2")


def test_several_lines_are_changed_whatever_their_indent(root: Path) -> None:
    before = "@property\ndef size(self):"
    change = mutant("Reader.size", before, "def size(self):", line=5)
    assert mutated(change, root) == SOURCE.replace("    @property\n", "")


def test_removed_decorator_leaves_its_function(root: Path) -> None:
    change = mutant("Reader.size", "    @property", "", line=5)
    assert mutated(change, root) == SOURCE.replace("    @property\n", "")


def test_code_is_found_in_the_file_that_it_has_moved_to(root: Path) -> None:
    (root / "registry/domain/a.py").rename(root / "registry/services/b.py")
    result = apply(mutant("size", "return 1", "return 2"), root)
    assert result
    assert result[0] == root / "registry/services/b.py"


@pytest.mark.parametrize(
    ("scope", "before"), [("size", "        return 3"), ("other", "        return 1")]
)
def test_code_that_is_gone_is_not_replaced_by_other_code(
    root: Path, scope: str, before: str
) -> None:
    assert apply(mutant(scope, before, "pass"), root) is None


def test_code_that_may_have_moved_to_two_files_is_gone(root: Path) -> None:
    (root / "registry/domain/a.py").rename(root / "registry/services/b.py")
    (root / "registry/http/c.py").write_text(SOURCE)
    assert apply(mutant("size", "return 1", "return 2"), root) is None


@pytest.mark.parametrize(
    ("line", "scope"), [(1, ""), (4, "Reader"), (5, "Reader.size"), (14, "size")]
)
def test_scope_of_a_line(line: int, scope: str) -> None:
    assert scope_of(SOURCE, line) == scope


def test_listed_mutants_are_600_different_changes() -> None:
    mutants = read_mutants()
    assert len({*mutants}) == len(mutants) == 600
    assert all(mutant.before != mutant.after for mutant in mutants)
    assert {mutant.file.rpartition("/")[0].partition("/")[0] for mutant in mutants} == {
        "client",
        "registry",
    }
