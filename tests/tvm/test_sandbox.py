"""Whatever a liar sends, TVM does nothing that an honest build does not do."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.client.publisher import Publisher
from tests.sandbox.cases import TVM
from tests.sandbox.curator import curator
from tests.sandbox.proof import THOROUGH, Sandbox, assert_harmless
from tests.sandbox.tvm_compiler import runner

TEXTS, HONEST = 100, 20  # of each liar, and honest ones to compare with
DUMPED = ["-print-after-all:bool=true", "-ir-dump-directory:string=evil.d"]


@pytest.fixture(scope="module")
def sandbox(python: str, tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    """Return TVM with honest builds recorded."""
    work, noticed = tmp_path_factory.mktemp("sandbox"), [text(), text(**{"cl-opt": DUMPED})]
    return Sandbox.prepare("tvm", runner(python), work, HONEST, noticed)


@pytest.fixture(scope="module")
def publisher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Publisher]:
    with curator(tmp_path_factory.mktemp("curator")) as running:
        yield running


def text(**options: Any) -> str:
    return json.dumps({"target": TVM | options})


def test_sandbox_notices_what_options_make_llvm_write(sandbox: Sandbox) -> None:
    plain, dumped = sandbox.others
    assert (plain.status, dumped.status) == (0, 0)
    assert sandbox.beyond(plain).is_empty
    written = sandbox.beyond(dumped).written
    assert len(written) > 100
    assert {path.rpartition("/")[0] for path in written} == {"$BUILD", "$BUILD/evil.d"}


def test_no_target_makes_tvm_do_what_an_honest_build_does_not(
    sandbox: Sandbox, publisher: Publisher, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_harmless(sandbox.try_liars(publisher, TEXTS, seed=1), capsys)


@pytest.mark.thorough
def test_nor_do_ten_thousand(
    sandbox: Sandbox, publisher: Publisher, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_harmless(sandbox.try_liars(publisher, THOROUGH, seed=1000), capsys)
