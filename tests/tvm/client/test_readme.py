"""client/README.md builds with TVM as it says."""

import re
from pathlib import Path

from tests.databases import ROOT
from tests.tvm.compiler import Compiler

SECTION = (
    (ROOT / "client" / "README.md").read_text().partition("\n## TVM\n")[2].partition("\n## ")[0]
)


def test_example_builds_for_two_cpus(builder: Compiler, address: str, tmp_path: Path) -> None:
    code = "".join(re.findall(r"```python\n(.*?)```", SECTION, re.DOTALL))
    built = builder.call("run_example", code=code, address=address, folder=str(tmp_path))
    assert (built["cpus"]["matmul"], built["cpus"]["matmul1"]) == ("haswell", "skylake-avx512")
    assert built["origins"]["part"][0].startswith("aws/cpu/c5.9xlarge@1.")
    assert built["target"]["arch"] == "sm_80"
    assert (tmp_path / "library.so").exists()
