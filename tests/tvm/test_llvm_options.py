"""LLVM's own options, as `cl-opt` takes them: by the registry's pattern and by TVM alike."""

from typing import Any

import pytest

from registry.domain.errors import Refused
from tests.domain.builders import target_of
from tests.tvm.compiler import Compiler, Raised

NAME = "-unroll-threshold"
TAKEN = (
    "",
    "=true",
    "=0",
    ":bool=false",
    ":int=4",
    ":int=-4",
    ":uint=4",
    ":string=",
    ":string=a=b",
)
REFUSED = (
    *("=4", "=", ":bool", ":bool=", ":bool=2", ":int", ":int=", ":int=4x", ":int=0x10"),
    *(":string", ":float=1.0", ":int=99999999999999999999"),
)


def body(option: str) -> dict[str, Any]:
    return {
        "kind": "llvm",
        "mtriple": "aarch64-linux-gnu",  # of an Arm target TVM looks at the options at once
        "mcpu": "cortex-a72",
        "cl-opt": [option],
    }


@pytest.mark.parametrize("said", TAKEN)
@pytest.mark.parametrize("dashes", ["", "-"])
def test_both_accept(tvm: Compiler, said: str, dashes: str) -> None:
    assert tvm.export(target_of(body(f"{dashes}{NAME}{said}")))


@pytest.mark.parametrize("said", REFUSED)
def test_both_reject(tvm: Compiler, said: str) -> None:
    with pytest.raises(Refused):
        target_of(body(f"{NAME}{said}"))
    with pytest.raises(Raised):
        tvm.export(body(f"{NAME}{said}"))
