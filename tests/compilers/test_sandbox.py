"""Whatever a liar sends, clang, CMake and IREE do nothing that an honest build does not do."""

import os
from collections.abc import Iterator

import pytest

from tests.client.publisher import Publisher
from tests.sandbox import cases
from tests.sandbox.compilers import COMPILERS, Compiler
from tests.sandbox.curator import curator
from tests.sandbox.proof import THOROUGH, Sandbox, assert_harmless, runner

# Texts of each liar for each compiler, and how many honest texts are built to compare with. With
# --thorough, another test tries ten thousand.
SIZES = {"clang": (40, 20), "cmake": (40, 20), "iree": (30, 5)}
HONEST = {"clang": cases.CLANG, "cmake": cases.CMAKE, "iree": cases.IREE}


# IREE takes ten times as long as the others.
PARAMS = [
    pytest.param(each, id=each.name, marks=pytest.mark.system if each.form == "iree" else ())
    for each in COMPILERS
]


@pytest.fixture(scope="module", params=PARAMS)
def compiler(request: pytest.FixtureRequest) -> Compiler:
    chosen: Compiler = request.param
    return chosen


@pytest.fixture(scope="module")
def sandbox(compiler: Compiler, tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    """Return a compiler with honest builds recorded."""
    work = tmp_path_factory.mktemp(compiler.form)
    honest, form = HONEST[compiler.form], compiler.form
    texts = [honest, *(f"{honest}\n{words}" for words, _, _ in cases.NOTICED[form])]
    return Sandbox.prepare(form, runner(compiler), work, SIZES[form][1], texts)


@pytest.fixture(scope="module")
def publisher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Publisher]:
    with curator(tmp_path_factory.mktemp("curator")) as running:
        yield running


def test_sandbox_notices_what_texts_make_compilers_do(sandbox: Sandbox) -> None:
    plain, *records = sandbox.others
    assert plain.status == 0
    assert sandbox.beyond(plain).is_empty
    for (words, act, path), record in zip(cases.NOTICED[sandbox.form], records, strict=True):
        paths = getattr(sandbox.beyond(record), act)
        assert path in (paths if act != "started" else map(os.path.basename, paths)), words


def test_no_text_makes_a_compiler_do_what_an_honest_build_does_not(
    sandbox: Sandbox, publisher: Publisher, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = sandbox.try_liars(publisher, SIZES[sandbox.form][0], seed=1)
    assert_harmless(rows, capsys)


@pytest.mark.thorough
def test_nor_do_ten_thousand(
    sandbox: Sandbox, publisher: Publisher, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_harmless(sandbox.try_liars(publisher, THOROUGH, seed=1000), capsys)
