"""Code compiled for a target that a build tool requests over HTTP."""

import platform
from pathlib import Path

import pytest

from tests.skips import OTHER_PROCESSOR
from tests.tvm.compiler import Compiler
from tests.tvm.registry import Registry

HASWELL = frozenset({"abm", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "rdrand"})
ROUNDING = 1e-4  # of sums of 64 products below one in single precision, in another order


@pytest.fixture(scope="module")
def url(registry: Registry) -> str:
    return registry.url("aws/c4.4xlarge", format="tvm")


def test_code_is_generated_for_the_tags_cpu(tvm: Compiler, url: str) -> None:
    code = tvm.call("compile_for", url=url)["code"]
    assert 'target triple = "x86_64-unknown-linux-gnu"' in code
    assert '"target-cpu"="haswell"' in code


def test_compiled_code_computes_the_right_result(tvm: Compiler, url: str) -> None:
    if missing := HASWELL - features():
        pytest.skip(f"{OTHER_PROCESSOR}: it lacks {', '.join(sorted(missing))}")
    assert tvm.call("run_for", url=url) < ROUNDING


def features() -> set[str]:
    """Return the CPU features of this machine, by Linux's names."""
    if platform.machine() != "x86_64":
        return set()
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return {word for line in lines if line.startswith("flags") for word in line.split()}
