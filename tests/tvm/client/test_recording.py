"""References and digests on functions, modules and libraries, and builds from them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving import send_request
from tests.tvm.client.conftest import WORKER
from tests.tvm.client.test_building import ROUNDING
from tests.tvm.compiler import Compiler, compiler

PLACES = {"first": "acme/two#/devices/base", "second": "acme/two@1#/devices/newer"}
EXACT = {
    "": "acme/two@1.0.0",
    "first": "acme/two@1.0.0#/devices/base",
    "second": "acme/two@1.0.0#/devices/newer",
}


@pytest.fixture(scope="module")
def saved(builder: Compiler, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved module with two functions for two targets."""
    path = tmp_path_factory.mktemp("module") / "module.json"
    builder.call("save", model="kernels", places=PLACES, path=str(path), ref="acme/two")
    return path


@pytest.fixture
def later(python: str, tmp_path: Path) -> Iterator[Compiler]:
    """Yield another process, which knows no registry."""
    with compiler(python, tmp_path / "log", WORKER) as started:
        yield started


def test_saved_module_is_built_by_another_process_without_a_registry(
    saved: Path, later: Compiler, tmp_path: Path
) -> None:
    path = str(tmp_path / "library.so")
    built = later.call("build_saved", path=str(saved), library=path)
    assert (built["cpus"]["first"], built["cpus"]["second"]) == ("x86-64", "x86-64-v2")
    assert max(later.call("run_library", path=path, model="kernels").values()) < ROUNDING
    references = {name: reference for name, (reference, _) in built["recorded"].items()}
    assert references == EXACT
    assert built["origins"] == built["recorded"] == later.call("read_library", path=path)


def test_recorded_digest_is_that_of_the_registry(
    saved: Path, later: Compiler, address: str, tmp_path: Path
) -> None:
    path = str(tmp_path / "library.so")
    recorded = later.call("build_saved", path=str(saved), library=path)["recorded"]
    for reference, digest in recorded.values():
        name, _, pointer = reference.partition("#")
        node = f"?node={pointer}" if pointer else ""
        port = int(address.rpartition(":")[2])
        answer = send_request(port, "GET", f"/api/v1/resolve/{name}{node}")
        assert json.loads(answer.body)["digest"] == digest


@pytest.mark.parametrize("reference", ["acme/vm", "acme/aot"])
def test_library_of_a_relax_module_records_its_target(
    builder: Compiler, tmp_path: Path, reference: str
) -> None:
    path = str(tmp_path / "library.so")
    builder.call("build", model="dense", ref=reference, library=path)
    (recorded,) = builder.call("read_library", path=path).values()
    assert recorded[0] == f"{reference}@1.0.0"
