"""A build tool asks for a target over HTTP, compiles for it, and what it compiled computes."""

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
    code = tvm.ask("compile_for", url=url)["code"]
    assert 'target triple = "x86_64-unknown-linux-gnu"' in code
    assert '"target-cpu"="haswell"' in code


def test_compiled_code_computes_the_right_result(tvm: Compiler, url: str) -> None:
    if lacking := HASWELL - features():
        pytest.skip(f"{OTHER_PROCESSOR}: it lacks {', '.join(sorted(lacking))}")
    assert tvm.ask("run_for", url=url) < ROUNDING


def features() -> set[str]:
    """What the processor of this machine can do, in Linux's words."""
    if platform.machine() != "x86_64":
        return set()
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return {word for line in lines if line.startswith("flags") for word in line.split()}
