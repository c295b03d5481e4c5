"""The largest costs of unrolled loops that bodies may state do not keep LLVM busy."""

import subprocess
from pathlib import Path

import pytest

from tests.compilers import tools
from ttag_rules.llvm_options import COMPILER_OPTIONS

SECONDS = 30  # the slowest takes some three; with 65536 as the maximum, it was a minute
PRODUCT = """
void multiply(float *restrict a, float *restrict b, float *restrict c) {
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++) {
      float sum = 0;
      for (int k = 0; k < 64; k++) sum += a[i * 64 + k] * b[k * 64 + j];
      c[i * 64 + j] = sum;
    }
}
"""


@pytest.mark.parametrize("triple", ["x86_64-linux-gnu", "hexagon-unknown-elf"])
@pytest.mark.parametrize("name", ["unroll-threshold", "unroll-threshold-aggressive"])
def test_the_largest_cost_compiles_in_seconds(triple: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "product.c").write_text(PRODUCT)
    limit = f"-{name}={COMPILER_OPTIONS[name].maximum}"
    command = [tools.clang(), f"--target={triple}", "-O3", "-mllvm", limit, "-S", "product.c"]
    subprocess.run([*command, "-o", "product.s"], check=True, cwd=tmp_path, timeout=SECONDS)
